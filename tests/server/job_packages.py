"""Job packages, and jobs over HTTP, for tests that attack them."""

import json
from collections.abc import Mapping
from typing import Any

import httpx

from tests.curate.intake.zips import zipped
from tests.server.calling import Caller

JOBS = "/v1/jobs"
TEXT = "---\nname: {name}\ndescription: Reports on texts.\n---\n\nReport on the input.\n"
INPUT: dict[str, Any] = {
    "type": "object",
    "properties": {"title": {"type": "string", "x-input-source": "inline"}},
}
WITH_FILE: dict[str, Any] = {
    "type": "object",
    "properties": {**INPUT["properties"], "document": {"type": "string"}},
    "required": ["document"],
}
OUTPUT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "report": {"type": "string", "x-type": "artifact", "x-filename": "report.md"},
        "words": {"type": "integer"},
    },
    "required": ["report", "words"],
}
FINE = {"report": "artifacts/report.md", "words": 2}
"""What the agent of such a package says in the end."""


def package(
    name: str = "report",
    *,
    text: str = TEXT,
    input: Mapping[str, Any] = INPUT,  # noqa: A002 - as the format calls it
    output: Mapping[str, Any] = OUTPUT,
    prompt: str | None = None,
    **manifest: Any,
) -> bytes:
    """A zip of a package that yields ``artifacts/report.md``; *manifest* has more for its
    ``runner.json``."""
    prompts = {"entrypoint": {"prompts": {"common": prompt}}} if prompt is not None else {}
    runner = {"id": name, "execution_modes": ["auto", "interactive"], **prompts, **manifest}
    files: dict[str, object] = {
        "SKILL.md": text.format(name=name),
        "assets/runner.json": runner,
        "assets/input.schema.json": input,
        "assets/output.schema.json": output,
    }
    return zipped(*((f"{name}/{path}", _data(each)) for path, each in files.items()))


def inputs(**files: bytes) -> bytes:
    """A zip with the files of inputs."""
    return zipped(*files.items())


def create(call: Caller, **body: Any) -> httpx.Response:
    """Ask for a job whose skill comes with the upload."""
    return call("POST", JOBS, json={"skill_source": "temp_upload", "engine": "simulated", **body})


def created(call: Caller, **body: Any) -> str:
    """The id of a job that waits for its upload."""
    answer = create(call, **body)
    assert answer.status_code == 200, answer.text
    return answer.json()["request_id"]


def send(call: Caller, request_id: str, **parts: bytes) -> httpx.Response:
    """Upload zips by the name of their field."""
    files = {name: (f"{name}.zip", data, "application/zip") for name, data in parts.items()}
    return call("POST", f"{JOBS}/{request_id}/upload", files=files)


def started(call: Caller, skill: bytes, file: bytes | None = None, **body: Any) -> str:
    """The id of a job that has all it needs."""
    request_id = created(call, **body)
    parts = {"skill_package": skill} | ({"file": file} if file is not None else {})
    answer = send(call, request_id, **parts)
    assert answer.status_code == 200, answer.text
    return request_id


def settled(call: Caller, request_id: str) -> dict[str, Any]:
    """The job once it is over, or asks."""
    status = call("GET", f"{JOBS}/{request_id}/wait", params={"timeout": 30}).json()
    assert status["state"] not in ("queued", "running"), status
    return status


def done(call: Caller, skill: bytes, file: bytes | None = None, **body: Any) -> dict[str, Any]:
    """A job from its beginning to its end."""
    return settled(call, started(call, skill, file, **body))


def result(call: Caller, request_id: str) -> dict[str, Any]:
    """What it came to."""
    answer = call("GET", f"{JOBS}/{request_id}/result")
    assert answer.status_code == 200, answer.text
    return answer.json()["result"]


def _data(content: object) -> bytes:
    return content.encode() if isinstance(content, str) else json.dumps(content).encode()
