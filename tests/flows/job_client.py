"""A client of the job API, written from the description of its protocol and nothing else.

It knows: create, upload, the status, the list of artifacts, one artifact, the bundle; that a null
status asks for an upload; that inputs which are files lie in the zip under the names of their
fields; that the path of an artifact begins with ``artifacts/``.
"""

import io
import json
import time
import zipfile
from dataclasses import dataclass
from typing import Any

import httpx

DONE = ("succeeded", "failed", "canceled", "cancelled")


@dataclass
class JobClient:
    """One client on one server."""

    http: httpx.Client

    def create(self, skill_id: str, **body: Any) -> dict[str, Any]:
        """``POST /v1/jobs``."""
        answer = self.http.post("/v1/jobs", json={"skill_id": skill_id, **body})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def upload(self, request_id: str, files: dict[str, bytes]) -> dict[str, Any]:
        """``POST /v1/jobs/{request_id}/upload`` with a zip."""
        answer = self.http.post(
            f"/v1/jobs/{request_id}/upload",
            files={"file": ("inputs.zip", zipped(files), "application/zip")},
        )
        assert answer.status_code == 200, answer.text
        return answer.json()

    def status(self, request_id: str) -> dict[str, Any]:
        """``GET /v1/jobs/{request_id}``."""
        answer = self.http.get(f"/v1/jobs/{request_id}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def poll(self, request_id: str, seconds: float = 60, *until: str) -> dict[str, Any]:
        """Look at the status until the job is done, or in a state of *until*."""
        end = time.monotonic() + seconds
        while (found := self.status(request_id))["status"] not in (*DONE, *until):
            assert time.monotonic() < end, found
            time.sleep(0.02)
        return found

    def artifacts(self, request_id: str) -> list[str]:
        """``GET /v1/jobs/{request_id}/artifacts``: relative paths."""
        answer = self.http.get(f"/v1/jobs/{request_id}/artifacts")
        assert answer.status_code == 200, answer.text
        return answer.json()["artifacts"]

    def artifact(self, request_id: str, path: str) -> bytes:
        """``GET /v1/jobs/{request_id}/artifacts/{artifact_path}``."""
        answer = self.http.get(f"/v1/jobs/{request_id}/artifacts/{path}")
        assert answer.status_code == 200, answer.text
        return answer.content

    def bundle(self, request_id: str) -> dict[str, bytes]:
        """``GET /v1/jobs/{request_id}/bundle``, unpacked."""
        answer = self.http.get(f"/v1/jobs/{request_id}/bundle")
        assert answer.status_code == 200, answer.text
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            return {name: archive.read(name) for name in archive.namelist()}


def zipped(files: dict[str, bytes]) -> bytes:
    """A zip with these files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def result_of(bundle: dict[str, bytes]) -> dict[str, Any]:
    """The result in a bundle."""
    return json.loads(bundle["result.json"])
