"""Both scopes of a verdict, and the checks, wherever pages show them."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.app.test_project_totals import GATE, MET, MISSED, with_checks
from tests.curate.shelves import add_skill
from tests.e2e.browsing import Browsing, assert_accessible, assert_fits
from tests.e2e.test_experiment import LOOKS, address, ended
from tests.flows.command import whet
from tests.flows.serving import Serving
from tests.repo.tree import ROOT
from whet.stats.comparison import COMFORTABLE_CASES, fewest_cases, fewest_runs

pytestmark = pytest.mark.slow


def test_pages_know_how_few_are_too_few() -> None:
    source = (ROOT / "web/src/parts/Verdict.tsx").read_text()
    assert f"FEWEST_CASES = {fewest_cases()};" in source
    assert f"COMFORTABLE_CASES = {COMFORTABLE_CASES};" in source
    few = {cases: fewest_runs(cases) for cases in (1, 2)}
    assert f"({{ 1: {few[1]}, 2: {few[2]} }})[cases] ?? {fewest_runs(3)};" in source
    assert {fewest_runs(cases) for cases in range(3, 50)} == {fewest_runs(3)}


def few_evals(folder: Path, count: int) -> Path:
    """The sample skill with so many of its evals."""
    shutil.copytree(ROOT / "examples/careful-python", folder)
    path = folder / "evals/evals.json"
    suite = json.loads(path.read_text())
    path.write_text(json.dumps({**suite, "evals": suite["evals"][:count]}))
    return folder


def evaluated(serving: Serving, skill: Path, **wanted: Any) -> tuple[str, dict[str, Any]]:
    answer = serving.client.post("/v1/evals", json={"skill": str(skill), **wanted})
    assert answer.status_code == 202, answer.text
    identity = answer.json()["id"]
    return identity, ended(serving, f"/v1/evals/{identity}")


def points(value: float, scale: float) -> str:
    """With its sign; zero has none."""
    said = f"{value / scale * 100:+.1f}"
    return said[1:] if float(said) == 0 else said


def assert_scopes(page: Page, view: dict[str, Any]) -> None:
    """The card shows the numbers of the first verdict, in both scopes."""
    leg = view["legs"][0]
    verdict, scale = leg["verdicts"][0], leg["scale"]
    for name, found in (("like_these", verdict), ("on_these", verdict["on_these"])):
        shown = page.get_by_test_id(name).first
        if found["interval"]:
            low, high = (points(found["interval"][end], scale) for end in ("low", "high"))
            expect(shown).to_contain_text(f"{low} … {high}")
        if found["smallest_effect"] is not None and not found["needs"]:
            expect(shown).to_contain_text(points(found["smallest_effect"], scale).lstrip("+"))


def test_few_evals_with_repeats_decide_on_themselves(
    browsing: Browsing, serving: Serving, tmp_path: Path
) -> None:
    identity, view = evaluated(serving, few_evals(tmp_path / "careful-python", 4), runs=3)
    verdict = view["legs"][0]["verdicts"][0]
    assert (verdict["needs"], verdict["on_these"]["label"]) == ("cases", "better")
    row = view["legs"][0]["statistics"]["power"][0]
    assert (row["evals"], row["runs"]) == (4, 3)
    assert row["smallest_effect"] == verdict["smallest_effect"]
    assert row["smallest_effect_on_these"] == verdict["on_these"]["smallest_effect"]
    for language, colours, width in LOOKS:
        chinese = language == "zh-CN"
        report = tmp_path / f"{language}.html"
        told = {"language": language[:2]}
        report.write_text(serving.client.get(f"/v1/evals/{identity}/report", params=told).text)
        person = browsing.person(language, colours, width)
        page = person.new_page()
        page.goto(address(serving, "evals", identity))
        for place in (None, report.as_uri()):
            if place:
                page = person.new_page()
                page.goto(place)
            like, these = page.get_by_test_id("like_these"), page.get_by_test_id("on_these")
            expect(like).to_contain_text("至少 6 个用例" if chinese else "at least 6 cases")
            expect(these).to_contain_text("仅就这 4 个用例" if chinese else "these 4 cases alone")
            expect(these.get_by_role("heading")).to_have_text("更好" if chinese else "Better")
            assert_scopes(page, view)
            assert_accessible(page)
            assert_fits(page)
            kind = "report" if place else "eval"
            browsing.picture(page, f"scopes-{kind}-{language}-{colours}-{width}")
        page.goto(str(serving.client.base_url))
        latest = page.get_by_role("listitem").filter(has_text="careful-python").last
        expect(latest).to_contain_text("仅就这 4 个用例" if chinese else "on these 4 cases alone")
        expect(latest).to_contain_text("更好" if chinese else "better")
        assert_accessible(page)
        assert_fits(page)
        browsing.picture(page, f"scopes-home-{language}-{colours}-{width}")


def test_a_report_made_by_the_command_has_both_scopes(browsing: Browsing, tmp_path: Path) -> None:
    skill = few_evals(tmp_path / "careful-python", 8)
    report = tmp_path / "report.html"
    done = whet(
        "eval", skill, "--runs", "1", "--html", report, "--workspace", tmp_path / "workspace"
    )
    assert done.returncode == 0, done.stderr
    page = browsing.person().new_page()
    page.goto(report.as_uri())
    expect(page.get_by_test_id("like_these").get_by_role("heading")).to_have_text("Better")
    these = page.get_by_test_id("on_these")
    expect(these.get_by_role("heading")).to_have_text("Too few attempts")
    expect(these).to_contain_text("at least 2 attempts at each case")


def test_checks_stand_beside_scores(browsing: Browsing, serving: Serving, workspace: Path) -> None:
    add_skill(workspace, "Writer", text="Write a docstring. Refuse bad input with ValueError.")
    add_skill(workspace, "Author", text="Be brief.")
    with_checks(
        workspace, {"checks": [MET, MISSED]}, {"checks": [MET, GATE]}, {"checks": [MET]}, {}
    )
    serving.client.post("/v1/index")
    body = {"name": "Checked", "skills": ["Writer", "Author"], "baselines": ["Tests"], "repeats": 3}
    answer = serving.client.post("/v1/runs", json=body)
    assert answer.status_code == 202, answer.text
    identity = answer.json()["id"]
    view = ended(serving, f"/v1/runs/{identity}")
    cells = [case["cells"][0] for case in view["legs"][0]["cases"]]
    assert [cell["check_pass_rate"] for cell in cells] == [0.5, 0.5, 1.0, None]
    assert [cell["gate_failed"] for cell in cells] == [0, 3, 0, 0]
    for language, colours, width in LOOKS:
        chinese = language == "zh-CN"
        page = browsing.person(language, colours, width).new_page()
        page.goto(address(serving, "projects", identity))
        ranking = page.get_by_test_id("ranking")
        expect(ranking).to_contain_text("检查" if chinese else "Checks")
        expect(ranking).to_contain_text("67%")
        expect(ranking).to_contain_text(
            "1 个未通过关键检查" if chinese else "1 failed a critical check"
        )
        first, gated = (page.get_by_test_id("matrix").get_by_role("button").nth(n) for n in (0, 2))
        expect(first).to_contain_text("50%")
        expect(gated).to_have_attribute("data-marks", "gate")
        expect(gated).to_have_attribute("title", re.compile("关键检查" if chinese else "critical"))
        assert_scopes(page, view)
        assert_accessible(page)
        assert_fits(page)
        browsing.picture(page, f"checks-{language}-{colours}-{width}")
