"""The ranking as text and as JSON: readable at any width, honest when there is nothing to rank."""

import io
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from tests.app.opening import COMPARISON, app_on, fill
from whet.app.experiments import Report
from whet.app.projects.create import create_project
from whet.cli.ranking import RankingWords, as_data, printed
from whet.documents.result import BaselineSummary, RankingEntry, Summary
from whet.documents.verdict import Interval, Verdict, VerdictOnThese
from whet.evaluate.experiment import Extent
from whet.evaluate.project import Project

ENGLISH = ("Careful Python Writer", "Helpful Python Assistant", "Python Excellence Framework")
CHINESE = ("严谨的 Python 编写者", "热心的 Python 助手", "Python 卓越框架")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    workspace = tmp_path_factory.mktemp("ranking") / "workspace"
    fill(workspace)
    with app_on(workspace) as app:
        return create_project(app, COMPARISON)


def entry(rank: int, name: str, score: float | None, delta: float | None) -> RankingEntry:
    """A skill whose lead over the next is *delta*; None for the last."""
    around = None if score is None else interval(score - 3, score + 3)
    against = None
    if delta is not None:
        label = "better" if delta > 1 else "inconclusive"
        around_lead = interval(delta, delta)
        these = VerdictOnThese(label=label, interval=around_lead)
        against = Verdict(
            label=label, delta=delta, interval=around_lead, n_cases=10, on_these=these
        )
    return RankingEntry(
        rank=rank,
        skill_id=f"id-{rank}",
        skill_name=name,
        skill_version="v1",
        completed_cases=10 if score is not None else 0,
        failed_cases=0 if score is not None else 10,
        avg_score=score,
        score_breakdown={},
        interval=around,
        versus_next=against,
    )


def interval(low: float, high: float) -> Interval:
    return Interval(low=low, high=high, level=0.95, method="t over cases")


def report(project: Project, *ranking: RankingEntry, winner: str | None = None) -> Report:
    summary = Summary(
        project_id=project.config.id,
        generated_at="2024-01-01T12:00:00Z",
        total_cases=10,
        ranking=ranking,
        simulated=True,
        winner=winner,
    )
    return Report(project, summary, Extent(30, missing=10, ungraded=5, executed=10))


def three(project: Project, names: tuple[str, ...]) -> Report:
    scores = ((87.4, 11.4), (76.0, 12.6), (63.4, None))
    ranking = (entry(i, name, *scores[i - 1]) for i, name in enumerate(names, 1))
    return report(project, *ranking, winner="id-1")


def text(result: Report, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width)
    printed(console, result, 1.23, Path("/somewhere"), RankingWords("en"))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [60, 72, 80, 120, 200])
@pytest.mark.parametrize("names", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_names_and_numbers_are_whole_at_any_usual_width(
    project: Project, names: tuple[str, ...], width: int
) -> None:
    shown = text(three(project, names), width)
    table = shown.partition("Winner")[0]
    assert "…" not in table.replace(" … ", "")
    for word in " ".join(names).split():
        assert word in table
    for number in ("87.4", "84.4 … 90.4", "beats the next by 11.4"):
        assert number in table
    assert max(map(cell_len, table.splitlines())) <= width


@pytest.mark.parametrize("width", [1, 10, 30])
def test_an_absurd_width_is_survived(project: Project, width: int) -> None:
    assert "/somewhere" in text(three(project, CHINESE), width)


def test_the_picture_needs_room(project: Project) -> None:
    assert "●" in text(three(project, ENGLISH), 80)
    assert "●" not in text(three(project, ENGLISH), 60)


def test_paths_are_never_broken(project: Project) -> None:
    lines = text(three(project, ENGLISH), 40).splitlines()
    assert f"files  {project.folder}" in lines
    assert "serve  whet serve --workspace /somewhere --open" in lines


def test_brackets_in_a_name_are_only_brackets(project: Project) -> None:
    name = "[bold]x[/bold] [/] [link=file:///]"
    shown = text(report(project, entry(1, name, 50.0, None), winner="id-1"), 120)
    assert name in shown
    assert f"{name} was the only one." in shown


def test_a_lead_that_may_be_chance_is_no_win(project: Project) -> None:
    shown = text(report(project, entry(1, "One", 50.0, 0.5), entry(2, "Two", 49.5, None)))
    assert "no clear lead (0.5)" in shown
    assert "No clear winner: One leads" in shown
    assert "Winner:" not in shown


def test_equals_share_the_first_place(project: Project) -> None:
    shown = text(report(project, entry(1, "One", 50.0, 0.0), entry(1, "Two", 50.0, None)))
    assert "No winner: One, Two share the first place." in shown
    assert "leads" not in shown


def test_failures_that_would_change_the_order_are_told(project: Project) -> None:
    change = {"order_differs": True, "avg_score_failed_as_zero": 31.5}
    first = entry(1, "One", 90.0, 5.0).model_copy(update=change)
    shown = text(report(project, first, entry(2, "Two", 85.0, None), winner="id-1"))
    assert "31.5 with failed as zero" in shown
    assert "counted as zero, they would change" in shown
    calm = text(report(project, entry(1, "One", 90.0, 5.0), entry(2, "Two", 85.0, None)))
    assert "as zero" not in calm


def test_several_baselines_have_a_line_each(project: Project) -> None:
    on_one = BaselineSummary(
        baseline_id="b",
        baseline_name="Hard [ones]",
        baseline_version="v2",
        total_cases=7,
        ranking=(entry(1, "Two", 85.0, 1.0), entry(2, "One", None, None)),
    )
    both = report(project, entry(1, "One", 90.0, 5.0), entry(2, "Two", 85.0, None))
    summary = both.summary.model_copy(update={"by_baseline": (on_one,)})
    shown = text(Report(project, summary, both.extent))
    assert "On Hard [ones] v2 (7 cases): 1 Two 85.0, 2 One –" in shown


def test_a_hostile_name_does_not_steer_the_terminal(project: Project) -> None:
    shown = text(report(project, entry(1, "a\x1b[31mb\u202ec\\", 50.0, None), winner="id-1"))
    assert not {"\x1b", "\u202e"} & set(shown)
    assert "was the only one." in shown


def test_where_nothing_has_a_score_nobody_leads(project: Project) -> None:
    nothing = Verdict(label="inconclusive", delta=None, interval=None, n_cases=0)
    first = entry(1, "One", None, None).model_copy(update={"versus_next": nothing})
    shown = text(report(project, first, entry(1, "Two", None, None)))
    assert "10 cases failed" in shown
    assert "No ranking: not one trial has a score" in shown
    assert "lead" not in shown


def test_the_json_has_the_same(project: Project) -> None:
    data: Any = as_data(three(project, CHINESE), 1.23456)
    assert data["trials"] == {"total": 30, "executed": 10, "regraded": 5, "reused": 15}
    assert data["seconds"] == 1.235
    assert [one["skill_name"] for one in data["ranking"]] == list(CHINESE)
    assert data["winner"] == "id-1"
    assert data["folder"] == str(project.folder)
