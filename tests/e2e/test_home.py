"""The first page: somebody starts the demo and watches it."""

import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browsing import (
    NARROW,
    PATIENCE_MS,
    WIDE,
    Browsing,
    Colours,
    Language,
    assert_accessible,
    assert_fits,
    is_live,
)
from tests.flows.command import demo
from tests.flows.serving import Serving

pytestmark = pytest.mark.slow

COUNTED = re.compile(r"\b(\d+) of 90\b")


def counted(page: Page) -> int:
    """How many trials the page says are done."""
    found = COUNTED.search(page.locator("main").inner_text())
    return int(found[1]) if found else -1


def watched(page: Page, beyond: int) -> int:
    """Wait until the page counts further, by itself."""
    end = time.monotonic() + PATIENCE_MS / 1000
    while (count := counted(page)) <= beyond:
        assert time.monotonic() < end, f"no more than {count}"
        page.wait_for_timeout(50)
    return count


def test_somebody_starts_the_demo_and_watches_it(browsing: Browsing, serving: Serving) -> None:
    page = browsing.person().new_page()
    page.goto(str(serving.client.base_url))
    is_live(page)
    assert_accessible(page)
    browsing.picture(page, "home-empty")

    page.get_by_role("button", name="Run the demo").click()
    expect(page).to_have_url(re.compile("#/experiments/projects/"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Demo: three Python skills")
    first = watched(page, 0)
    second = watched(page, first)
    assert first < second < 90, "the numbers move"

    page.reload()
    third = watched(page, second)
    assert third > second, "nothing is lost by loading the page again"
    page.get_by_role("link", name="Home").click()
    expect(page.get_by_role("heading", name="Running now")).to_be_visible()
    browsing.picture(page, "home-running")

    expect(page.get_by_text("Nothing is running.")).to_be_visible()
    latest = page.get_by_role("listitem").filter(has_text="Demo: three Python skills")
    expect(latest).to_contain_text("better")
    expect(latest).to_contain_text("+12.2 points")
    expect(latest).to_contain_text("95% interval +10.1 to +14.2")
    expect(latest).to_contain_text("simulated")


def test_the_demo_is_one_however_often_it_is_started(serving: Serving) -> None:
    started = [serving.client.post("/v1/demo", json={"language": "zh"}) for _ in range(2)]
    assert [answer.status_code for answer in started] == [202, 202]
    first, second = (answer.json() for answer in started)
    assert first["id"] == second["id"]
    assert first["started_at"] == second["started_at"]
    assert first["name"] == "演示：三个 Python 技能"


@pytest.mark.parametrize(
    ("language", "colours", "width"),
    [("en-US", "light", WIDE), ("zh-CN", "dark", WIDE), ("zh-CN", "light", NARROW)],
)
def test_results_are_legible(
    browsing: Browsing,
    serving: Serving,
    workspace: Path,
    language: Language,
    colours: Colours,
    width: int,
) -> None:
    demo(workspace)
    page = browsing.person(language, colours, width).new_page()
    page.goto(str(serving.client.base_url))
    is_live(page)
    expect(page.get_by_text("+12.2")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == language
    assert_accessible(page)
    assert_fits(page)
    browsing.picture(page, f"home-{language}-{colours}-{width}")


def test_language_and_colours_are_switched_and_remembered(
    browsing: Browsing, serving: Serving
) -> None:
    page = browsing.person(width=NARROW).new_page()
    page.goto(str(serving.client.base_url))
    page.get_by_role("button", name="Language").click()
    page.get_by_role("menuitem", name="简体中文").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("首页")
    page.get_by_role("button", name="配色").click()
    page.get_by_role("menuitem", name="深色").click()
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("首页")
    assert page.evaluate("document.documentElement.lang") == "zh-CN"
    scheme = "document.documentElement.dataset.mantineColorScheme"
    assert page.evaluate(scheme) == "dark"
    page.get_by_role("button", name="菜单").click()
    expect(page.get_by_role("navigation")).to_be_visible()
    assert_accessible(page)
    browsing.picture(page, "menu-zh-dark-narrow")
    page.get_by_role("link", name="实验").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("实验")


def test_names_are_never_taken_for_html(
    browsing: Browsing, serving: Serving, workspace: Path
) -> None:
    demo(workspace)
    name = "<img src=x onerror=alert(1)> **bold**"
    serving.start(name=name, repeats=1)
    page = browsing.person().new_page()
    page.goto(str(serving.client.base_url))
    expect(page.get_by_role("link", name=name)).to_be_visible()
    page.get_by_role("link", name="Experiments").click()
    expect(page.get_by_role("link", name=name)).to_be_visible()
    assert page.locator("img[src=x]").count() == 0
    assert_accessible(page)
    browsing.picture(page, "experiments")


MOST_SCRIPT_BYTES = 350_000
"""Of the first page, as they are sent."""


def test_the_first_page_is_small_and_charts_come_later(
    browsing: Browsing, serving: Serving
) -> None:
    page = browsing.person().new_page()
    page.goto(str(serving.client.base_url))
    is_live(page)
    expect(page.get_by_role("button", name="Run the demo")).to_be_visible()
    sent: list[list[object]] = page.evaluate(
        "performance.getEntriesByType('resource').map(one => [one.name, one.encodedBodySize])"
    )
    scripts = {str(name): int(str(size)) for name, size in sent if str(name).endswith(".js")}
    assert len(scripts) > 3
    assert 0 < sum(scripts.values()) <= MOST_SCRIPT_BYTES
    assert not [name for name in scripts if "charts" in name]
