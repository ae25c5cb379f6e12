"""A client of Skill-Runner, written from the paths that it calls and the fields that it reads.

Its thirteen methods are all that the example client of that program needs for its pages: skills, a
form for one, a run that is watched and answered, and what came of it. It never asks anything else.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import httpx

from tests.flows.job_client import zipped


class Refused(Exception):
    """The server said no."""

    def __init__(self, status: int, detail: Any) -> None:
        super().__init__(f"{status}: {detail}")
        self.status = status
        self.detail = detail


class Frame(NamedTuple):
    """One server-sent event."""

    event: str
    data: dict[str, Any]


@dataclass
class SkillRunnerClient:
    """One client on one server."""

    http: httpx.Client

    def list_skills(self) -> dict[str, Any]:
        return self._json("GET", "/v1/management/skills")

    def get_skill_detail(self, skill_id: str) -> dict[str, Any]:
        return self._json("GET", f"/v1/management/skills/{skill_id}")

    def get_skill_schemas(self, skill_id: str) -> dict[str, Any]:
        return self._json("GET", f"/v1/management/skills/{skill_id}/schemas")

    def get_engine_detail(self, engine: str) -> dict[str, Any]:
        return self._json("GET", f"/v1/management/engines/{engine}")

    def create_run(self, payload: dict[str, Any]) -> dict[str, Any]:
        return self._json("POST", "/v1/jobs", json=payload)

    def upload_run_file(self, request_id: str, files: dict[str, bytes]) -> dict[str, Any]:
        form = {"file": ("input.zip", zipped(files), "application/zip")}
        return self._json("POST", f"/v1/jobs/{request_id}/upload", files=form)

    def get_run_state(self, request_id: str) -> dict[str, Any]:
        return self._json("GET", f"/v1/management/runs/{request_id}")

    def get_run_pending(self, request_id: str) -> dict[str, Any]:
        return self._json("GET", f"/v1/management/runs/{request_id}/pending")

    def post_run_reply(self, request_id: str, payload: dict[str, Any]) -> dict[str, Any]:
        return self._json("POST", f"/v1/management/runs/{request_id}/reply", json=payload)

    def get_run_result(self, request_id: str) -> dict[str, Any]:
        return self._json("GET", f"/v1/jobs/{request_id}/result")

    def get_run_artifacts(self, request_id: str) -> dict[str, Any]:
        return self._json("GET", f"/v1/jobs/{request_id}/artifacts")

    def get_run_bundle(self, request_id: str) -> bytes:
        return self._answer("GET", f"/v1/jobs/{request_id}/bundle").content

    def stream_run_events(
        self, request_id: str, stdout_from: int = 0, stderr_from: int = 0
    ) -> Iterator[Frame]:
        path = f"/v1/management/runs/{request_id}/events"
        offsets = {"stdout_from": stdout_from, "stderr_from": stderr_from}
        with self.http.stream("GET", path, params=offsets, timeout=60) as answer:
            if answer.is_error:
                answer.read()
                raise Refused(answer.status_code, answer.json().get("detail"))
            name = ""
            for line in answer.iter_lines():
                if line.startswith("event: "):
                    name = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    yield Frame(name, json.loads(line.removeprefix("data: ")))

    def _json(self, method: str, path: str, **more: Any) -> dict[str, Any]:
        found: dict[str, Any] = self._answer(method, path, **more).json()
        assert isinstance(found, dict), found
        return found

    def _answer(self, method: str, path: str, **more: Any) -> httpx.Response:
        answer = self.http.request(method, path, **more)
        if answer.is_error:
            raise Refused(answer.status_code, answer.json().get("detail"))
        return answer
