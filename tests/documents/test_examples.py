"""Every example of the published formats loads, and is written back unchanged."""

import json
from pathlib import Path
from typing import cast

import pytest

from tests.documents.inventory import exact
from whet.documents.assets import (
    AutoTagLog,
    BaselineMeta,
    HistoryRecord,
    Provenance,
    SkillMeta,
    Tags,
)
from whet.documents.base import Document
from whet.documents.benchmark import Benchmark, RunSummary
from whet.documents.capability import CapabilityCaseSet
from whet.documents.cases import BaselineCases
from whet.documents.checks import Check
from whet.documents.evals import EvalFeedbackAggregate, EvalSuite
from whet.documents.evolution import AnalysisReport, ExplorationLog, IterationReport, RoundConfig
from whet.documents.grading import Grading, StructuralReport
from whet.documents.job import InputProperty, InputSchema, RunnerManifest
from whet.documents.leaderboard import LeaderboardGroup, LeaderboardRecord, SkillTestSummary
from whet.documents.project import ProjectConfig
from whet.documents.result import CaseResult, Summary
from whet.documents.rubrics import QualityRubric
from whet.documents.session import Session, ToolResult
from whet.documents.settings import CliSettings, TempSession

FIXTURES = Path(__file__).parent / "fixtures"

EXAMPLES: dict[str, type[Document]] = {
    "workspace/skill_meta": SkillMeta,
    "workspace/tags": Tags,
    "workspace/history_record": HistoryRecord,
    "workspace/auto_tag_log": AutoTagLog,
    "workspace/baseline_meta": BaselineMeta,
    "workspace/cases": BaselineCases,
    "workspace/project_config": ProjectConfig,
    "workspace/case_result": CaseResult,
    "workspace/summary": Summary,
    "workspace/analysis_report": AnalysisReport,
    "workspace/provenance": Provenance,
    "workspace/round_config": RoundConfig,
    "workspace/iteration_report": IterationReport,
    "workspace/exploration_log": ExplorationLog,
    "workspace/cli_settings": CliSettings,
    "workspace/temp_session": TempSession,
    "workspace/leaderboard_record": LeaderboardRecord,
    "workspace/leaderboard_group": LeaderboardGroup,
    "workspace/skill_test_summary": SkillTestSummary,
    "skill_eval/evals": EvalSuite,
    "skill_eval/structural_expectation": Check,
    "skill_eval/quality_rubric": QualityRubric,
    "skill_eval/structural": StructuralReport,
    "skill_eval/grading": Grading,
    "skill_eval/benchmark": Benchmark,
    "skill_eval/eval_feedback_aggregate": EvalFeedbackAggregate,
    "session/simple": Session,
    "session/annotated": Session,
    "capability/case_set": CapabilityCaseSet,
    "capability/original_set": CapabilityCaseSet,
    "job/runner": RunnerManifest,
    "job/input_schema": InputSchema,
}

PARTS = {"skill_eval/benchmark_run_summary"}
"""Examples that show only a part of their document."""

OPEN = ToolResult | InputProperty
"""Formats that leave it to whoever writes them which further keys there are."""


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_is_written_back_unchanged(name: str) -> None:
    path = FIXTURES / f"{name}.json"

    document = EXAMPLES[name].load(path)

    original = json.loads(path.read_text("utf-8"))
    assert exact(document.to_data()) == exact(original)
    assert exact(json.loads(document.to_json())) == exact(original)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_key_of_an_example_is_declared(name: str) -> None:
    document = EXAMPLES[name].load(FIXTURES / f"{name}.json")

    assert undeclared(document) == []


def test_run_summary_example() -> None:
    path = FIXTURES / "skill_eval" / "benchmark_run_summary.json"
    original = json.loads(path.read_text("utf-8"))["run_summary"]

    summary = RunSummary.parse(original, str(path))

    assert exact(summary.to_data()) == exact(original)
    assert undeclared(summary) == []


def test_no_fixture_is_forgotten() -> None:
    present = {str(path.relative_to(FIXTURES).with_suffix("")) for path in FIXTURES.rglob("*.json")}

    assert present == EXAMPLES.keys() | PARTS


def undeclared(value: object) -> list[str]:
    """Keys that are only there because unknown ones are kept."""
    match value:
        case dict():
            inner = [*cast("dict[str, object]", value).values()]
        case tuple():
            inner = [*cast("tuple[object, ...]", value)]
        case Document():
            inner = [field for _, field in value]
        case _:
            return []
    keys = [key for part in inner for key in undeclared(part)]
    return keys if isinstance(value, OPEN | dict | tuple) else [*value.__pydantic_extra__, *keys]
