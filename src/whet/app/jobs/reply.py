"""Answering an agent that waits: once, by whoever comes first."""

from collections.abc import Mapping
from pathlib import Path

from pydantic import JsonValue

from whet.app.jobs.given import Given
from whet.app.jobs.office import Office
from whet.core.errors import (
    Conflict,
    EnvironmentProblem,
    InvalidJob,
    NotFound,
    UsageError,
    WrongStatus,
)
from whet.core.files import FileRef
from whet.core.instant import iso
from whet.core.job import Interaction, Job, JobFailure, JobResult, Response
from whet.core.text import storable
from whet.documents.files import reason
from whet.documents.job_reply import InteractionReply, ReplyFiles
from whet.run.job.inputs import UPLOADS

MOST_TEXT = 100_000
MOST_FILE = 32 * 1024 * 1024
MOST_FILES = 2 * MOST_FILE
REPLIES = f"{UPLOADS}/replies"

_YES = {"yes": True, "y": True, "true": True, "no": False, "n": False, "false": False}


def question_id(said: InteractionReply | ReplyFiles) -> int:
    """The id of the question that a reply is to, under either name; raises ``UsageError``."""
    names = {each for each in (said.interaction_id, said.id) if each is not None}
    if not names:
        raise UsageError("interaction_id: is missing; name the question by it, or by id")
    if len(names) > 1:
        message = f"interaction_id, id: name two questions, {said.interaction_id} and {said.id}"
        raise UsageError(f"{message}; name one")
    return names.pop()


def reply(
    office: Office,
    request_id: str,
    interaction: int,
    value: JsonValue,
    *,
    files: Mapping[str, FileRef] | None = None,
    key: str | None = None,
) -> Job:
    """Let the agent go on with an answer; *files* are by the name of their slot. Within a
    transaction, or one of its own.

    The same answer with the same key again is no mistake. Raises ``WrongStatus`` where nobody waits
    for it, ``Conflict`` where somebody was first, ``UsageError`` for what is no answer.
    """
    given = dict(files or {})
    value = _text_of(value)
    with office.app.store.transaction():
        job = office.get(request_id)
        if (known := _known(job, interaction)) is not None:
            return _again(job, known, value, given, key)
        asked = _pending(job, interaction)
        checked = _checked(asked, value, given)
        response = Response(
            interaction=interaction,
            value=checked,
            files=tuple(given.values()),
            key=key,
            at=iso(office.app.clock.now()),
        )
        return office.put(_answered(office, job, asked, response))


def reply_with_files(
    office: Office,
    request_id: str,
    interaction: int,
    value: JsonValue,
    *,
    files: Mapping[str, Path],
    key: str | None = None,
) -> Job:
    """The same with files at hand, by the name of their slot. Blocks: for a thread."""
    given = Given(office.app.store.blobs)
    bound = files_for(interaction, files, given)
    job = office.get(request_id)
    if _known(job, interaction) is None:
        _checked(_pending(job, interaction), value, bound)
        given.put_ahead(office.app.store)
    with office.app.store.transaction():
        given.put_small()
        return reply(office, request_id, interaction, value, files=bound, key=key)


def decide_itself(office: Office, request_id: str, interaction: int) -> Job | None:
    """Nobody replied in time: the agent decides, within a transaction. None if somebody did."""
    job = office.get(request_id)
    asked = job.pending
    if job.state != "waiting_user" or asked is None or asked.id != interaction:
        return None
    now = iso(office.app.clock.now())
    response = Response(interaction=interaction, value=None, automatic=True, at=now)
    try:
        after = _answered(office, job, asked, response)
    except UsageError as error:  # its engine is gone, say: nobody would ever hear of it
        failure = JobFailure(code=error.code, message=str(error)[:2000])
        change = {"pending": None, "ended_at": now, "result": JobResult(failure=failure)}
        after = job.moved("failed", **change)
    return office.put(after)


def files_for(interaction: int, files: Mapping[str, Path], given: Given) -> dict[str, FileRef]:
    """Files at hand for the slots of a question, read into *given*; raises ``UsageError``."""
    found: dict[str, FileRef] = {}
    left = MOST_FILES
    for slot, path in files.items():
        data = _read(slot, path, min(left, MOST_FILE))
        left -= len(data)
        try:
            place = slot_path(interaction, slot)
            found[slot] = FileRef(path=place, digest=given.keep(data), size=len(data))
        except ValueError:
            raise UsageError(f"files: {slot!r} is no name of a slot") from None
    return found


def slot_path(interaction: int, slot: str) -> str:
    """Where the agent finds a file that was asked for."""
    return f"{REPLIES}/{interaction}/{slot}"


def pending(job: Job) -> Interaction:
    """The question of a job that waits; raises ``WrongStatus``."""
    if job.state != "waiting_user" or job.pending is None:
        message = f"job {job.request_id} waits for no answer; it is {job.state}"
        raise WrongStatus(message, "waiting_user", job.state)
    return job.pending


def _read(slot: str, path: Path, most: int) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except (FileNotFoundError, IsADirectoryError):
        raise NotFound(f"files: {slot!r}: there is no file {path}") from None
    except OSError as error:
        raise EnvironmentProblem(f"cannot read {path}: {reason(error)}") from error
    if len(data) > most:
        raise UsageError(f"files: at most {MOST_FILE >> 20} MiB each, and twice that in all")
    return data


def _answered(office: Office, job: Job, asked: Interaction, response: Response) -> Job:
    """The job with the turn that a response begins."""
    last = office.record(job)
    if last is None:
        raise Conflict(f"job {job.request_id}", "a turn that has ended", "none")
    job = job.model_copy(update={"responses": (*job.responses, response)})
    turn = office.turns(job).answered(job, asked, response, last)
    return job.moved("queued", pending=None, rounds=(*job.rounds, turn))


def _text_of(value: JsonValue) -> JsonValue:
    """What was replied; some clients send a text as ``{"text": …}``."""
    match value:
        case {"text": str(text), **others} if not others:
            return text
        case _:
            return value


def _known(job: Job, interaction: int) -> Response | None:
    return next((each for each in job.responses if each.interaction == interaction), None)


def _again(
    job: Job, known: Response, value: JsonValue, files: dict[str, FileRef], key: str | None
) -> Job:
    is_same = known.value == value and known.files == tuple(files.values())
    if key is not None and known.key == key and is_same:
        return job
    actual = "nobody, so it decided itself" if known.automatic else "somebody"
    raise Conflict(f"question {known.interaction} of job {job.request_id}", "no answer", actual)


def _pending(job: Job, interaction: int) -> Interaction:
    asked = pending(job)
    if asked.id != interaction:
        raise Conflict(f"job {job.request_id}", f"question {interaction}", f"question {asked.id}")
    return asked


def _checked(asked: Interaction, value: JsonValue, files: dict[str, FileRef]) -> JsonValue:
    """The answer, if it is one to that question."""
    if isinstance(value, str) and (len(value) > MOST_TEXT or storable(value) != value):
        raise UsageError(f"response: must be a text of at most {MOST_TEXT:,} characters")
    match asked.kind:
        case "choose_one":
            may = [choice.value for choice in asked.options]
            if value not in may:
                raise UsageError(f"response: choose one of {', '.join(map(repr, may))}")
            return value
        case "confirm":
            said = _YES.get(value.strip().lower()) if isinstance(value, str) else value
            if not isinstance(said, bool):
                raise UsageError("response: must be true or false")
            return said
        case "upload_files":
            _check_files(asked, files)
            return value
        case "open_text":
            if value is None or value == "":
                raise UsageError("response: is empty")
            return value


def _check_files(asked: Interaction, files: dict[str, FileRef]) -> None:
    known = [slot.name for slot in asked.files]
    problems = [f"files: {name!r} was not asked for" for name in files if name not in known]
    needed = [slot.name for slot in asked.files if slot.required]
    problems += [f"files: {name!r} is missing" for name in needed if name not in files]
    if problems:
        raise InvalidJob("the reply", problems)
