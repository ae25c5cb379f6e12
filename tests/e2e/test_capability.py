"""Capability runs: somebody starts one, watches it, stops it, and compares it with another."""

import re
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.app.opening import allow
from tests.e2e.browsing import (
    NARROW,
    WIDE,
    Browsing,
    Colours,
    Language,
    assert_accessible,
    assert_fits,
    is_live,
    watched,
)
from tests.e2e.conftest import close_all
from tests.flows.command import started
from tests.flows.serving import Serving

pytestmark = pytest.mark.slow

CASES = 55
SLOW = '{"options": {"simulate": {"latency_ms": 600}}}'
TROUBLED: dict[str, Any] = {
    "options": {"simulate": {"fail": 0.3, "crash": 0.2}},
    "retries": 0,
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("capability") / "workspace"


@pytest.fixture(scope="module")
def server(workspace: Path, browser: Browser) -> Generator[Serving]:
    """One for all tests of this file."""
    allow(workspace, programs=["/bin/true"])
    with Serving.on(workspace) as serving:
        yield serving
        close_all(browser)


def finished(serving: Serving, **body: Any) -> str:
    """A run that is over."""
    answer = serving.client.post("/v1/evaluation/runs", json={"language": "en-US", **body})
    run_id: str = answer.json()["run_id"]
    with serving.client.stream("GET", f"/v1/evaluation/runs/{run_id}/events") as events:
        for _ in events.iter_lines():
            pass
    return run_id


def at(serving: Serving, place: str) -> str:
    return f"{serving.client.base_url}#{place}"


def row(page: Page, run_id: str) -> Locator:
    return page.locator(f"[data-run='{run_id}']")


def test_somebody_starts_watches_stops_compares_and_deletes(
    browsing: Browsing, server: Serving
) -> None:
    page = browsing.person().new_page()
    page.goto(at(server, "/capability"))
    is_live(page)
    expect(page.get_by_text("No capability runs yet")).to_be_visible()
    expect(page.get_by_test_id("plan")).to_contain_text(f"{CASES} cases")
    expect(page.get_by_test_id("plan")).to_contain_text("free of charge")
    assert_accessible(page)
    browsing.picture(page, "capability-empty")

    first = started_slowly(browsing, page)
    stopped(page)
    page.get_by_role("link", name="Run again").click()
    expect(page.get_by_label("Other settings, as JSON")).to_have_value(re.compile("latency_ms"))
    page.get_by_label("Other settings, as JSON").fill("")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_text("finished", exact=True)).to_be_visible()
    expect(page.get_by_test_id("total")).to_have_text("79.2")
    second = page.url.split("/")[-1]
    a_case_is_opened(browsing, page)
    compared(browsing, page, first, second)

    page.get_by_role("link", name="All runs").click()
    row(page, first).get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(row(page, first)).to_have_count(0)
    expect(row(page, second)).to_be_visible()


def started_slowly(browsing: Browsing, page: Page) -> str:
    """A run whose numbers move, also after the page was loaded again."""
    page.get_by_role("button", name="More settings").click()
    page.get_by_label("Other settings, as JSON").fill(SLOW)
    page.get_by_label("Cases at once").fill("1")
    page.get_by_label("Label").fill("<b>a label</b>")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page).to_have_url(re.compile("#/capability/runs/"))
    expect(page.get_by_text("<b>a label</b>")).to_be_visible()
    before = watched(page, "done", 7)
    expect(page.get_by_text(re.compile("about .* left"))).to_be_visible()
    expect(page.get_by_test_id("current")).to_contain_text("Under way")
    assert_accessible(page)
    browsing.picture(page, "capability-running")
    after = watched(page, "done", before)
    assert before < after < CASES, "the numbers move"
    page.reload()
    assert CASES > watched(page, "done", after) > after, "nothing is lost by loading the page again"

    other = page.context.new_page()
    other.goto(page.url.split("/runs/")[0])
    expect(other.locator("[data-run]")).to_contain_text("running")
    other.close()
    return page.url.split("/")[-1]


def stopped(page: Page) -> None:
    page.get_by_role("button", name="Stop").click()
    assert_accessible(page)
    page.get_by_role("dialog").get_by_role("button", name="Stop").click()
    expect(page.get_by_text("cancelled", exact=True).first).to_be_visible()
    expect(page.get_by_test_id("done")).to_have_count(0)


def a_case_is_opened(browsing: Browsing, page: Page) -> None:
    page.get_by_role("combobox", name="Dimension").click()
    page.get_by_role("option", name="Complex tasks").click()
    expect(page.get_by_text("10 cases", exact=True)).to_be_visible()
    page.locator("[data-case=complex_report_1]").click()
    case = page.get_by_role("dialog")
    expect(case).to_contain_text("Read orders.csv.")
    expect(case).to_contain_text("2 tool calls")
    expect(case).to_contain_text("json_schema")
    expect(case).to_contain_text("It fits the schema")
    assert_accessible(page)
    browsing.picture(page, "capability-case")
    page.reload()
    expect(case).to_contain_text("Read orders.csv.")
    case.get_by_role("button", name="Next case").click()
    expect(case).not_to_contain_text("Read orders.csv.")
    case.get_by_role("button", name="Close").click()
    expect(case).to_have_count(0)
    page.get_by_role("tab", name="Coverage").click()
    expect(page.get_by_role("table", name="Checkers")).to_contain_text("json_schema")
    page.get_by_role("button", name="Export").click()
    link = page.get_by_role("menuitem", name="Report (HTML)").get_attribute("href") or ""
    answer = page.request.get(f"{page.url.split('/#')[0]}{link}")
    assert answer.ok
    assert "79.2" in answer.text()
    page.keyboard.press("Escape")


def compared(browsing: Browsing, page: Page, first: str, second: str) -> None:
    page.get_by_role("link", name="All runs").click()
    for run_id in (second, first):
        row(page, run_id).get_by_role("checkbox").check()
    page.get_by_role("link", name="Compare (2)").click()
    against = page.get_by_role("heading", name="simulated #2 against simulated #1")
    expect(against).to_be_visible()
    expect(page.get_by_text("the others are not compared")).to_be_visible()
    expect(page.get_by_role("table", name="Difference")).to_contain_text("inconclusive")
    expect(page.get_by_text("A verdict is about cases like these")).to_be_visible()
    page.get_by_text(f"All ({CASES})").click()
    expect(page.locator("[data-change=not_measured]").first).to_be_visible()
    assert_accessible(page)
    page.evaluate("scrollTo(0, 0)")
    browsing.picture(page, "capability-compare")


@pytest.fixture(scope="module")
def runs(server: Serving) -> list[str]:
    """One as it should be, one with errors, and one of two dimensions only."""
    return [
        finished(server),
        finished(server, config_overrides=TROUBLED),
        finished(server, dimensions=["logic", "common"]),
    ]


@pytest.mark.parametrize(
    ("language", "colours", "width"),
    [
        ("en-US", "light", NARROW),
        ("zh-CN", "dark", WIDE),
    ],
)
def test_pages_are_legible(
    browsing: Browsing,
    server: Serving,
    runs: list[str],
    language: Language,
    colours: Colours,
    width: int,
) -> None:
    page = browsing.person(language, colours, width).new_page()
    good, troubled, partial = runs
    places = {
        "history": "/capability",
        "run": f"/capability/runs/{troubled}",
        "partial": f"/capability/runs/{partial}",
        "compare": f"/capability/compare?runs={good},{troubled},{partial}",
    }
    waits = {
        "history": page.locator("[data-run]").first,
        "run": page.get_by_test_id("measured"),
        "partial": page.get_by_text(re.compile("not measured|未测")).first,
        "compare": page.get_by_text(re.compile("worse|更差")).first,
    }
    for name, place in places.items():
        page.goto(at(server, place))
        expect(waits[name]).to_be_visible()
        assert page.evaluate("document.documentElement.lang") == language
        assert_accessible(page)
        assert_fits(page)
        browsing.picture(page, f"capability-{name}-{language}-{colours}-{width}")


def test_language_and_colours_are_switched_on_the_way(
    browsing: Browsing, server: Serving, runs: list[str]
) -> None:
    page = browsing.person().new_page()
    page.goto(at(server, f"/capability/runs/{runs[0]}"))
    expect(page.get_by_role("tab", name="Cases")).to_be_visible()
    page.get_by_role("button", name="Show as a table").click()
    expect(page.get_by_role("table", name="Profile")).to_contain_text("Common sense")
    page.get_by_role("button", name="Language").click()
    page.get_by_role("menuitem", name="简体中文").click()
    expect(page.get_by_role("tab", name="题目")).to_be_visible()
    expect(page.get_by_role("table", name="能力分布")).to_contain_text("常识问答")
    page.get_by_role("button", name="配色").click()
    page.get_by_role("menuitem", name="深色").click()
    assert page.evaluate("document.documentElement.dataset.mantineColorScheme") == "dark"
    assert_accessible(page)


def test_refusals_stand_where_they_belong(browsing: Browsing, server: Serving) -> None:
    page = browsing.person().new_page()
    page.goto(at(server, "/capability"))
    is_live(page)
    model = page.get_by_role("combobox", name="Model")
    model.fill("simulated:big")
    model.press("Tab")
    expect(page.get_by_text("the simulated agent has no model 'big'")).to_be_visible()
    assert_accessible(page)
    browsing.forgive("status of 400")

    model.fill("command")
    model.press("Tab")
    page.get_by_role("button", name="More settings").click()
    page.get_by_label("Other settings, as JSON").fill('{"options": {"argv": ["/bin/true"]}}')
    page.get_by_text("Logic · 13").click()
    expect(page.get_by_test_id("plan")).to_contain_text("cost unknown")
    browsing.forgive("status of 400")
    page.get_by_role("button", name="Start", exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("command will be run")
    expect(dialog).to_contain_text("Nobody knows yet what that costs")
    assert_accessible(page)
    browsing.picture(page, "capability-confirm")
    browsing.forgive("status of 409")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    assert page.url.endswith("#/capability"), "nothing was started"


def test_a_run_of_another_process_is_shown_and_resumed(
    browsing: Browsing, server: Serving, workspace: Path
) -> None:
    slow = ["--concurrency", "1", "--option", 'simulate={"latency_ms": 600}']
    command = started("capability", "run", *slow, "--workspace", workspace)
    page = browsing.person().new_page()
    page.goto(at(server, "/capability"))
    running = page.locator("[data-run]").filter(has_text="running")
    expect(running).to_be_visible()
    running.get_by_role("link", name="simulated").click()
    watched(page, "done", 7)
    command.kill()
    command.communicate()
    expect(page.get_by_text("interrupted")).to_be_visible()
    expect(page.get_by_text("under way")).to_have_count(0)
    assert_accessible(page)
    browsing.picture(page, "capability-left-behind")
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_text("running", exact=True)).to_be_visible()
    watched(page, "done", 9)
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("dialog").get_by_role("button", name="Stop").click()
    expect(page.get_by_text("cancelled", exact=True).first).to_be_visible()
