"""A stranger's files run only after a person agreed, with the command that the refusal names."""

import json
import shlex
import sys
from pathlib import Path
from shutil import make_archive
from typing import Any

import pytest

from tests.app.bundling import bundle
from tests.app.evaluating import skill
from tests.app.opening import allow
from tests.flows.command import whet
from tests.security.attacks import package, project_in
from tests.server.calling import assert_problem, caller


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, str]:
    return {"WHET_CONFIG_DIR": str(tmp_path / "config"), "WHET_SCRATCH": str(tmp_path / "scratch")}


def suggested(message: str) -> list[str]:
    """The command that a refusal names, as it would be typed."""
    assert message.count("\n") == 1, message
    command = message.partition("agree on this machine: ")[2]
    words = shlex.split(command)
    assert words[0] == "whet"
    return words[1:]


def touching(mark: Path) -> dict[str, Any]:
    """The part of a project's config that lets a shell leave a mark, outside any sandbox."""
    return {
        "cli_config__engine": "command",
        "cli_config__engine_version": None,
        "cli_config__sandbox": "none",
        "cli_config__options": {"argv": ["/bin/sh", "-c", f"touch {mark}"]},
    }


def test_a_package_s_program_starts_after_consent_and_not_when_it_changed(
    tmp_path: Path, settings: dict[str, str]
) -> None:
    workspace = tmp_path / "work space"

    def run(mark: Path) -> tuple[int, str]:
        argv = [sys.executable, "-I", "-c", f"open({str(mark)!r}, 'w')"]
        folder = package(tmp_path / "packages" / mark.name, "report", engine_options={"argv": argv})
        asked = ("run", folder, "--engine", "command", "--yes", "--workspace", workspace)
        done = whet(*asked, WHET_SANDBOX="off", **settings)
        return done.returncode, done.stderr

    first, second = tmp_path / "first", tmp_path / "second"
    code, message = run(first)
    assert (code != 0, first.is_file()) == (True, False)
    agreed = whet(*suggested(message), **settings)
    assert agreed.returncode == 0, agreed.stderr
    run(first)
    assert first.is_file()
    code, message = run(second)  # another program is another question
    assert (code != 0, second.is_file()) == (True, False)
    assert "whet consent give" in message

    known = whet("consent", "list", "--json", "--workspace", workspace, **settings)
    [given] = json.loads(known.stdout)["given"]
    back = whet("consent", "revoke", given[:12], "--workspace", workspace, **settings)
    assert back.returncode == 0, back.stderr
    first.unlink()
    assert run(first)[0] != 0
    assert not first.exists()


@pytest.mark.parametrize("code", ["", "x", "../../etc/passwd", "f" * 31, "F" * 32])
def test_a_made_up_code_is_refused(tmp_path: Path, settings: dict[str, str], code: str) -> None:
    done = whet("consent", "give", code, "--workspace", tmp_path / "workspace", **settings)
    assert done.returncode != 0
    assert done.stderr.count("\n") == 1
    gone = whet("consent", "revoke", code, "--workspace", tmp_path / "workspace", **settings)
    assert gone.returncode != 0


def test_a_project_that_was_laid_into_the_workspace_is_adopted_first(
    tmp_path: Path, settings: dict[str, str]
) -> None:
    workspace, mark = tmp_path / "here", tmp_path / "started"
    folder = project_in(workspace, bundle(tmp_path, trials=False), **touching(mark))
    identity = json.loads((folder / "config.json").read_text())["id"]
    asked = ("project", "run", identity, "--yes", "--workspace", workspace)
    refused = whet(*asked, WHET_SANDBOX="off", **settings)
    assert refused.returncode != 0
    assert not mark.exists()
    adopted = whet(*suggested(refused.stderr), "--yes", **settings)
    assert adopted.returncode == 0, adopted.stderr
    whet(*asked, WHET_SANDBOX="off", **settings)
    assert mark.exists()


def test_scripts_of_a_suite_over_http(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    folder = skill(tmp_path)
    body = {"skill": str(folder), "trust_scripts": True, "confirmed": True}
    with caller(workspace) as call:
        answer = call("POST", "/v1/evals", json=body)
        assert_problem(answer, 403, "consent_needed", "trust_scripts", "policy.json")
        allow(workspace, scripts=True)
        answer = call("POST", "/v1/evals", json=body)
        assert answer.status_code == 202, answer.text


def test_a_workspace_that_comes_over_http_brings_a_program(tmp_path: Path) -> None:
    workspace, mark, there = tmp_path / "here", tmp_path / "started", tmp_path / "stranger"
    folder = project_in(there, bundle(tmp_path, trials=False), **touching(mark))
    identity = json.loads((folder / "config.json").read_text())["id"]
    sent = make_archive(str(tmp_path / "sent"), "zip", there)
    with caller(workspace, WHET_SANDBOX="off") as call:
        moved = call("POST", "/v1/workspace/import", content=Path(sent).read_bytes())
        assert moved.status_code < 300, moved.text
        answer = call("POST", f"/v1/projects/{identity}/run", json={"confirmed": True})
        assert_problem(answer, 403, "consent_needed", "argv")
    assert not mark.exists()
