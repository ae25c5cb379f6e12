"""Asking for a job, and giving it its files: everything is checked before anything is kept."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from uuid import uuid4

from pydantic import JsonValue

from whet.app.jobs import cache, private, uploads
from whet.app.jobs.given import Given
from whet.app.jobs.moves import entered
from whet.app.jobs.office import Office
from whet.app.jobs.private import Private
from whet.app.jobs.request import (
    Chosen,
    check_engine,
    check_inputs,
    check_shape,
    chosen,
    mode_of,
)
from whet.app.jobs.work import claim
from whet.app.packages.arrival import Arrival, arrived
from whet.app.secret_store import SecretStore
from whet.core.address import digest
from whet.core.errors import Conflict, InvalidJob, QueueFull, UsageError, WrongStatus
from whet.core.files import FileRef
from whet.core.instant import iso
from whet.core.job import Job, JobSkill
from whet.curate.manifest import JobPackage
from whet.documents.job import JobCreate
from whet.ports.jobs import JobQuery
from whet.run.job.contract import with_contract
from whet.run.job.inputs import UPLOADS, missing
from whet.run.job.rounds import task

MOST_WAITING = 10_000
"""Jobs of a workspace that are not begun yet."""


@dataclass(frozen=True)
class Place:
    """Where a job stands in a batch."""

    batch: str
    index: int


@dataclass(frozen=True)
class AtHand:
    """What comes with a request at once, from this machine; nothing is uploaded later."""

    files: Mapping[str, Path] = field(default_factory=dict[str, Path])
    """By the name that each gets among the uploads; a folder gets there whole."""

    package: Arrival | None = None
    """The skill of a job that brings its own."""


@dataclass(frozen=True)
class Prepared:
    """A request that is fine, and of which nothing is kept yet."""

    wanted: JobCreate
    job: Job
    package: JobPackage | None
    content: Mapping[str, bytes]
    private: Private
    prompt: str | None = None
    """What its agent is told; None while files are to come."""


def create(
    office: Office,
    wanted: JobCreate,
    place: Place | None = None,
    at_hand: AtHand | None = None,
    *,
    claims: bool = False,
) -> Job:
    """Make a job: queued, waiting for its files, or done already where the same was done before.

    Raises ``UsageError`` with all that is wrong, and ``Conflict`` where its key is that of another
    request. The same request with the same key is the job that is there. One that this process
    *claims* is not queued for others.
    """
    prepared = prepare(office, wanted, place, at_hand)
    folder = office.places.request(_id_of(prepared)) / uuid4().hex
    given = Given(office.app.store.blobs)
    try:
        if at_hand is not None and isinstance(prepared, Prepared):
            given.files = uploads.gather(at_hand.files, folder, given.keep, f"{UPLOADS}/")
            prepared = _complete(prepared, given.files)
            given.put_ahead(office.app.store)
        with office.app.store.transaction():
            given.put_small()
            job = make(office, prepared)
            if given.files and not job.cache_hit:
                office.places.promote(job, folder)
            job = (claim(office, job) if claims else None) or job
        return office.remember(job)
    finally:
        uploads.discard(folder)


def prepare(
    office: Office, wanted: JobCreate, place: Place | None = None, at_hand: AtHand | None = None
) -> Prepared | Job:
    """Check a request; the job itself where it was made before."""
    check_shape(wanted)
    office.app.foreign.note()
    if wanted.webhook is not None:
        office.app.access.outbound().check(wanted.webhook.url, "webhook.url")
    asked = _digest(office.app.secrets, wanted)
    if (known := _known(office, wanted, asked)) is not None:
        return known
    skill, package, content = _skill(office, wanted, at_hand)
    if package is not None:
        check_engine(package, wanted.engine or office.default_engine)
        check_inputs(package, wanted, None if at_hand is None else at_hand.files)
    who = chosen(office.app, wanted, package)
    job = _job(office, wanted, who, asked, place)
    label = job.skill_id or (skill.id if skill else "")
    job = job.model_copy(update={"skill": skill, "skill_id": label})
    if skill is not None:
        office.keep_ahead(skill.package, content)
    prepared = Prepared(wanted, job, package, content, who.private)
    waits = package is None or bool(package.file_inputs) or bool(wanted.upload)
    return prepared if waits or at_hand is not None else _complete(prepared, ())


def make(office: Office, prepared: Prepared | Job) -> Job:
    """Keep a job that was prepared, within a transaction; after that, remember it."""
    if isinstance(prepared, Job):
        return prepared
    job, package, store = prepared.job, prepared.package, office.app.store
    if (known := _known(office, prepared.wanted, job.digest)) is not None:
        return known
    if job.skill is not None:
        office.keep(job.skill.package, prepared.content)
    job = private.keep(office.app, job, prepared.private)
    if package is not None and prepared.prompt is not None:
        job = ready(office, job, package, prepared.prompt)
    if not job.is_over:
        _check_room(office)
    kept = store.jobs.add(job)
    entered(store, kept, office.app.clock.now(), office.app.door)
    return kept


def _check_room(office: Office) -> None:
    """Raise ``QueueFull`` where so many wait that a new one would wait for ever."""
    waiting = JobQuery(states=("queued", "waiting_upload"), limit=1)
    if office.app.store.jobs.list(waiting).total >= MOST_WAITING:
        raise QueueFull(f"{MOST_WAITING:,} jobs wait to be begun; try again when some are done")


def upload(office: Office, request_id: str, files: Path | None, package: Path | None = None) -> Job:
    """Give a job its files, a zip, and the package of one that comes with its own; then it starts.

    The same files again change nothing. Raises ``WrongStatus`` for others once it has started, and
    ``UsageError`` with all that is wrong; then it can be tried again.
    """
    job = office.get(request_id)
    arrival = _arrived(office, job, package)
    folder = office.places.request(request_id) / uuid4().hex
    given = Given(office.app.store.blobs)
    try:
        if files is not None:
            given.files = uploads.unfold(files, folder, given.keep, f"{UPLOADS}/")
        return office.remember(_given(office, job, given, arrival, folder))
    finally:
        uploads.discard(folder)


def ready(office: Office, job: Job, package: JobPackage, prompt: str) -> Job:
    """The job with its first turn, within a transaction; done at once where the same was done."""
    assert job.skill is not None, "a job with a contract has a skill"
    blobs = office.app.store.blobs
    own, entry = with_contract(job.skill.package, package, job.mode, blobs)
    blobs.put(entry)
    job = job.model_copy(update={"skill": job.skill.model_copy(update={"own": own})})
    job = job.model_copy(update={"cache_key": cache.key_of(job)})
    same = cache.find(office.app.store, job.cache_key) if job.cache_key else None
    if same is not None:
        return _as(same, job, iso(office.app.clock.now()))
    office.app.require_credential(job.engine, job.model)
    first = office.turns(job).first(job, prompt)
    return job.model_copy(update={"state": "queued", "rounds": (first,)})


def _as(same: Job, job: Job, now: str) -> Job:
    """A job that was done before, in the run of that one."""
    change = {
        "state": "succeeded",
        "run_id": same.run_id,
        "folder": same.folder,
        "result": same.result,
        "session": same.session,
        "simulated": same.simulated,
        "cache_hit": True,
        "started_at": now,
        "ended_at": now,
    }
    return job.model_copy(update=change)


def _complete(prepared: Prepared, files: tuple[FileRef, ...]) -> Prepared:
    """With its files, and what its agent is told of them. A stranger's template may take its time,
    so that is made up before anybody has to wait for it."""
    assert prepared.package is not None, "who has its files has its skill"
    job = prepared.job.model_copy(update={"files": files})
    return replace(prepared, job=job, prompt=task(prepared.package, job))


def _id_of(prepared: Prepared | Job) -> str:
    return prepared.job.request_id if isinstance(prepared, Prepared) else prepared.request_id


def _skill(
    office: Office, wanted: JobCreate, at_hand: AtHand | None
) -> tuple[JobSkill | None, JobPackage | None, Mapping[str, bytes]]:
    if wanted.skill_source == "temp_upload":
        if wanted.skill_id:
            raise UsageError("skill_id: leave it out; the skill comes with the upload")
        if at_hand is None or at_hand.package is None:
            return None, None, {}
        brought = at_hand.package
        return _brought(brought), brought.job, brought.content
    if not wanted.skill_id:
        raise UsageError("skill_id: name a skill, or set skill_source to temp_upload")
    found = office.resolve(wanted.skill_id, wanted.version)
    package = office.cache.contract(found.package, found.content, office.engines)
    meta = found.asset.meta
    skill = JobSkill(
        id=package.id,
        asset=meta.id,
        version=meta.version,
        package_version=meta.package_version or package.version,
        package=found.package,
    )
    return skill, package, found.content


def _job(office: Office, wanted: JobCreate, who: Chosen, asked: str, place: Place | None) -> Job:
    run_id, now = str(uuid4()), iso(office.app.clock.now())
    return Job(
        request_id=str(uuid4()),
        run_id=run_id,
        state="waiting_upload",
        skill_id=wanted.skill_id,
        engine=who.pin.engine,
        engine_version=who.pin.engine_version,
        model=who.pin.model,
        sandbox=who.pin.sandbox,
        simulated=office.app.parts.engine(who.pin.engine).simulated,
        folder=office.places.folder(run_id),
        mode=who.mode,
        options=who.options,
        input=wanted.input,
        parameter=wanted.parameter,
        notices=who.notices,
        created_at=now,
        updated_at=now,
        key=wanted.idempotency_key,
        digest=asked,
        batch=place.batch if place else None,
        batch_index=place.index if place else None,
        webhook=wanted.webhook.url if wanted.webhook else None,
    )


def _digest(secrets: SecretStore, wanted: JobCreate) -> str:
    """What tells a request from others; nothing about its secrets can be guessed from it."""
    data = wanted.to_data()
    assert isinstance(data, dict), "a document is an object"
    sealed = {
        name: secrets.seal_value(value, "request", name, keep=False)
        for name, value in data.items()
        if name in ("runtime_options", "webhook")
    }
    told = {**data, **sealed}
    return digest({name: value for name, value in told.items() if name != "idempotency_key"})


def _known(office: Office, wanted: JobCreate, asked: str) -> Job | None:
    """The job that was made for the same request before."""
    if wanted.idempotency_key is None:
        return None
    page = office.app.store.jobs.list(JobQuery(key=wanted.idempotency_key, limit=1))
    if not page.items:
        return None
    [known] = page.items
    if known.digest != asked:
        raise Conflict(f"idempotency_key {wanted.idempotency_key!r}", "the same request", "another")
    return known


def _arrived(office: Office, job: Job, package: Path | None) -> Arrival | None:
    if package is None:
        if job.skill is None and job.state == "waiting_upload":
            raise UsageError("the skill is missing; upload it too, as skill_package")
        return None
    if job.skill is not None and job.skill.asset is not None:
        raise UsageError(f"job {job.request_id} has its skill; only files can be uploaded")
    return arrived(package, office.engines, "skill_package.zip", to_install=False)


def _given(office: Office, job: Job, given: Given, arrival: Arrival | None, folder: Path) -> Job:
    store, files = office.app.store, given.files
    if job.state != "waiting_upload":
        return _again(job, files, arrival)
    job = _with_skill(job, arrival).model_copy(update={"files": files})
    package = _checked(office, job, arrival)
    prompt = task(package, job)
    given.put_ahead(office.app.store)
    with store.transaction():
        present = office.get(job.request_id)
        if present.state != "waiting_upload":
            return _again(present, files, arrival)
        if arrival is not None:
            office.keep(arrival.package, arrival.content)
        given.put_small()
        current = job.model_copy(update={"revision": present.revision})
        after = ready(office, current, package, prompt)
        if after.cache_hit is False:
            office.places.promote(after, folder)
        return office.put(after)


def _checked(office: Office, job: Job, arrival: Arrival | None) -> JobPackage:
    """The contract of a job that has got its files; raises ``UsageError`` for what does not fit."""
    if arrival is None:
        package = office.package(job)
    else:
        package = office.cache.contract(arrival.package, arrival.content, office.engines)
        _check_late(job, package)
    if problems := missing(package, job.files):
        raise InvalidJob(f"job of {package.id}", problems)
    if arrival is not None:
        office.keep_ahead(arrival.package, arrival.content)
    return package


def _again(job: Job, files: tuple[FileRef, ...], arrival: Arrival | None) -> Job:
    """A second upload: the same one is answered as the first, another comes too late."""
    same_skill = arrival is None or (
        job.skill is not None and job.skill.package.digest == arrival.package.digest
    )
    if files == job.files and same_skill and job.state != "cancelled":
        return job
    message = f"job {job.request_id} is {job.state}; its files cannot be changed any more"
    raise WrongStatus(message, "waiting_upload", job.state)


def _with_skill(job: Job, arrival: Arrival | None) -> Job:
    if arrival is None:
        return job
    skill = _brought(arrival)
    return job.model_copy(update={"skill": skill, "skill_id": job.skill_id or skill.id})


def _brought(arrival: Arrival) -> JobSkill:
    return JobSkill(id=arrival.job.id, package_version=arrival.job.version, package=arrival.package)


def _check_late(job: Job, package: JobPackage) -> None:
    """What could not be checked before anybody knew the skill."""
    check_engine(package, job.engine)
    given: dict[str, JsonValue] = {
        "input": job.input,
        "parameter": job.parameter,
        "mode": job.mode,
    }
    wanted = JobCreate.parse(given, "job")
    mode_of(wanted, package)
    check_inputs(package, wanted)
