"""Any program as an agent."""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.engines.driving import SANDBOX
from whet.core.errors import EnvironmentProblem, UsageError
from whet.core.failure import Failure
from whet.core.step import Ended, Said, Step
from whet.engines.command import CommandEngine
from whet.ports.machine import Machine
from whet.ports.workdir import Workdir
from whet.testing.engine import CHECKS, Subject

AGENT = """
import os, pathlib, sys, time
prompt = sys.stdin.read()
skill = os.environ.get("WHET_SKILL")
text = "".join(file.read_text() for file in pathlib.Path(skill).iterdir()) if skill else ""
pathlib.Path("out.txt").write_text(prompt + text + os.environ["WHET_MODEL"])
print("working", flush=True)
if "for ever" in prompt:
    time.sleep(600)
print("done:", prompt)
"""


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    path = tmp_path / "agent.py"
    path.write_text(AGENT)
    return path


def machine(tmp_path: Path, **environment: str) -> Machine:
    return Machine(
        {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", **environment}, tmp_path
    )


def subject(tmp_path: Path, agent: Path, **options: JsonValue) -> Subject:
    return Subject(
        make=lambda: CommandEngine(machine(tmp_path, PLANTED="planted-value")),
        prompt="Write it down.",
        endless="Work for ever.",
        options={"argv": ["python", str(agent)], **options},
        sandbox=SANDBOX,
        writes="out.txt",
    )


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_it_is_an_engine(check: Callable[[Subject], None], tmp_path: Path, agent: Path) -> None:
    check(subject(tmp_path, agent))


def run(
    tmp_path: Path, agent: Path, prompt: str = "Write it down.", **options: JsonValue
) -> tuple[list[Step], Path]:
    tested = subject(tmp_path, agent, **options)
    engine = tested.make()
    root = tmp_path / "trial"
    (root / "work").mkdir(parents=True)

    async def collect() -> list[Step]:
        spec = tested.spec(engine, prompt)
        return [step async for step in engine.run(spec, Workdir(root, root / "work", None))]

    return asyncio.run(collect()), root / "work"


def ended(steps: list[Step]) -> Ended:
    assert isinstance(steps[-1], Ended)
    return steps[-1]


def test_what_it_prints_is_its_answer(tmp_path: Path, agent: Path) -> None:
    steps, work = run(tmp_path, agent)
    assert [step.text for step in steps if isinstance(step, Said)] == [
        "working",
        "done: Write it down.",
    ]
    assert ended(steps).answer == "working\ndone: Write it down."
    assert (work / "out.txt").read_text() == "Write it down.default"


def test_the_prompt_by_file_and_by_argument(tmp_path: Path, agent: Path) -> None:
    agent.write_text("import os; print(open(os.environ['WHET_PROMPT']).read())")
    assert ended(run(tmp_path / "a", agent, prompt_by="file")[0]).answer == "Write it down."
    agent.write_text("import sys; print(sys.argv[1:])")
    steps, _ = run(tmp_path / "b", agent, "--help", prompt_by="argument")
    assert ended(steps).answer == "['--help']"


@pytest.mark.parametrize("way", ["stdin", "file", "argument"])
def test_a_prompt_with_half_an_emoji_arrives(tmp_path: Path, agent: Path, way: str) -> None:
    agent.write_text(
        "import os, sys; file = os.environ.get('WHET_PROMPT')\n"
        "print(open(file).read() if file else ''.join(sys.argv[1:]) or sys.stdin.read())"
    )
    assert ended(run(tmp_path, agent, "half \ud83d", prompt_by=way)[0]).answer == "half ?"


def test_only_what_is_named_is_passed_on(tmp_path: Path, agent: Path) -> None:
    agent.write_text("import os; print(os.environ.get('PLANTED'))")
    assert ended(run(tmp_path / "a", agent)[0]).answer == "None"
    steps, _ = run(tmp_path / "b", agent, pass_environment=["PLANTED"])
    assert ended(steps).answer == "planted-value"
    with pytest.raises(EnvironmentProblem, match="MISSING is not set"):
        run(tmp_path / "c", agent, pass_environment=["MISSING"])


def test_variables_with_values_reach_it_and_are_secret(tmp_path: Path, agent: Path) -> None:
    agent.write_text("import os; print(os.environ.get('SETTING'), os.environ['WHET_MODEL'])")
    given: JsonValue = {"SETTING": "a made-up value"}
    steps, _ = run(tmp_path / "a", agent, environment=given)
    assert ended(steps).answer == "a made-up value default"
    options: dict[str, JsonValue] = {"argv": ["python"], "environment": given}
    assert "a made-up value" in CommandEngine(machine(tmp_path)).secrets(options)
    with pytest.raises(UsageError, match="WHET_MODEL is set by whet"):
        run(tmp_path / "b", agent, environment={"WHET_MODEL": "another"})


def test_a_failing_program_is_a_crash_with_its_last_words(tmp_path: Path, agent: Path) -> None:
    agent.write_text("import sys; print('half'); sys.exit('out of paper')")
    end = ended(run(tmp_path, agent)[0])
    assert (end.failure, end.error, end.answer) == (
        Failure.CRASH,
        "exit code 1: out of paper",
        "half",
    )


def test_more_than_is_kept_is_said_to_be_cut(tmp_path: Path, agent: Path) -> None:
    agent.write_text("for _ in range(40_000): print('x' * 99)")
    end = ended(run(tmp_path, agent)[0])
    assert end.cut
    assert len(end.answer) <= 1024 * 1024


def test_another_program_is_another_version(tmp_path: Path, agent: Path) -> None:
    engine = CommandEngine(machine(tmp_path))
    options: dict[str, JsonValue] = {"argv": ["python", str(agent)], "readable": [str(tmp_path)]}
    before = engine.version(options)
    assert engine.version(options) == before
    agent.write_text(AGENT + "# changed")
    changed = engine.version(options)
    assert changed != before
    (tmp_path / "beside.py").write_text("x = 1")
    assert engine.version(options) not in (before, changed)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "option argv of engine command"),
        ({"argv": []}, "option argv of engine command"),
        ({"argv": ["a"], "max_turns": 3}, "option max_turns of engine command"),
        ({"argv": ["./agent"]}, "is not an absolute path"),
    ],
)
def test_wrong_options_are_named(
    options: dict[str, JsonValue], message: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=message):
        CommandEngine(machine(tmp_path)).version(options)


def test_a_missing_program_is_named(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="no-such-agent: command not found"):
        CommandEngine(machine(tmp_path)).version({"argv": ["no-such-agent"]})


def test_a_file_without_end_is_no_part_of_the_version(tmp_path: Path) -> None:
    engine = CommandEngine(machine(tmp_path))
    plain = engine.version({"argv": ["python"]})
    assert engine.version({"argv": ["python", "/dev/zero"]}) == plain
    assert engine.version({"argv": ["python"], "readable": ["/dev/zero"]}) == plain
