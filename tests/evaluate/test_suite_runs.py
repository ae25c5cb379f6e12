"""Folders of runs: skill-creator's layout, whole or written again, nothing outside."""

import json
import statistics
from collections import defaultdict
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from tests.evaluate.iterations import Iterated, Jury, content, gives_up, met, writes
from tests.evaluate.suites import PYTHON, eval_, suite_at, suite_of
from tests.run.agents import now, raises
from whet.core.errors import EngineFailure, JudgeFailure
from whet.core.failure import Failure
from whet.core.grade import Judgement
from whet.core.step import Ended, Step
from whet.core.trial import TrialSpec
from whet.core.usage import Usage
from whet.documents.evals import Eval
from whet.documents.grading import Grading, StructuralReport
from whet.documents.session import Session
from whet.documents.skill_creator import EvalMetadata, Metrics, Timing
from whet.evaluate.suite_runs import eval_folder
from whet.ports.judge import Submission
from whet.ports.workdir import Workdir
from whet.stores.memory import MemoryStore

ANSWER = writes(answer_py='"""Doc."""\n')
EMPTY = writes()


def iterated(store: MemoryStore, folder: Path, *evals: Any) -> Iterated:
    suite = suite_at(folder / "skill", suite_of(*evals or (eval_(1),)))
    return Iterated(store, suite, folder / "iteration-1")


@pytest.fixture
def one(store: MemoryStore, tmp_path: Path) -> Iterated:
    """A suite with one eval."""
    return iterated(store, tmp_path)


def test_the_layout_of_a_run(one: Iterated) -> None:
    one.run([ANSWER])
    run = one.path("1")
    assert run == one.folder / "eval-1-sharpen-1/with_skill/run-1"
    found = {str(path.relative_to(run)) for path in run.rglob("*") if path.is_file()}
    assert found == {
        *("grading.json", "structural.json", "timing.json", "metrics.json", "eval_metadata.json"),
        *("transcript.md", "session.json", "outputs/metrics.json", "outputs/answer.py"),
    }
    assert (run / "outputs/answer.py").read_text() == '"""Doc."""\n'
    above = EvalMetadata.load(run.parents[1] / "eval_metadata.json")
    assert above == EvalMetadata.load(run / "eval_metadata.json")
    assert (above.eval_id, above.eval_name) == (1, "Sharpen 1")
    assert above.assertions[1:] == ("A docstring says what it does",)
    metrics = Metrics.load(run / "outputs/metrics.json")
    assert metrics == Metrics.load(run / "metrics.json")
    assert metrics.tool_calls == {"Bash": 1, "Write": 1}
    assert (metrics.total_tool_calls, metrics.errors_encountered) == (2, 1)
    assert metrics.output_chars == len('"""Doc."""\n')
    timing = Timing.load(run / "timing.json")
    assert (timing.total_tokens, timing.input_tokens, timing.cost_usd) == (107, 100, 0.5)
    assert timing.total_duration_seconds == timing.duration_ms / 1000
    assert Session.load(run / "session.json").final_answer == "done"
    assert "## Eval Prompt\n\nWrite a Python function" in (run / "transcript.md").read_text()
    assert json.loads((one.folder / "evals.json").read_text()) == suite_of(eval_(1))


def some_missed(_submission: Submission) -> Judgement:
    return met(*[False])


def test_the_grading_of_a_run(one: Iterated) -> None:
    """0.4 × 1 of 2 expectations + 0.6 × (2 × 4/5 + 1/5) / 3 = 0.2 + 0.36."""
    one.run([ANSWER], Jury(some_missed))
    run = one.path("1")
    found = Grading.load(run / "grading.json")
    checked, judged = found.expectations
    assert (checked.text, checked.passed, checked.id) == ("A Python file is there", True, "S1")
    assert (judged.text, judged.passed) == ("A docstring says what it does", False)
    assert (judged.evidence, judged.judged) == ("seen it", True)
    summary = found.summary
    assert (summary.passed, summary.failed, summary.total, summary.pass_rate) == (1, 1, 2, 0.5)
    assert found.rubric_summary is not None
    assert found.rubric_summary.normalized == 0.6
    assert found.rubric_summary.weighted_mean == 3.0
    assert found.overall_efficiency == 0.56
    assert (found.run_status, found.grade_status, found.gate_passed) == (
        "completed",
        "scored",
        True,
    )
    report = StructuralReport.load(run / "structural.json")
    assert (report.gate_passed, report.summary.total) == (True, 1)


def test_a_closed_gate(one: Iterated) -> None:
    """No judge is asked, and what judges would have decided counts as not met."""
    jury = Jury()
    one.run([EMPTY], jury)
    assert jury.asked == 0
    found = Grading.load(one.path("1") / "grading.json")
    assert [e.passed for e in found.expectations] == [False, False]
    assert found.expectations[1].evidence == "not judged: a critical check failed"
    assert (found.gate_passed, found.overall_efficiency) == (False, 0)
    assert found.rubric_scores is None
    assert found.rubric_summary is not None
    assert (found.rubric_summary.normalized, found.rubric_summary.max_possible) == (None, 5)


def silent(_submission: Submission) -> Judgement:
    raise JudgeFailure("no answer")


def test_a_judge_that_failed(one: Iterated) -> None:
    """What was checked stands, and there is no score: not 0."""
    one.run([ANSWER], Jury(silent))
    assert not (one.path("1") / "grading.json").exists(), "other tools would take it for a pass"
    raw = json.loads((one.path("1") / "grading-undecided.json").read_text())
    found = Grading.parse(raw, "grading-undecided.json")
    assert [e.text for e in found.expectations] == ["A Python file is there"]
    assert (found.grade_status, found.error) == ("failed", "no answer")
    assert "overall_efficiency" not in raw
    assert found.rubric_scores is None
    one.run([ANSWER], Jury())
    healed = Grading.load(one.path("1") / "grading.json")
    assert not (one.path("1") / "grading-undecided.json").exists()
    assert (healed.grade_status, healed.error) == ("scored", None)
    assert len(healed.expectations) == 2


def test_an_agent_that_failed(one: Iterated) -> None:
    one.run([gives_up])
    run = one.path("1")
    found = Grading.load(run / "grading.json")
    assert (found.run_status, found.overall_efficiency) == ("failed", 0)
    assert found.error == "too many turns"
    assert [(e.passed, "too many turns" in e.evidence) for e in found.expectations] == [
        (False, True),
        (False, True),
    ]
    assert (found.summary.failed, found.summary.pass_rate) == (2, 0)
    assert not (run / "structural.json").exists()
    assert (run / "outputs").is_dir(), "skill-creator's viewer knows a run by it"


def test_a_run_without_a_record_has_no_folder(one: Iterated) -> None:
    one.run([raises(EngineFailure(Failure.CRASH, "gone"))])
    assert not list(one.folder.rglob("run-*"))
    assert (one.path("1").parents[1] / "eval_metadata.json").is_file()
    assert not one.metrics


@pytest.mark.parametrize("name", ["metrics_json", "metrics_json__deep_txt"])
def test_an_agent_that_makes_metrics_of_its_own(one: Iterated, name: str) -> None:
    """They are an output like any other, and ours lie beside the outputs."""
    one.run([writes(answer_py="x", **{name: "mine"})])
    run = one.path("1")
    path = name.replace("__", "/").replace("_", ".")
    assert (run / "outputs" / path).read_text() == "mine"
    assert Metrics.load(run / "metrics.json").total_tool_calls == 2
    assert Grading.load(run / "grading.json").overall_efficiency is not None


def test_an_output_cannot_leave(one: Iterated) -> None:
    """Even a record that was tampered with: a file is refused where it is read."""
    one.run([ANSWER])
    row = one.rows[0]
    assert row.record is not None
    data = json.loads(row.record.model_dump_json())
    for path in ("../../escaped", "/tmp/escaped", "a/../../escaped"):
        data["outputs"][0]["path"] = path
        with pytest.raises(ValueError, match="path"):
            type(row.record).model_validate_json(json.dumps(data))


FILES = (
    *("grading.json", "metrics.json", "eval_metadata.json", "timing.json", "session.json"),
    *("transcript.md", "structural.json", "outputs/answer.py"),
)


@pytest.mark.parametrize("lost", FILES)
def test_what_is_lost_is_written_again(one: Iterated, lost: str) -> None:
    one.run([ANSWER])
    path = one.path("1") / lost
    whole = path.read_bytes()
    path.unlink()
    one.write()
    assert path.read_bytes() == whole


@pytest.mark.parametrize("broken", ["grading.json", "metrics.json"])
def test_half_a_file_is_written_again(one: Iterated, broken: str) -> None:
    """As a power cut leaves it."""
    one.run([ANSWER])
    path = one.path("1") / broken
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    one.write()
    assert path.read_bytes() == whole


def test_what_is_whole_is_left_alone(one: Iterated) -> None:
    one.run([ANSWER])
    before = {path: path.stat().st_mtime_ns for path in one.path("1").rglob("*")}
    known = dict(one.metrics)
    one.write()
    assert {path: path.stat().st_mtime_ns for path in one.path("1").rglob("*")} == before
    assert one.metrics == known


def named(identity: int | str, name: str = "n") -> str:
    return eval_folder(Eval(id=identity, name=name, prompt="p"))


def test_the_names_of_folders() -> None:
    assert named(1, "Two words!") == "eval-1-two-words"
    assert named("basic-use", "A name") == "eval-basic-use--a-name"
    assert eval_folder(Eval(id=3, prompt="Do it.")) == "eval-3-do-it"
    assert named("磨刀", "刀") == "eval-磨刀-刀"


def test_no_two_evals_share_a_folder() -> None:
    pairs: list[tuple[int | str, str]] = [
        *((1, "2 n"), ("1-2", "n"), (-1, "2 n"), ("1 2", "n"), ("1/2", "n"), ("1.2", "n")),
        *(("../x", "n"), ("x", "n"), ("X", "n"), ("..", "n"), ("/", "n"), ("x" * 60, "n")),
        *(("x" * 61, "n"), ("刀" * 48, "刀" * 48), ("刀" * 47, "刀" * 48), ("\0", "n")),
    ]
    names = [named(identity, name) for identity, name in pairs]
    assert len(set(names)) == len(pairs)
    for name in names:
        assert name.startswith("eval-")
        assert "/" not in name
        assert len(name.encode()) <= 255


async def reports_nothing(_spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
    """An engine that reports no tokens."""
    (workdir.work / "answer.py").write_text("x")
    yield Ended(now(), "done", Usage())


def test_tokens_that_nobody_reports_are_unknown(one: Iterated) -> None:
    one.run([reports_nothing, reports_nothing, ANSWER, ANSWER], Jury(), runs=2)
    for row in one.rows:
        folder = one.path("1", row.cell.arm.id, row.cell.attempt)
        timing = json.loads((folder / "timing.json").read_text())
        session = json.loads((folder / "session.json").read_text())
        assert row.record is not None
        if row.record.usage == Usage():
            assert timing["total_tokens"] is None
            assert not {"input_tokens", "output_tokens"} & {*timing, *session}
        else:
            assert timing["total_tokens"] == row.record.usage.total_tokens > 0
            assert session["output_tokens"] == 7
    made = one.benchmark(2)
    spent = {run.result.tokens for run in made.runs}
    assert None in spent
    assert 0 not in spent
    summaries = [made.run_summary.with_skill, made.run_summary.without_skill]
    means = [each.tokens.mean if each and each.tokens else None for each in summaries]
    assert all(mean is None or mean > 100 for mean in means)
    assert any("report no tokens" in note for note in made.notes)


def read_as_skill_creator(iteration: Path) -> dict[str, list[dict[str, Any]]]:
    """The runs of each configuration, by the rules of skill-creator's aggregator."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for folder in sorted(iteration.glob("eval-*")):
        identity = json.loads((folder / "eval_metadata.json").read_text())["eval_id"]
        for run in sorted(folder.glob("*/run-*")):
            if not (run / "grading.json").exists():
                continue
            grading = json.loads((run / "grading.json").read_text())
            seconds = grading.get("timing", {}).get("total_duration_seconds", 0.0)
            tokens = 0
            if seconds == 0.0:
                timing = json.loads((run / "timing.json").read_text())
                seconds, tokens = timing["total_duration_seconds"], timing["total_tokens"]
            metrics = grading.get("execution_metrics", {})
            found[run.parent.name].append(
                {
                    "place": (identity, int(run.name.split("-")[1])),
                    "pass_rate": grading["summary"]["pass_rate"],
                    "time_seconds": seconds,
                    "tokens": tokens or metrics["output_chars"],
                    "tool_calls": metrics["total_tool_calls"],
                    "errors": metrics["errors_encountered"],
                }
            )
            for expectation in grading["expectations"]:
                assert expectation.keys() >= {"text", "passed", "evidence"}
            assert grading.get("user_notes_summary", {}) is not None
    return found


def stats(values: list[float]) -> dict[str, float]:
    spread = statistics.stdev(values) if len(values) > 1 else 0.0
    numbers = (statistics.fmean(values), spread, min(values), max(values))
    return dict(zip(("mean", "stddev", "min", "max"), (round(n, 4) for n in numbers), strict=True))


def some_met(submission: Submission) -> Judgement:
    """One of three expectations, so that a rate has no end."""
    judgement = content(submission)
    first, *others = judgement.expectations
    failed = [one.model_copy(update={"passed": False}) for one in others]
    return judgement.model_copy(update={"expectations": (first, *failed)})


def test_skill_creator_reads_the_same_numbers(store: MemoryStore, tmp_path: Path) -> None:
    """Thirds, twelfths, closed gates and an agent that gave up, over three runs of each."""
    three: list[JsonValue] = ["one", "two", "three"]
    other: JsonValue = {**PYTHON, "id": "S2", "pattern": "b.*", "critical": False}
    iterations = iterated(
        store,
        tmp_path,
        eval_(1, structural_expectations=[], expectations=three),
        eval_("two", expectations=three),
        eval_(3, structural_expectations=[PYTHON, other]),
        # Nothing but a rubric, and nothing but a description of good work.
        eval_(4, structural_expectations=[], expectations=[]),
        eval_(5, structural_expectations=[], expectations=[], quality_rubric=None),
    )
    scripts = [ANSWER, EMPTY, writes(b_py="x"), ANSWER, gives_up, ANSWER, ANSWER]
    iterations.run([*scripts, gives_up, ANSWER], Jury(some_met), runs=3)
    made = iterations.benchmark(3)
    read = read_as_skill_creator(iterations.folder)
    assert {who: len(runs) for who, runs in read.items()} == {"with_skill": 15, "without_skill": 15}
    for who, runs in read.items():
        summary = getattr(made.run_summary, who)
        for measure in ("pass_rate", "time_seconds", "tokens"):
            expected = stats([run[measure] for run in runs])
            assert getattr(summary, measure).to_data() == pytest.approx(expected, abs=1e-9)
        ours = {
            (run.eval_id, run.run_number): run.result
            for run in made.runs
            if run.configuration == who
        }
        for run in runs:
            result = ours[run["place"]]
            for measure in ("pass_rate", "time_seconds", "tokens", "tool_calls", "errors"):
                assert getattr(result, measure) == pytest.approx(run[measure], abs=5e-5)
    assert all(run.result.total > 0 for run in made.runs)
    told = json.loads(next(iterations.folder.glob("eval-5*/eval_metadata.json")).read_text())
    assert told["assertions"] == ["A sharp knife."]
    assert len({run["pass_rate"] for runs in read.values() for run in runs}) > 3


def test_skill_creator_reads_the_same_numbers_where_a_judge_failed(
    store: MemoryStore, tmp_path: Path
) -> None:
    """What nobody decided is no failure and no pass, in its numbers and in ours."""
    asked = 0

    def sometimes(submission: Submission) -> Judgement:
        nonlocal asked
        asked += 1
        return silent(submission) if asked % 3 == 1 else some_met(submission)

    three: list[JsonValue] = ["one", "two", "three"]
    iterations = iterated(
        store,
        tmp_path,
        eval_(1, structural_expectations=[], expectations=three),
        eval_(2, expectations=three),
        eval_(3, structural_expectations=[], expectations=three, quality_rubric=None),
    )
    iterations.run([ANSWER] * 18, Jury(sometimes), runs=3)
    made = iterations.benchmark(3)
    read = read_as_skill_creator(iterations.folder)
    assert sum(map(len, read.values())) == 12
    for who, runs in read.items():
        summary = getattr(made.run_summary, who)
        for measure in ("pass_rate", "time_seconds", "tokens"):
            expected = stats([run[measure] for run in runs])
            assert getattr(summary, measure).to_data() == pytest.approx(expected, abs=1e-9)
    assert any("nobody decided" in note for note in made.notes)
