"""The options of a trial, as the real program carries them out."""

from pathlib import Path
from shutil import which

import pytest
from pydantic import JsonValue

from tests.engines.driving import Bench, Run, bench, says
from tests.engines.gemini_trials import GREET, bash, call, gemini, several, tools_offered, trial
from whet.core.errors import UsageError
from whet.core.failure import Failure
from whet.core.request import Reply, Request
from whet.core.trial import TrialSpec
from whet.testing import mcp_server
from whet.testing.model_server import Conversation, Script, Turn

SCRIPT = Script(
    conversations=(
        Conversation(
            marker="USE-TOOLS",
            turns=(
                Turn(
                    calls=(
                        call("mcp_my_sums_add", a=41, b=1),
                        call("write_file", file_path="a.txt", content="x"),
                        bash('test "$OF_MINE" = handed-on'),
                    )
                ),
                Turn(text="Done."),
            ),
        ),
        Conversation(
            marker="GO-ON",
            turns=(
                *(Turn(calls=(bash(f"echo {number}"),)) for number in range(4)),
                Turn(text="Never said."),
            ),
        ),
    )
)


@pytest.mark.slow
def test_tools_servers_turns_flags_and_variables(tmp_path: Path) -> None:
    with bench(tmp_path, SCRIPT) as made:
        served = mcp_server.as_option(which("python3", path="/usr/local/bin:/usr/bin:/bin") or "")
        starts = 'test "$SUMS" = by-hand && exec "$0" "$@"'
        server: dict[str, JsonValue] = {
            "command": "sh",
            "args": ["-c", starts, served["command"], *served["args"]],
            "env": {"SUMS": "by-hand"},
        }
        engine = gemini(made, OF_MINE="handed-on")
        spec = trial(
            made,
            "USE-TOOLS",
            skill=made.package({"SKILL.md": GREET}),
            allowed_tools=["Read", "Bash"],
            mcp_servers={"my_sums": server},
            pass_environment=["OF_MINE"],
            extra_flags=["--debug"],
        )
        run = made.drive(engine, spec)
        limited = made.drive(engine, trial(made, "GO-ON", model="default", max_turns=2))
    added, write, shell = run.returned.values()
    assert run.ended.failure is None
    assert set(tools_offered(run.requests[0])) >= {"read_file", "run_shell_command"}
    assert set(tools_offered(run.requests[0])) <= {
        *("read_file", "run_shell_command", "activate_skill"),
        *("mcp_my_sums_add", "mcp_my_sums_lookup"),
    }
    assert run.tools == ["mcp__my_sums__add", "Write", "Bash"]
    assert (added.ok, added.output) == (True, "41 + 1 = 42")
    assert (write.ok, shell.ok) == (False, True)
    assert "a.txt" not in run.outputs
    assert limited.ended.failure is Failure.MAX_TURNS
    assert limited.ended.error
    # The program's own default would ask another model first.
    assert ["-pro" in request.path for request in limited.requests] == [True, True]
    assert (len(limited.requests), limited.ended.usage.output_tokens) == (2, 20)


@pytest.mark.slow
def test_six_at_once_have_each_its_own_model_and_skill(tmp_path: Path) -> None:
    numbers = range(6)
    script = Script(
        conversations=tuple(
            Conversation(
                marker=f"TASK-{number}.",
                turns=(
                    Turn(calls=(call("activate_skill", name=f"skill-{number}"),)),
                    Turn(text=f"Done {number}."),
                ),
            )
            for number in numbers
        )
    )
    with bench(tmp_path, script) as made:
        runs = several(made, [_numbered(made, number) for number in numbers], at_once=6)
        for number, run in zip(numbers, runs, strict=True):
            assert isinstance(run, Run)
            assert (run.ended.answer, run.skills) == (f"Done {number}.", [f"skill-{number}"])
            for request in made.server.requests_for(f"TASK-{number}."):
                assert f"models/gemini-model-{number}:" in request.path
                body = (request.body or b"").decode()
                assert [each for each in numbers if f"About {each}-" in body] == [number]


def _numbered(made: Bench, number: int) -> TrialSpec:
    text = f"---\nname: skill-{number}\ndescription: About {number}-things\n---\nDo {number}."
    skill = made.package({"SKILL.md": text})
    return trial(made, f"TASK-{number}.", model=f"gemini-model-{number}", skill=skill)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["", "auto", "auto-gemini-2.5"])
def test_a_model_must_be_named(tmp_path: Path, model: str) -> None:
    with bench(tmp_path, says("Hello.")) as made:
        with pytest.raises(UsageError, match="needs the name of a model"):
            made.drive(gemini(made), trial(made, "Hello?", model=model))
        assert not made.server.requests


def test_what_it_cannot_do_is_refused(tmp_path: Path) -> None:
    async def never(_request: Request) -> Reply:
        raise AssertionError("nobody asks")

    with bench(tmp_path, says("Hello.")) as made:
        with pytest.raises(UsageError, match="JSON Schema"):
            made.drive(gemini(made), trial(made, "Hello?", output_schema={"type": "object"}))
        with pytest.raises(UsageError, match="let somebody answer"):
            made.drive(gemini(made), trial(made, "Hello?"), never)
        with pytest.raises(UsageError, match="8 MiB"):
            made.drive(gemini(made), trial(made, "x" * (8 * 1024 * 1024 + 1)))
        assert not made.server.requests
