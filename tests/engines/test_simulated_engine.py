"""The agent at work: determinism, steps, files and prompts that mean harm."""

import ast
import asyncio
import json
import math
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engines.simulation import FIBONACCI, execute, lay_out, run, spec
from whet.core.errors import EngineFailure
from whet.core.failure import Failure
from whet.core.step import Called, Ended, Returned
from whet.core.tokens import estimate
from whet.core.trial import TrialSpec
from whet.engines.simulated import SimulatedEngine
from whet.ports.engine import Engine
from whet.shell.sandbox import probe

CHECKING = "Run the code before you answer. Write unit tests. Output only the code."
ENGINE: Engine = SimulatedEngine()


def test_it_says_what_it_is() -> None:
    assert (ENGINE.name, ENGINE.simulated, ENGINE.version({})) == ("simulated", True, "1")


@pytest.mark.parametrize("skill", [None, "Use type hints.", CHECKING])
def test_equal_addresses_give_equal_work_in_any_folder(skill: str | None) -> None:
    for attempt in (1, 2, 3):
        first, second = run(skill, attempt=attempt), run(skill, attempt=attempt)
        assert first.without_times == second.without_times
        assert first.outputs == second.outputs


def test_another_attempt_is_another_draw() -> None:
    traces = [run("Use type hints.", attempt=attempt) for attempt in range(1, 13)]
    assert len({trace.outputs["solution.py"] for trace in traces}) > 4


def test_steps_are_whole_and_in_order() -> None:
    trace = run(CHECKING)
    calls = [step for step in trace.steps if isinstance(step, Called)]
    answers = [step for step in trace.steps if isinstance(step, Returned)]
    assert [call.call_id for call in calls] == [f"tool-{n:03d}" for n in range(1, len(calls) + 1)]
    assert [call.call_id for call in calls] == [answer.call_id for answer in answers]
    assert sum(isinstance(step, Ended) for step in trace.steps) == 1
    assert all(call.description for call in calls)
    assert all(answer.display for answer in answers)
    times = [step.at for step in trace.steps]
    assert times == sorted(times)
    assert calls[0].tool == "Read"
    assert calls[0].params == {"file_path": "../skill/content.txt"}
    json.dumps([dict(call.params) for call in calls])


def test_what_it_writes_is_what_it_says_it_writes() -> None:
    trace = run("Write unit tests.")
    written = {
        call.params["file_path"]: call.params["content"]
        for call in trace.steps
        if isinstance(call, Called) and call.tool == "Write"
    }
    assert written == {path: data.decode() for path, data in trace.outputs.items()}
    assert "solution.py" in written


def test_usage_counts_what_was_read_and_written() -> None:
    skill = "Use type hints. " * 20
    with_skill, without = run(skill).end.usage, run(None).end.usage
    assert without.input_tokens == math.ceil(len(FIBONACCI) / 4)
    assert with_skill.input_tokens == without.input_tokens + estimate(skill)
    assert with_skill.output_tokens > 0
    assert with_skill.cost_usd == 0.0
    assert estimate("中文" * 3) == 4


def test_without_a_skill_nothing_is_read() -> None:
    trace = run(None)
    assert trace.tools[0] == "Write"
    assert "Bash" not in trace.tools


def test_a_chinese_prompt_gets_chinese_words() -> None:
    traces = [run("写注释。", "写一个斐波那契函数", attempt=k) for k in range(1, 9)]
    assert any("斐波那契" in trace.outputs["solution.py"].decode() for trace in traces)


@pytest.mark.slow
def test_a_slip_is_found_and_mended_only_by_running_the_code() -> None:
    traces = [run("Run the code before you answer.", attempt=attempt) for attempt in range(1, 31)]
    mended = [trace for trace in traces if "Edit" in trace.tools]
    assert mended
    for trace in mended:
        assert trace.tools[-3:] == ["Bash", "Edit", "Bash"]
        results = [step.ok for step in trace.steps if isinstance(step, Returned)]
        assert results[-3:] == [False, True, True]
        failed = next(s for s in trace.steps if isinstance(s, Returned) and not s.ok)
        assert failed.output.startswith("NameError: name ")
        assert set(trace.outputs) <= {"solution.py", "test_solution.py"}


def test_no_process_is_started_by_a_skill_that_does_not_ask_for_it() -> None:
    traces = [run("Add docstrings. Write tests.", attempt=attempt) for attempt in range(1, 40)]
    assert all("Bash" not in trace.tools for trace in traces)


def test_references_that_the_skill_mentions_are_read() -> None:
    files = {
        "SKILL.md": "---\nname: x\n---\nSee references/style.md for the style.\n",
        "references/style.md": "Run the code before you answer.\n",
        "references/other.md": "Never run the code.\n",
    }
    trace = asyncio.run(execute(spec(files), files))
    reads = [s.params.get("file_path") for s in trace.steps if isinstance(s, Called)][:3]
    assert reads[:2] == ["../skill/SKILL.md", "../skill/references/style.md"]
    assert reads[2] == "solution.py"


def test_input_files_are_read_and_never_overwritten() -> None:
    inputs = {"solution.py": "print('mine')\n", "data.txt": "one\ntwo\n"}
    trace = asyncio.run(execute(spec(None, inputs=inputs), None, inputs))
    shown = [step.display for step in trace.steps if isinstance(step, Returned)]
    assert shown[:2] == ["Read 1 line", "Read 2 lines"]
    assert list(trace.outputs) == ["solution_1.py"]


def test_an_input_file_cannot_pass_itself_off_as_a_module() -> None:
    impostors = ("json.py", "runpy.py", "tempfile.py")
    inputs: dict[str, str] = dict.fromkeys(impostors, "open('owned', 'w')\n")
    trial = spec("Run the code.", "Read a JSON file", inputs=inputs)
    trace = asyncio.run(execute(trial, "Run the code.", inputs))
    assert "Bash" in trace.tools
    assert "owned" not in trace.outputs


def test_it_stops_at_the_limit_of_turns() -> None:
    trace = asyncio.run(execute(spec("Be kind.", max_turns=1), "Be kind."))
    assert trace.tools == ["Read"]
    assert trace.end.failure is Failure.MAX_TURNS
    assert trace.outputs == {}


def test_a_skill_that_cannot_be_read_is_a_crash() -> None:
    with pytest.raises(EngineFailure, match=r"content\.txt") as caught:
        asyncio.run(execute(spec("Be kind."), {"other.txt": "x"}))
    assert caught.value.kind is Failure.CRASH


@pytest.mark.skipif("bubblewrap" not in probe(), reason="no bubblewrap on this machine")
def test_the_code_is_run_inside_the_sandbox_of_the_trial() -> None:
    trial = spec("Run the code.").model_copy(update={"sandbox": "bubblewrap"})
    trial = TrialSpec.model_validate(trial.model_dump())
    trace = asyncio.run(execute(trial, "Run the code."))
    assert trace.tools[-1] == "Bash"
    assert [step.ok for step in trace.steps if isinstance(step, Returned)][-1]


HOSTILE = [
    "'''\nimport os\nos.system('true')\n'''",
    '"""\nimport os\n"""',
    "x\\",
    "\\'; import os; '",
    "{__import__('os')}",
    "%s {0} {} ‹: int› <doc> <guards>",
    "\r\nimport os\r\n\x0cimport os\x1c\x85\u2028import os",
    "# -*- coding: utf-7 -*-\n+AGkAbQBwAG8AcgB0-",
    "    return results",
    "TASK = 1\x00",
    "x" * 1_000_000,
    "斐" * 1_000_000,
]


@pytest.mark.parametrize("prompt", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_prompt_stays_a_literal(prompt: str) -> None:
    for attempt in range(1, 6):
        source = run(None, prompt, attempt=attempt).outputs["solution.py"]
        assert_only_data(source)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80))
def test_any_prompt_stays_a_literal(prompt: str) -> None:
    assert_only_data(run(None, prompt).outputs["solution.py"])


def assert_only_data(source: bytes) -> None:
    tree = ast.parse(source)
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    kinds = [type(node) for node in tree.body]
    assert kinds[:2] == [ast.Assign, ast.FunctionDef]
    assert kinds[2:] in ([], [ast.If])
    assert isinstance(tree.body[0], ast.Assign)
    value = tree.body[0].value
    assert isinstance(value, ast.Constant)
    assert isinstance(value.value, str)
    assert len(value.value) <= 60


def test_a_trial_without_processes_is_fast(tmp_path: Path) -> None:
    skill = "Use type hints. Be concise."
    workdir = lay_out(tmp_path / "execution", skill, {})
    trials = [spec(skill, attempt=attempt) for attempt in range(1, 21)]

    async def all_of_them() -> float:
        begun = time.process_time()
        for trial in trials:
            async for _ in SimulatedEngine().run(trial, workdir):
                pass
        return (time.process_time() - begun) / len(trials)

    # The best of a few, and several times what it takes: other work goes on beside a test.
    assert min(asyncio.run(all_of_them()) for _ in range(5)) < 0.001
