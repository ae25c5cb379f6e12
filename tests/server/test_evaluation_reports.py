"""Reports, coverage, lint and stability of capability runs over HTTP."""

import csv
import io
from pathlib import Path

import httpx
import pytest

from tests.cli.capability import MINI, ran, write_set
from tests.exporters.pages import Page, assert_harmless
from tests.server.calling import ask, assert_problem

V1 = "/v1/evaluation"
JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("reports") / "workspace"
    write_set(made)
    ran(made)
    ran(made)
    return made


@pytest.fixture(scope="module")
def ids(workspace: Path) -> list[str]:
    runs = ask(workspace, "GET", f"{V1}/runs").json()["runs"]
    return [run["run_id"] for run in runs]


def report(workspace: Path, run_id: str, form: str, **more: str) -> httpx.Response:
    return ask(workspace, "GET", f"{V1}/runs/{run_id}/export", params={"format": form, **more})


def test_a_page_is_shown_and_runs_nothing(workspace: Path, ids: list[str]) -> None:
    answer = report(workspace, ids[0], "html")
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["content-security-policy"] == "sandbox"
    assert_harmless(Page(answer.text), answer.text)
    assert "逻辑推理" in report(workspace, ids[0], "html", language="zh").text


def test_a_table_is_saved(workspace: Path, ids: list[str]) -> None:
    answer = report(workspace, ids[0], "csv")
    assert f'filename="capability-{ids[0][:8]}.csv"' in answer.headers["content-disposition"]
    text = answer.content.decode("utf-8-sig")
    rows = [*csv.DictReader(io.StringIO(text, newline=""))]
    assert [row["case_id"] for row in rows] == [one["id"] for one in MINI]


def test_the_other_forms(workspace: Path, ids: list[str]) -> None:
    assert report(workspace, ids[0], "json").json()["run"]["run_id"] == ids[0]
    assert report(workspace, ids[0], "markdown").text.startswith("# simulated on mini: 25.0")
    assert report(workspace, ids[0], "pdf").status_code == 422
    assert_problem(report(workspace, "nope", "html"), 404, "not_found")


def test_what_the_cases_of_a_run_touch(workspace: Path, ids: list[str]) -> None:
    of_set = ask(workspace, "GET", f"{V1}/coverage", params={"case_set": "mini"}).json()
    of_run = ask(workspace, "GET", f"{V1}/runs/{ids[0]}/coverage").json()
    assert of_set == of_run
    assert_problem(ask(workspace, "GET", f"{V1}/runs/nope/coverage"), 404, "not_found")


def test_no_file_is_read_that_is_no_set(workspace: Path) -> None:
    """A name is a name here, and never a path."""
    path = str(workspace / "evaluation/cases/mini.json")
    answer = ask(workspace, "GET", f"{V1}/coverage", params={"case_set": path})
    assert_problem(answer, 404, "not_found")


def test_stability(workspace: Path, ids: list[str]) -> None:
    found = ask(workspace, "GET", f"{V1}/stability", params={"run_ids": ",".join(ids)}).json()
    assert (found["stable"], found["total"]["cases"]) == (True, 2)
    alone = ask(workspace, "GET", f"{V1}/stability", params={"run_ids": ids[0]})
    assert alone.status_code == 400


@pytest.mark.parametrize(
    "field", ['"tool_names": ["\\ud800"]', '"config_overrides": {"options": {"x": "\\ud800"}}']
)
def test_half_a_character_starts_nothing(workspace: Path, field: str) -> None:
    """It could not be kept, and the run would never come to its end."""
    answer = ask(workspace, "POST", f"{V1}/runs", content=f"{{{field}}}", headers=JSON)
    assert_problem(answer, 400, "invalid_request")
