"""Requests of every kind that the contract allows or forbids, about things that are there."""

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.app.opening import app_on
from tests.flows.command import environment
from tests.flows.serving import Serving
from tests.repo.tree import ROOT
from tests.server.job_packages import done, inputs, package
from tests.server.recorded_sessions import shelve
from whet.server.api import make_api

TOKEN = "a-long-token-of-these-tests"
SEED = 20261118
EXAMPLES = 5
"""For each operation. With 50, and with other seeds, it takes some minutes."""

LEFT_OUT = {
    "positive_data_acceptance": "a zip, an engine that there is, a version that is the newest: no "
    "schema can say that, so what fits the schema may well be refused",
    "ignored_auth": "wrong tokens are slowed; the test below asks every operation without it",
    "object_level_authorization": "there is one user, and one token that carries all rights",
}
"""Checks that are not made, and why."""

ENDLESS = "/v1/events"
"""Follows the workspace for ever; ``test_many_clients.py`` looks at it."""


class Filled:
    """A workspace with one of everything, made through the API."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        self.ids: list[tuple[str, str, list[str]]] = []

    def fill(self) -> None:
        """Make things, and note their ids."""
        project = self._post("/v1/demo")
        evaluation = self._post("/v1/evaluation/runs", {"dimensions": ["logic"]})["run_id"]
        suite = {"skill": str(ROOT / "examples/careful-python"), "runs": 1}
        eval_ = self._post("/v1/evals", suite)["id"]
        job = done(self._call, package(), inputs(document=b"Some words."), input={})
        self._settle("/v1/experiments/" + project["id"], "experiment")
        skills = self._ids("/v1/skills")
        baselines = self._ids("/v1/baselines")
        about = {"assets": skills[:1], "engine": "simulated", "confirmed": True}
        tagging = self._post("/v1/skills/auto-tag", about)["id"]
        self._settle(f"/v1/evals/{eval_}", "eval")
        self._note("/v1/skills", "reference", skills)
        self._note("/v1/management/skills", "reference", skills)
        self._note("/v1/baselines", "reference", baselines)
        cases = self._get(f"/v1/baselines/{baselines[0]}/cases")
        self._note("/v1/baselines", "case_id", [each["id"] for each in cases["cases"]])
        self._note("/v1/skills/auto-tag", "identity", [tagging])
        self._note("/v1/experiments", "identity", [project["id"]])
        self._note("/v1/evals", "identity", [eval_])
        runs = self._get(f"/v1/evals/{eval_}/runs")["runs"]
        self._note("/v1/evals", "run_id", [each["run_id"] for each in runs])
        self._note("/v1/projects", "reference", self._ids("/v1/projects"))
        self._note("/v1/sessions", "reference", ["2026-01-25-001-markers"])
        self._note("/v1/sessions", "call", ["0", "3"])
        for start in ("/v1/evaluation", "/wunder"):
            self._note(start, "run_id", [evaluation])
        for start in ("/v1/jobs", "/v1/management/runs"):
            self._note(start, "request_id", [job["request_id"]])
        self._note("/v1/jobs", "artifact_path", ["artifacts/report.md"])
        for start in ("/v1/engines", "/v1/management/engines"):
            self._note(start, "engine", ["simulated", "command"])

    def _note(self, start: str, name: str, values: list[str]) -> None:
        assert values, (start, name)
        self.ids.append((start, name, values))

    def _call(self, method: str, path: str, **more: Any) -> httpx.Response:
        return self._client.request(method, path, **more)

    def _post(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        answer = self._client.post(path, json=body)
        assert answer.is_success, answer.text
        return answer.json()

    def _get(self, path: str) -> dict[str, Any]:
        answer = self._client.get(path)
        assert answer.is_success, answer.text
        return answer.json()

    def _ids(self, path: str) -> list[str]:
        """Of a list, once there is something in it: the library is read in the background."""
        end = time.monotonic() + 30
        while not (found := self._listed(path)):
            assert time.monotonic() < end, path
            time.sleep(0.1)
        return found

    def _listed(self, path: str) -> list[str]:
        page = self._get(path)
        return [each["id"] for each in page.get("items", page.get("projects", []))]

    def _settle(self, path: str, kind: str) -> None:
        end = time.monotonic() + 60
        while self._get(path)[kind]["status"] == "running":
            assert time.monotonic() < end
            time.sleep(0.1)


@pytest.mark.slow
def test_no_request_finds_a_fault_or_a_lie_in_the_contract(tmp_path: Path) -> None:
    """Schemathesis, with its own checks; the same requests each time."""
    workspace = tmp_path / "workspace"
    shelve(workspace)
    with Serving.on(workspace, WHET_TOKEN=TOKEN, HOME=str(tmp_path)) as serving:
        serving.client.headers["authorization"] = f"Bearer {TOKEN}"
        filled = Filled(serving.client)
        filled.fill()
        (tmp_path / "ids.json").write_text(json.dumps(filled.ids))
        done_ = subprocess.run(
            [
                *(str(Path(sys.executable).with_name("schemathesis")), "run"),
                str(serving.client.base_url.join("/openapi.json")),
                *("--header", f"Authorization: Bearer {TOKEN}"),
                *("--phases", os.environ.get("SCHEMATHESIS_PHASES", "fuzzing")),
                *("--max-examples", os.environ.get("SCHEMATHESIS_EXAMPLES", str(EXAMPLES))),
                *("--seed", os.environ.get("SCHEMATHESIS_SEED", str(SEED))),
                *("--generation-database", "none"),
                *("--exclude-checks", ",".join(LEFT_OUT)),
                *("--exclude-path", ENDLESS),
                *("--continue-on-failure", "--no-shrink", "--no-color"),
                *("--workers", "1", "--request-timeout", "30", "--warnings", "off"),
                *("--suppress-health-check", "all"),
            ],
            env=environment(
                SCHEMATHESIS_HOOKS="tests.security.real_ids",
                REAL_IDS=str(tmp_path / "ids.json"),
                PYTHONPATH=str(ROOT),
            ),
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=float(os.environ.get("SCHEMATHESIS_SECONDS", "300")),
        )
    (tmp_path / "schemathesis.log").write_text(done_.stdout)
    assert done_.returncode == 0, done_.stdout[-20_000:] + done_.stderr[-2000:]


def test_no_operation_answers_without_the_token(tmp_path: Path) -> None:
    async def story() -> int:
        with app_on(tmp_path / "workspace", WHET_TOKEN=TOKEN) as app:
            api = make_api(app)
            asked = 0
            for path, operations in api.openapi()["paths"].items():
                for method in operations:
                    for given in (None, f"Bearer {TOKEN}x", f"Basic {TOKEN}", TOKEN, "Bearer"):
                        asked += 1
                        # Each from another address: more from one would be slowed.
                        peer = (f"10.{asked >> 16}.{asked >> 8 & 255}.{asked & 255}", 1)
                        transport = httpx.ASGITransport(app=api, client=peer)
                        headers = {} if given is None else {"authorization": given}
                        async with httpx.AsyncClient(
                            transport=transport, base_url="http://127.0.0.1"
                        ) as client:
                            answer = await client.request(method, path, headers=headers)
                        assert answer.status_code == 401, (method, path, given)
                        assert answer.headers["www-authenticate"] == "Bearer"
            return asked

    assert asyncio.run(story()) > 1000
