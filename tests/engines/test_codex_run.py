"""One whole run of the real program, looked at from all sides."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.engines.codex_trials import (
    CODE_MODEL,
    KEY,
    OWN_MODEL,
    READ_GREET,
    body,
    codex,
    custom,
    greeting,
    native,
    shell,
    trial,
    write,
)
from tests.engines.driving import Run, bench, says, snapshot
from tests.engines.installed import installed
from whet.core.step import Called, Returned, Said
from whet.core.usage import Usage
from whet.testing.model_server import Conversation, Script, Tokens, ToolCall, Turn

pytestmark = pytest.mark.slow

LOOK = 'printenv | sort; mkdir -p "$HOME/.cache/tool" && touch "$TMPDIR/mine" && echo ready'
# The subagent is done when its thread says so; until then its tokens are not all known. The
# pattern does not fit itself, since this command is in a thread, too.
WAIT = 'until grep -qs "task_c[o]mplete" "$CODEX_HOME"/sessions/*/*/*/*; do sleep 0.1; done; exit 3'
PATIENCE = 60_000
"""Milliseconds after which the program no longer waits for a command."""

BAD_PATCH = "*** Begin Patch\n*** Update File: none.txt\n@@\n-a\n+b\n*** End Patch"
AGENT = ToolCall(action="agent", arguments={"prompt": "T-SUBTASK, please."})
SCRIPT = Script(
    conversations=(
        Conversation(
            marker="T-MAIN",
            turns=(
                Turn(text=("I ", "look ", "around."), calls=(shell(LOOK),)),
                Turn(calls=(AGENT,)),
                Turn(calls=(native("exec_command", cmd=WAIT, yield_time_ms=PATIENCE),)),
                Turn(calls=(write("made.txt", "by me\n"),)),
                Turn(calls=(custom("apply_patch", BAD_PATCH),)),
                Turn(
                    text="All done.",
                    usage=Tokens(input=50, output=20, cache_read=30, cache_write=5, reasoning=4),
                ),
            ),
        ),
        Conversation(
            marker="T-SUBTASK",
            turns=(
                Turn(
                    calls=(shell("echo of the subagent > sub.txt"),),
                    usage=Tokens(input=7, output=3),
                ),
                Turn(text="Done below.", usage=Tokens(input=11, output=2)),
            ),
        ),
    )
)


@pytest.fixture(scope="module")
def before_and_after(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Run, dict[str, tuple[int, int]], dict[str, tuple[int, int]]]]:
    folder = tmp_path_factory.mktemp("run")
    with bench(folder, SCRIPT) as made:
        (made.home / ".codex").mkdir()
        (made.home / ".codex/config.toml").write_text('model = "T-USERS-OWN"\n')
        (made.home / ".codex/AGENTS.md").write_text("T-USERS-OWN instructions")
        before = snapshot(folder)
        engine = codex(made, EDITOR="T-USERS-OWN", SECRET_TOKEN="T-USERS-OWN")
        spec = trial(made, "T-MAIN: do it.", model=OWN_MODEL, files={"given.txt": "as it was"})
        run = made.drive(engine, spec)
        yield run, before, snapshot(folder)


@pytest.fixture(scope="module")
def run(
    before_and_after: tuple[Run, dict[str, tuple[int, int]], dict[str, tuple[int, int]]],
) -> Run:
    return before_and_after[0]


def test_it_succeeds(run: Run) -> None:
    assert run.ended.failure is None
    assert run.ended.error is None
    assert run.ended.answer == "All done."
    assert run.ended.conversation
    assert run.said == ["I look around.", "All done."]
    assert run.outputs == {"made.txt": b"by me\n", "sub.txt": b"of the subagent\n"}


def test_calls_have_the_names_that_all_engines_use(run: Run) -> None:
    own = [step for step in run.all(Called) if step.parent is None]
    assert [step.tool for step in own] == ["Bash", "Task", "Bash", "Write", "Edit"]
    assert own[0].params == {"command": LOOK}
    assert own[1].params == {"prompt": "T-SUBTASK, please."}
    path = own[3].params["file_path"]
    assert isinstance(path, str)
    assert Path(path) == run.workdir.work / "made.txt"


def test_calls_come_back_as_they_went(run: Run) -> None:
    calls = [step for step in run.all(Called) if step.parent is None]
    back = [run.returned[step.call_id] for step in calls]
    assert [step.ok for step in back] == [True, True, False, True, False]
    # No event tells of a patch that does not fit.
    assert "none.txt" in back[-1].output or "apply_patch" in back[-1].output
    assert len(run.all(Returned)) == len(run.all(Called))


def test_calls_of_subagents_say_whose_they_are(run: Run) -> None:
    task = next(step for step in run.all(Called) if step.tool == "Task")
    below = [step for step in run.all(Called) if step.parent is not None]
    assert [(step.tool, step.parent) for step in below] == [("Bash", task.call_id)]
    assert below[0].params == {"command": "echo of the subagent > sub.txt"}


def test_steps_are_told_in_their_order_as_they_happen(run: Run) -> None:
    times = [step.at for step in run.steps]
    assert times == sorted(times)
    kinds = [type(step) for step in run.steps if isinstance(step, Said | Called | Returned)]
    assert kinds[:3] == [Said, Called, Returned]
    assert len(set(times)) > 5, "not all at once at the end"


def test_everything_is_charged_and_nobody_invents_a_price(run: Run) -> None:
    assert run.ended.usage == Usage(
        input_tokens=5 * 100 + 50 + 7 + 11,
        output_tokens=5 * 10 + 20 + 3 + 2,
        cache_read_tokens=30,
        cache_write_tokens=5,
        cost_usd=None,
    )
    totals = [usage.total_tokens for usage in run.spent]
    assert len(totals) > 3
    assert totals == sorted(totals)


def test_commands_see_nothing_of_the_users(run: Run) -> None:
    seen = run.all(Returned)[0].output
    assert seen.endswith("ready\n")
    assert KEY not in seen
    assert "T-USERS-OWN" not in seen
    root = run.workdir.root
    assert f"\nHOME={root / 'home'}\n" in seen
    assert f":{installed('codex').parent}:/usr/bin:/bin\n" in seen
    assert f"\nTMPDIR={root / 'tmp'}\n" in seen
    assert "T-USERS-OWN" not in run.sent


def test_only_the_model_is_asked(run: Run) -> None:
    assert {request.path for request in run.requests} == {"/v1/responses"}
    assert {request.headers["authorization"] for request in run.requests} == {f"Bearer {KEY}"}
    assert {str(body(request)["model"]) for request in run.requests} == {OWN_MODEL}
    assert len(run.requests) == 8


def test_nothing_is_written_outside_of_the_run(
    before_and_after: tuple[Run, dict[str, tuple[int, int]], dict[str, tuple[int, int]]],
) -> None:
    run, before, after = before_and_after
    assert before == after
    assert "tmp/mine" in run.files
    assert any(name.startswith("home/.codex/sessions/") for name in run.files)


def test_a_model_whose_tool_is_code(tmp_path: Path) -> None:
    patch = "*** Begin Patch\\n*** Add File: made.txt\\n+by code\\n*** End Patch"
    code = (
        f"const r = await tools.exec_command({{cmd: '{READ_GREET}'}}); text(JSON.stringify(r));"
        f'text(await tools.apply_patch("{patch}"));'
    )
    with bench(tmp_path, says(Turn(calls=(custom("exec", code),)), "Done.")) as made:
        run = made.drive(codex(made), trial(made, "Go.", model=CODE_MODEL, skill=greeting(made)))
    assert run.ended.failure is None
    assert run.tools == ["Bash", "Write"]
    assert all(step.ok for step in run.all(Returned))
    assert run.skills == ["greet"]
    assert run.outputs == {"made.txt": b"by code\n"}


def test_subagents_that_no_event_tells_of(tmp_path: Path) -> None:
    task: dict[str, JsonValue] = {"message": "Look.", "task_name": "one", "fork_turns": "none"}
    command = json.dumps({"cmd": WAIT, "yield_time_ms": PATIENCE})
    wait = f'// @exec: {{"yield_time_ms": {PATIENCE}}}\nawait tools.exec_command({command});'
    script = Script(
        conversations=(
            Conversation(
                marker="T-MAIN",
                turns=(
                    Turn(calls=(native("spawn_agent", "collaboration", **task),)),
                    Turn(calls=(custom("exec", wait),)),
                    Turn(text="Done."),
                ),
            ),
        ),
        default=(
            Turn(calls=(shell("echo x > sub.txt"),), usage=Tokens(input=7, output=3)),
            Turn(text="Done below.", usage=Tokens(input=11, output=2)),
        ),
    )
    with bench(tmp_path, script) as made:
        run = made.drive(codex(made), trial(made, "T-MAIN: go.", model=CODE_MODEL))
    assert (run.ended.failure, run.ended.answer) == (None, "Done.")
    calls = {step.tool: step for step in run.all(Called) if step.parent is None}
    assert set(calls) == {"Task", "Bash"}
    assert calls["Task"].params["prompt"] == "Look."
    assert run.returned[calls["Task"].call_id].ok
    below = [step for step in run.all(Called) if step.parent is not None]
    assert [step.parent for step in below] == [calls["Task"].call_id]
    assert run.ended.usage == Usage(input_tokens=318, output_tokens=35)
