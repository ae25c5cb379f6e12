"""What all doors of jobs share: where to look things up, and the one way to change a job."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from whet.app.app import App
from whet.app.config import defaults
from whet.app.jobs import private
from whet.app.jobs.given import AT_ONCE, put_ahead
from whet.app.jobs.moves import entered
from whet.app.jobs.places import Places
from whet.app.library.library import Library
from whet.app.packages.cache import PackageCache
from whet.app.packages.lookup import Lookup, Resolved
from whet.core.arm import SkillPackage
from whet.core.errors import NotFound, UsageError
from whet.core.instant import iso
from whet.core.job import Job
from whet.core.trial import TrialRecord
from whet.curate.manifest import JobPackage
from whet.evaluate.check import KeptOutputs
from whet.ports.jobs import JobQuery
from whet.run.job.rounds import Turns
from whet.run.job.session import joined

LEAST_PREFIX = 4


@dataclass(frozen=True)
class Office:
    """Jobs of one workspace, for as long as a process works with them."""

    app: App
    library: Callable[[], Library]
    """Of skills, as it is now."""

    cache: PackageCache = field(default_factory=PackageCache)
    _kept: set[str] = field(default_factory=set[str])
    """Skills whose files this process has put into the store."""

    @property
    def places(self) -> Places:
        """Where jobs lie in the workspace."""
        return Places(self.app.settings.workspace, self.app.settings.scratch)

    @property
    def engines(self) -> Sequence[str]:
        """Those that there are."""
        return self.app.parts.engines()

    @property
    def default_engine(self) -> str:
        """The one that is taken where none is named."""
        return defaults(self.app).engine

    def resolve(self, reference: str, version: str | None) -> Resolved:
        """A skill of the library, by whichever name; raises ``NotFound``."""
        return Lookup(self.library(), self.cache).resolve(reference, version)

    def contract(self, skill: SkillPackage) -> JobPackage:
        """What a skill whose files are kept promises; raises ``InvalidSkill``."""
        files = KeptOutputs(skill.files, self.app.store.blobs)
        return self.cache.contract(skill, files, self.engines)

    def get(self, request_id: str) -> Job:
        """A job; raises ``NotFound``."""
        job = self.app.store.jobs.get(request_id)
        if job is None:
            raise NotFound(f"no job {request_id[:100]!r}")
        return job

    def find(self, reference: str) -> Job:
        """A job by its id, the unique beginning of that, or as the ``latest``."""
        if reference == "latest":
            page = self.app.store.jobs.list(JobQuery(limit=1))
        elif len(reference) >= LEAST_PREFIX:
            page = self.app.store.jobs.list(JobQuery(prefix=reference, limit=2))
        else:
            raise NotFound(
                f"no job {reference!r}; give {LEAST_PREFIX} characters of its id or more"
            )
        match [*page.items]:
            case [only]:
                return only
            case []:
                raise NotFound(f"no job {reference[:100]!r}")
            case several:
                ids = ", ".join(job.request_id for job in several)
                raise UsageError(f"{reference!r} is several jobs: {ids}, …; give more of the id")

    def change(self, request_id: str, change: Callable[[Job], Job]) -> Job:
        """Change a job as it is now, and let the world know, all in one transaction. A change that
        gives the job back as it is changes nothing."""
        with self.app.store.transaction():
            before = self.get(request_id)
            after = change(before)
            if after == before:
                return before
            return self.put(
                after, tells=after.state != before.state or after.rounds != before.rounds
            )

    def put(self, job: Job, *, tells: bool = True) -> Job:
        """Keep a changed job, within a transaction."""
        now = self.app.clock.now()
        kept = self.app.store.jobs.put(job.model_copy(update={"updated_at": iso(now)}))
        if tells:
            entered(self.app.store, kept, now)
        return kept

    def keep_ahead(self, skill: SkillPackage, content: Mapping[str, bytes]) -> None:
        """Put the files of a large skill into the store, before the transaction that needs them."""
        if skill.digest not in self._kept and sum(map(len, content.values())) > AT_ONCE:
            put_ahead(self.app.store, content.values())
            self._kept.add(skill.digest)

    def keep(self, skill: SkillPackage, content: Mapping[str, bytes]) -> None:
        """Put the files of a skill into the store, within a transaction."""
        if skill.digest not in self._kept:
            for data in content.values():
                self.app.store.blobs.put(data)

    def remember(self, job: Job) -> Job:
        """A job is kept for good, and so are the files of its skill: once is enough. A transaction
        that is undone takes them back, so this comes after it."""
        if job.skill is not None:
            self._kept.add(job.skill.package.digest)
        return job

    def package(self, job: Job) -> JobPackage:
        """The contract of a job's skill."""
        if job.skill is None:
            raise UsageError(f"job {job.request_id} has no skill yet; upload it")
        return self.contract(job.skill.package)

    def turns(self, job: Job) -> Turns:
        """What the turns of a job need to know."""
        assert job.skill is not None, "a job that runs has its skill"
        assert job.skill.own is not None, "a job that runs has its own copy of the skill"
        options: dict[str, JsonValue] = dict(job.options.engine)
        if job.options.env:
            options["environment"] = {**private.recall(self.app.store, job.request_id).env}
        return Turns(
            package=self.package(job),
            skill=job.skill.own,
            options=options,
            kept=self.places.turns(job.run_id),
        )

    def record(self, job: Job) -> TrialRecord | None:
        """What the last turn of a job left, if it has ended."""
        return self.app.store.ledger.record(job.rounds[-1].trial) if job.rounds else None

    def session(self, trial: str) -> dict[str, JsonValue] | None:
        """The session log of a turn."""
        record = self.app.store.ledger.record(trial)
        return json.loads(self.app.store.blobs.get(record.session)) if record else None

    def whole_session(self, job: Job) -> dict[str, JsonValue] | None:
        """The session log of a job, all its turns; None before its end. One that was done before
        has that of the job that did it."""
        if not job.is_over or job.session is None:
            return None
        if job.cache_hit:
            [*others] = self.app.store.jobs.list(JobQuery(run_id=job.run_id, limit=200)).items
            job = next((each for each in others if not each.cache_hit), job)
        logs = [log for turn in job.rounds if (log := self.session(turn.trial)) is not None]
        return joined(job, job.session or "", logs) if logs else None
