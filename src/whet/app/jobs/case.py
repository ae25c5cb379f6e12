"""A finished job as a test case: what it was asked is the input, what came of it is expected."""

import json

from pydantic import JsonValue

from whet.app.jobs.office import Office
from whet.app.library.cases import ShelvedCases, add_cases
from whet.app.library.library import Library
from whet.core.errors import UsageError, WrongStatus
from whet.core.job import Job
from whet.core.text import fence
from whet.curate.manifest import JobPackage
from whet.run.job.contract import section
from whet.run.job.inputs import UPLOADS

MOST_FILE = 64 * 1024
MOST_INPUT = 400_000

_INPUT = """\
Use the skill {name}.

# Inputs

{input}

# Parameters

{parameter}
{files}
{contract}"""


def to_case(office: Office, baselines: Library, request_id: str, baseline: str) -> ShelvedCases:
    """Add a job that succeeded to a baseline, as its next version; raises ``UsageError``."""
    job = office.get(request_id)
    if job.state != "succeeded" or job.result is None:
        message = f"job {request_id} is {job.state}; only one that succeeded can be a case"
        raise WrongStatus(message, "succeeded", job.state)
    package = office.package(job)
    case: dict[str, JsonValue] = {
        "name": f"{package.id} {request_id[:8]}",
        "category": "standard",
        "input": _input(office, job, package),
        "expected_output": _expected(office, job),
        "description": f"Made of job {request_id}, done by {job.engine}.",
        "checks": _checks(package),
    }
    return add_cases(baselines, baseline, [case])


def _input(office: Office, job: Job, package: JobPackage) -> str:
    text = _INPUT.format(
        name=package.id,
        input=_fenced(json.dumps(job.input, ensure_ascii=False, indent=1)),
        parameter=_fenced(json.dumps(job.parameter, ensure_ascii=False, indent=1)),
        files="".join(_file(office, path, digest) for path, digest in _uploads(job)),
        contract=section(package, "auto"),
    )
    if len(text) > MOST_INPUT:
        raise UsageError(f"its inputs are longer than {MOST_INPUT:,} characters")
    return text


def _uploads(job: Job) -> list[tuple[str, str]]:
    return [(file.path.removeprefix(f"{UPLOADS}/"), file.digest) for file in job.files]


def _file(office: Office, path: str, digest: str) -> str:
    """An uploaded file, as a part of the prompt: a case of a baseline has no files."""
    data = office.app.store.blobs.get(digest)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise UsageError(f"{path} is no text, and a case of a baseline has no files") from None
    if len(data) > MOST_FILE:
        raise UsageError(f"{path} is larger than {MOST_FILE >> 10} KiB for a case of a baseline")
    return f"\n# File {path}\n\n{_fenced(text)}\n"


def _expected(office: Office, job: Job) -> str:
    assert job.result is not None, "it succeeded"
    parts = [json.dumps(job.result.data, ensure_ascii=False, indent=1)]
    for artifact in job.result.artifacts:
        data = office.app.store.blobs.get(artifact.digest)
        is_text = len(data) <= MOST_FILE and b"\0" not in data
        text = data.decode(errors="replace") if is_text else f"({artifact.size} bytes)"
        parts.append(f"{artifact.path}:\n{_fenced(text)}")
    return "\n\n".join(parts)


def _checks(package: JobPackage) -> list[JsonValue]:
    """What the package promises, as rules."""
    found: list[JsonValue] = []
    if package.output is not None:
        schema: JsonValue = {"schema": dict(package.output)}
        found.append({"type": "json_schema", "description": "output", "expected": schema})
    for rule in package.artifacts:
        if rule.required:
            pattern = f"artifacts/{rule.pattern}"
            found.append({"type": "file_exists", "description": rule.role, "pattern": pattern})
    return found


def _fenced(text: str) -> str:
    mark = fence(text)
    return f"{mark}\n{text}\n{mark}"
