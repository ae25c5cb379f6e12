"""Shapes that older programs wrote are read, and written in the present one."""

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from tests.documents.inventory import exact
from whet.core.errors import InvalidDocument
from whet.documents.assets import Change, HistoryRecord
from whet.documents.capability import CapabilityCaseSet
from whet.documents.cases import BaselineCases
from whet.documents.evals import Eval
from whet.documents.evolution import Candidate, IterationReport, RoundSummary
from whet.documents.grading import EvalFeedback, Grading, StructuralReport
from whet.documents.project import ProjectConfig
from whet.documents.result import CaseResult
from whet.documents.rubrics import RubricDimension
from whet.documents.session import Session, ToolCallRange

FIXTURES = Path(__file__).parent / "fixtures"


def example(name: str) -> Any:
    return json.loads((FIXTURES / f"{name}.json").read_text("utf-8"))


def test_a_bare_list_of_cases_with_case_ids() -> None:
    present = example("workspace/cases")
    older: JsonValue = [
        {"case_id": case.pop("id"), **case} for case in example("workspace/cases")["cases"]
    ]

    cases = BaselineCases.parse(older, "cases.json")

    assert exact(cases.to_data()) == exact({**present, "baseline_id": ""})


def test_a_wrong_case_in_a_bare_list_is_named_by_its_place() -> None:
    older = example("workspace/cases")["cases"]
    older[1]["category"] = "easy"

    with pytest.raises(InvalidDocument) as caught:
        BaselineCases.parse(older, "cases.json")

    assert caught.value.field == "[1].category"


def test_a_paused_project() -> None:
    config = ProjectConfig.parse({**example("workspace/project_config"), "status": "paused"}, "p")

    assert (config.status, config.control) == ("interrupted", "paused")


def test_scores_that_are_null() -> None:
    result = CaseResult.parse({**example("workspace/case_result"), "scores": None}, "r")

    assert exact(result.scores.to_data()) == exact(
        dict.fromkeys(example("workspace/case_result")["scores"])
    )


def test_a_history_that_only_counts_cases() -> None:
    data = example("workspace/history_record")
    data["diff"] = {"cases": {"before": "3 cases", "after": "4 cases"}}

    record = HistoryRecord.parse(data, "h")

    assert record.diff.cases == Change(before="3 cases", after="4 cases")
    assert exact(record.to_data()) == exact(data)


def test_a_history_of_cases() -> None:
    data = example("workspace/history_record")
    data["diff"] = {"cases": {"case_001": {"before": None, "after": {"id": "case_001"}}}}

    record = HistoryRecord.parse(data, "h")

    assert record.diff.cases == {"case_001": Change(before=None, after={"id": "case_001"})}


@pytest.mark.parametrize(("reason", "detail"), [("paused", None), ("error", "error")])
def test_stop_reasons_outside_the_format(reason: str, detail: str | None) -> None:
    data = {**example("workspace/iteration_report"), "stop_reason": reason}

    report = IterationReport.parse(data, "r")

    assert (report.stop_reason, report.stop_detail) == ("manual", detail)


def test_a_round_without_its_strategy() -> None:
    data = example("workspace/iteration_report")["rounds"][1]

    assert RoundSummary.parse(data, "r").strategy is None


def test_a_candidate_that_failed_before_it_was_scored() -> None:
    data: JsonValue = {
        "strategy": "GREEDY",
        "skill_id": None,
        "avg_score": None,
        "won": False,
        "error": "timeout",
    }

    candidate = Candidate.parse(data, "c")

    assert candidate.score_breakdown == {}
    assert exact(candidate.to_data()) == exact(data)


def test_evals_that_call_things_otherwise() -> None:
    data: JsonValue = {
        "id": "a",
        "prompt": "p",
        "assertions": ["it works"],
        "rubric": {"dimensions": []},
    }

    task = Eval.parse(data, "e")

    assert exact(task.to_data()) == exact(
        {
            "id": "a",
            "prompt": "p",
            "expectations": ["it works"],
            "quality_rubric": {"dimensions": []},
        }
    )


def test_anchors_of_a_dimension() -> None:
    dimension = RubricDimension.parse({"name": "n", "anchors": {"1": "bad"}, "weight": 2}, "d")

    assert exact(dimension.to_data()) == exact({"name": "n", "scoring": {"1": "bad"}, "weight": 2})


def test_rubric_scores_as_a_list() -> None:
    data = example("skill_eval/grading")
    scores = data["rubric_scores"]
    data["rubric_scores"] = [{"dimension": name, **score} for name, score in scores.items()]

    grading = Grading.parse(data, "g")

    assert exact(grading.to_data()) == exact(example("skill_eval/grading"))


def test_a_list_of_rubric_scores_without_names_is_refused() -> None:
    data = example("skill_eval/grading")
    data["rubric_scores"] = [{"score": 4, "evidence": ""}]

    with pytest.raises(InvalidDocument, match="neither a dimension nor a name"):
        Grading.parse(data, "g")


def test_feedback_as_a_list() -> None:
    feedback = EvalFeedback.parse([{"reason": "r"}], "f")

    assert exact(feedback.to_data()) == exact({"suggestions": [{"reason": "r"}], "overall": ""})


def test_a_gate_inside_the_summary() -> None:
    present = example("skill_eval/structural")
    older = example("skill_eval/structural")
    older["summary"]["gate_passed"] = older.pop("gate_passed")

    assert exact(StructuralReport.parse(older, "s").to_data()) == exact(present)


@pytest.mark.parametrize("older", [["a", "b"], {"start": "a", "end": "b"}])
def test_ranges_of_calls(older: JsonValue) -> None:
    assert ToolCallRange.parse(older, "r") == ToolCallRange(start_call_id="a", end_call_id="b")


def test_a_session_with_its_calls_inside_phases() -> None:
    data = example("session/simple")
    calls = data.pop("tool_calls")
    del data["user_prompt"]
    data["phases"] = [
        {"phase_id": "p1", "phase_type": "explore", "tool_calls": calls[:1]},
        {"phase_id": "p2", "phase_type": "verify", "tool_call_ids": ["tool-002"]},
        {"phase_id": "p3", "phase_type": "verify", "tool_calls": calls[1:]},
    ]

    session = Session.parse(data, "s")

    assert [call.call_id for call in session.tool_calls] == ["tool-001", "tool-002"]
    assert session.user_prompt == ""


def test_a_bare_list_of_capability_cases() -> None:
    cases = example("capability/case_set")["cases"]

    assert exact(CapabilityCaseSet.parse(cases, "c").to_data()) == exact({"cases": cases})
