"""A model's help through the real command: somebody who looks, somebody who stops it, and a
process that is killed."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.app.assisting import logs, pending, sessions
from tests.curate.shelves import add_skill, identity
from tests.flows.command import executions, started, whet
from tests.flows.serving import Serving
from tests.flows.terminal import Terminal
from whet.curate import tags
from whet.testing.model_server import Conversation, ModelServer, Script, Turn

pytestmark = pytest.mark.slow

NAMES = [f"Skill{number}" for number in range(8)]
GONE_ON = ("running", "completed")
SLOW = NAMES[2:]
"""Those whose question is never answered the first time."""

GENERATE = ("baseline", "generate", "--name", "Sums", "--purpose", "code")


def generating(workspace: Path, number: int, **more: str) -> Terminal:
    asked = ("--description", "Add numbers.", "--number", str(number), "--workspace", workspace)
    return Terminal(*GENERATE, *asked, **more)


def saved(workspace: Path) -> list[dict[str, Any]]:
    """The cases of the baselines there are."""
    files = workspace.glob("baselines/*/*/*/cases.json")
    return [case for path in files for case in json.loads(path.read_text())["cases"]]


def test_a_person_keeps_drops_and_edits(tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nsed -i "s/everyday request/my own/" "$1"\n')
    editor.chmod(0o755)
    terminal = generating(tmp_path / "workspace", 4, EDITOR=str(editor))
    terminal.until("Case 1 of 4")
    terminal.until("[q]uit: ")
    terminal.type("e")
    assert "my own" in terminal.until("[q]uit: ")
    terminal.type("k")
    terminal.until("Case 2 of 4")
    terminal.until("[q]uit: ")
    terminal.type("d")
    terminal.until("Case 3 of 4")
    terminal.until("[q]uit: ")
    terminal.type("a")
    code, said = terminal.ended()
    assert (code, "Sums v1" in said) == (0, True)
    cases = saved(tmp_path / "workspace")
    assert [case["id"] for case in cases] == ["case_001", "case_002", "case_003"]
    assert cases[0]["name"] == "my own"
    assert [case["category"] for case in cases] == ["standard", "boundary", "exception"]


def test_who_breaks_it_off_finds_the_draft(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    terminal = generating(workspace, 3, EDITOR="false")
    terminal.until("[q]uit: ")
    terminal.type("e")
    assert "cannot be a case so: false ended" in terminal.until("[q]uit: ")
    terminal.type("q")
    code, said = terminal.ended()
    assert code == 0
    [draft] = workspace.glob("cli/drafts/*.json")
    assert f"whet baseline import {draft}" in said
    assert saved(workspace) == []
    again = whet("baseline", "import", draft, "--workspace", workspace)
    assert again.returncode == 0, again.stderr
    assert len(saved(workspace)) == 3


def turns(name: str, *, hangs: bool) -> tuple[Turn, ...]:
    return (Turn(hang=True),) if hangs else (Turn(text=json.dumps({"tags": [f"tag of {name}"]})),)


@contextmanager
def model(tmp_path: Path, *hanging: str) -> Generator[tuple[ModelServer, dict[str, str]]]:
    """A model behind an API that says nothing to some questions."""
    script = Script(
        conversations=tuple(
            # The digit alone would be found in other questions too.
            Conversation(marker=f"<{name}>", turns=turns(name, hangs=name in hanging))
            for name in NAMES
        )
    )
    with ModelServer(script) as server:
        yield (
            server,
            {
                "OPENAI_BASE_URL": f"{server.url}/v1",
                "OPENAI_API_KEY": "a-key",
                "WHET_WORKSPACE": str(tmp_path / "workspace"),
                "WHET_SCRATCH": str(tmp_path / "scratch"),
            },
        )


ASK = ("skill", "tag", "auto", "--engine", "api", "--model", "openai-chat:gpt-4o", "--yes")


def until_tagged(workspace: Path, process: subprocess.Popen[str], *names: str) -> None:
    """Until these have their tags, and others are waited for."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        are_done = all(tags.tags_of(workspace, identity(name)).auto for name in names)
        if are_done and len(waiting(workspace)) == 4:
            return
        time.sleep(0.02)
    raise AssertionError(process.communicate())


def waiting(workspace: Path) -> list[str]:
    """The skills that a model is being asked about."""
    return [name for name in NAMES for log in logs(workspace, name) if log.status == "running"]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    for name in NAMES:
        add_skill(tmp_path / "workspace", name, text=f"Do <{name}>.")
    return tmp_path / "workspace"


def assert_all_is_well(workspace: Path) -> None:
    for name in NAMES:
        assert pending(workspace, name) == [f"tag of {name}"]
        assert {log.status for log in logs(workspace, name)} <= {"completed", "failed"}
    answered = [address for address, outcome in executions(workspace) if outcome == "answered"]
    assert len(answered) == len({*answered}) == len(NAMES), "nothing was asked twice"


def test_kill_9_in_the_middle_of_a_batch(workspace: Path, tmp_path: Path) -> None:
    with model(tmp_path, *SLOW) as (_, environment):
        process = started(*ASK, *NAMES, **environment)
        until_tagged(workspace, process, *NAMES[:2])
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
    left = waiting(workspace)
    assert left
    # The kill may come when the tags are written, and their log does not yet say so.
    untagged = {name for name in NAMES if not tags.tags_of(workspace, identity(name)).auto}
    assert untagged == {*SLOW}
    with model(tmp_path) as (server, environment):
        done = whet(*ASK, "--untagged", "--json", **environment)
        assert done.returncode == 0, done.stderr
        assert len(server.requests) == len(SLOW)
    assert {asset["name"] for asset in json.loads(done.stdout)["assets"]} == untagged
    assert_all_is_well(workspace)
    for name in {*left} & untagged:
        first, _ = logs(workspace, name)
        assert (first.status, first.parsed_tags) == ("failed", ())
        assert "process ended" in (first.error or "")
    assert sessions(workspace) == {"closed"}


def test_ctrl_c_leaves_complete_logs(workspace: Path, tmp_path: Path) -> None:
    with model(tmp_path, *SLOW) as (_, environment):
        process = started(*ASK, *NAMES, **environment)
        until_tagged(workspace, process, *NAMES[:2])
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        assert time.monotonic() - begun < 10
    assert process.returncode == 130
    assert errors.splitlines()[-1] == (
        "whet: stopped; what was proposed so far waits for your review"
    )
    assert waiting(workspace) == []
    assert sessions(workspace) == {"closed"}
    with model(tmp_path) as (_, environment):
        assert whet(*ASK, "--untagged", **environment).returncode == 0
    assert_all_is_well(workspace)


def test_the_next_server_goes_on_with_what_a_killed_one_was_at(
    workspace: Path, tmp_path: Path
) -> None:
    asked = {"engine": "api", "model": "openai-chat:gpt-4o"}
    with model(tmp_path, *NAMES) as (_, environment):
        with Serving.on(workspace, **environment) as serving:
            body = {**asked, "assets": NAMES[:2], "confirmed": True}
            batch = serving.client.post("/v1/skills/auto-tag", json=body).json()
            body = {**asked, "name": "Sums", "purpose": "code", "description": f"<{NAMES[0]}>"}
            draft = serving.client.post("/v1/baselines/generate", json=body).json()
            for path in (f"skills/auto-tag/{batch['id']}", f"baselines/generate/{draft['id']}"):
                assert serving.client.get(f"/v1/{path}").json()["status"] == "running"
            serving.end(signal.SIGKILL)
        with Serving.on(workspace, **environment) as serving:
            for path in (f"skills/auto-tag/{batch['id']}", f"baselines/generate/{draft['id']}"):
                end = time.monotonic() + 20
                while (found := serving.client.get(f"/v1/{path}").json()["status"]) not in GONE_ON:
                    assert time.monotonic() < end, found
                    time.sleep(0.05)
