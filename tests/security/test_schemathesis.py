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
    "positive_data_acceptance": "``real_ids`` makes it, and knows what no contract can say",
    "ignored_auth": "wrong tokens are slowed; the test below asks every operation without it",
    "object_level_authorization": "there is one user, and one token that carries all rights",
}
"""Checks that are not made, and why."""

ENDLESS = "/v1/events"
"""Follows the workspace for ever; ``test_many_clients.py`` looks at it."""


SCHEMAS = {"output": "assets/output.schema.json", "input": "assets/input.schema.json"}
INSTALL = "/v1/skill-packages/install"
ENVIRONMENT = {"WHET_TOKEN": TOKEN, "WHET_OUTBOUND_HOSTS": "collector.invalid:4318"}
"""No span is sent: whatever is reached outside would take its time."""

EVERYWHERE: dict[str, list[Any]] = {
    "engine": ["simulated", "simulated", None],
    "engines": [["simulated"], None],
    "model": [None],
    "models": [None],
    "judges": [["simulated"], []],
    "version": ["v1"],
    "expected_version": ["v1", "v2"],
}
"""Names that mean the same in every request."""


class Filled:
    """A workspace with one of everything, made through the API."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        self.values: list[tuple[str, str, list[Any]]] = []
        self.files: dict[str, tuple[str, str]] = {}

    def fill(self) -> None:
        """Make things, and note what they are called."""
        project = self._post("/v1/demo")
        run = self._post("/v1/evaluation/runs", {"dimensions": ["logic"]})["run_id"]
        suite = {"skill": str(ROOT / "examples/careful-python"), "runs": 1}
        eval_ = self._post("/v1/evals", suite)["id"]
        self._jobs()
        self._settle("/v1/runs/" + project["id"])
        self._library()
        self._settle(f"/v1/runs/{eval_}")
        for start in ("/v1/runs", "/v1/projects"):
            self._note(start, "identity", [project["id"]])
        self._note("/v1/evals", "identity", [eval_])
        runs = self._get(f"/v1/evals/{eval_}/runs")["runs"]
        self._note("/v1/evals", "run_id", [each["run_id"] for each in runs])
        for name in ("reference", "left", "right", "against"):
            self._note("/v1/projects", name, self._ids("/v1/projects"))
        self._send("/v1/projects/import", "p.zip", f"/v1/projects/{project['id']}/export")
        for name in ("reference", "left", "right"):
            self._note("/v1/sessions", name, ["2026-01-25-001-markers"])
        self._note("/v1/sessions", "call", ["0", "3"])
        self._note("/v1/evals", "skill", [suite["skill"]])
        for start in ("/v1/evaluation", "/wunder"):
            self._note(start, "run_id", [run])
            self._note(start, "run_ids", [f"{run},{run[:-1]}"])
            self._note(start, "model_name", ["simulated", None])
            self._note(start, "tool_names", [["Read"], None])
        self._note("/v1/evaluation/case-sets", "name", ["standard"])
        for start in ("/v1/engines", "/v1/management/engines"):
            self._note(start, "engine", ["simulated", "command"])
        for name, values in EVERYWHERE.items():
            self._note("/", name, values)

    def _library(self) -> None:
        """Note what skills and baselines are called, and what a model says of them."""
        skills, baselines = self._ids("/v1/skills"), self._ids("/v1/baselines")
        for kind, found in (("skills", skills), ("baselines", baselines)):
            about = {"assets": found[:1], "engine": "simulated", "confirmed": True}
            tagging = self._post(f"/v1/{kind}/auto-tag", about)["id"]
            self._note(f"/v1/{kind}/auto-tag", "identity", [tagging])
            self._note(f"/v1/{kind}", "reference", found)
            self._note(f"/v1/{kind}", "assets", [found[:1]])
        self._note("/v1/leaderboard", "skill", skills)
        self._note("/v1/leaderboard", "baseline", baselines)
        cases = self._get(f"/v1/baselines/{baselines[0]}/cases")
        self._note("/v1/baselines", "case_id", [each["id"] for each in cases["cases"]])
        self._send("/v1/skills/import", "s.zip", f"/v1/skills/{skills[0]}/export")
        self._send("/v1/skills/lint", "s.zip", f"/v1/skills/{skills[0]}/export")
        self._send("/v1/skills/{reference}/package", "s.zip", f"/v1/skills/{skills[0]}/export")
        self._send("/v1/baselines/import", "b.json", f"/v1/baselines/{baselines[0]}/export")

    def _jobs(self) -> None:
        """Do a job of a package that is installed, and note both."""
        self.files["/v1/skill-packages/install"] = (
            "p.zip",
            package(version="1", schemas=SCHEMAS).hex(),
        )
        kind = {"content-type": "application/octet-stream"}
        sent = self._call(
            "POST", INSTALL, content=package(version="0.1", schemas=SCHEMAS), headers=kind
        )
        assert sent.is_success, sent.text
        job = done(self._call, package(), inputs(document=b"Some words."), input={})
        for start in ("/v1/jobs", "/v1/management/runs"):
            self._note(start, "request_id", [job["request_id"]])
        self._note("/v1/jobs", "artifact_path", ["artifacts/report.md"])
        self._note("/v1/sessions", "identity", [job["request_id"]])
        for start in ("/v1/skill-packages", "/v1/management/skills"):
            self._note(start, "reference", ["report"])
        for start in ("/v1/jobs", "/v1/job-batches"):
            self._note(start, "skill_id", ["report"])
        batch: dict[str, Any] = {"skill_id": "report", "items": [{}], "engine": "simulated"}
        made = self._post("/v1/job-batches", batch)
        self._note("/v1/job-batches", "batch_id", [made["batch_id"]])

    def _send(self, path: str, name: str, source: str) -> None:
        """Note that what is downloaded there is sent here."""
        answer = self._call("GET", source)
        assert answer.is_success, answer.text
        self.files[path] = (name, answer.content.hex())

    def _note(self, start: str, name: str, values: list[Any]) -> None:
        assert values, (start, name)
        self.values.append((start, name, values))

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

    def _settle(self, path: str) -> None:
        end = time.monotonic() + 60
        while self._get(path)["status"] == "running":
            assert time.monotonic() < end
            time.sleep(0.1)


@pytest.mark.slow
def test_no_request_finds_a_fault_or_a_lie_in_the_contract(tmp_path: Path) -> None:
    """Schemathesis, with its own checks; the same requests each time."""
    workspace = tmp_path / "workspace"
    shelve(workspace)
    with Serving.on(workspace, **ENVIRONMENT, HOME=str(tmp_path)) as serving:
        serving.client.headers["authorization"] = f"Bearer {TOKEN}"
        filled = Filled(serving.client)
        filled.fill()
        there = {"values": filled.values, "files": filled.files}
        (tmp_path / "ids.json").write_text(json.dumps(there))
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
