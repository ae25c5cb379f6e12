"""A request over HTTP asks for more than any agent has."""

from pathlib import Path
from typing import Any

import pytest

from tests.app.opening import allow, fill
from tests.server.calling import SMALL, assert_problem, caller

SERVER = {"notes": {"command": "/bin/sh", "args": ["-c", "id"]}}
DANGERS: list[dict[str, Any]] = [
    {"argv": ["/bin/sh", "-c", "id"]},
    {"pass_environment": ["HOME"]},
    {"environment": {"TEAM_NAME": "x"}},
    {"allow_hosts": ["evil.example:443"]},
    {"readable": ["/etc"]},
    {"mcp_servers": SERVER},
    {"extra_flags": ["--danger"]},
]


def bodies(options: dict[str, Any], engine: str) -> dict[str, dict[str, Any]]:
    """Every way to hand options to an agent."""
    servers = {name: options[name] for name in options if name == "mcp_servers"}
    rest = {name: options[name] for name in options if name != "mcp_servers"}
    return {
        "/v1/runs": {**SMALL, "engine": engine, "options": options},
        "/v1/projects": {**SMALL, "engine": engine, "options": options},
        "/v1/jobs": {
            "skill_source": "temp_upload",
            "engine": engine,
            "runtime_options": {"engine_options": options},
        },
        "/v1/evaluation/runs": {
            "model_name": f"{engine}:m",
            "case_set": "mini",
            "config_overrides": {"options": rest, **servers},
        },
    }


@pytest.mark.parametrize("options", DANGERS, ids=lambda each: next(iter(each)))
def test_a_body_takes_what_the_policy_does_not_allow(
    tmp_path: Path, options: dict[str, Any]
) -> None:
    workspace = tmp_path / "workspace"
    fill(workspace)
    allow(workspace, hosts=["good.example:443"], environment=["ACME_*"], paths=["/usr/share"])
    with caller(workspace, HOME=str(tmp_path), PATH="/usr/bin:/bin") as call:
        for path, body in bodies(options, "command").items():
            answer = call("POST", path, json=body)
            [name] = options
            assert_problem(answer, 403, "consent_needed", name, "policy.json")


def test_a_job_s_variables_are_options_too(tmp_path: Path) -> None:
    body = {
        "skill_source": "temp_upload",
        "engine": "command",
        "runtime_options": {"env": {"TEAM_KEY": "x"}},
    }
    with caller(tmp_path / "workspace", HOME=str(tmp_path)) as call:
        answer = call("POST", "/v1/jobs", json=body)
        assert_problem(answer, 403, "consent_needed", "environment")
