"""Pages of the real server in a real browser: Debian's chromium, found on the PATH."""

import os
import re
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    expect,
    sync_playwright,
)

from tests.repo.tree import ROOT

PATIENCE_MS = 30_000
"""For anything to appear: the machine may be busy."""

AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
WIDE, NARROW = 1400, 820

Language = Literal["en-US", "zh-CN"]
Colours = Literal["light", "dark"]


def chromium() -> str:
    """The browser; tests are skipped without one, and fail if CI is set."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None and os.environ.get("CI"):
        pytest.fail("chromium is not installed; make system does that")
    return found or pytest.skip("chromium is not installed; make system does that")


@contextmanager
def opened_browser() -> Generator[Browser]:
    """The browser, for as long as the block lasts."""
    program = chromium()
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program)
        yield browser
        browser.close()


@dataclass
class Browsing:
    """Contexts and pages of one test, and all that went wrong in them."""

    browser: Browser
    pictures: Path
    troubles: list[str] = field(default_factory=list[str])

    def person(
        self, language: Language = "en-US", colours: Colours = "light", width: int = WIDE
    ) -> BrowserContext:
        """Somebody with a browser of their own: nothing is remembered of others."""
        context = self.browser.new_context(
            locale=language,
            color_scheme=colours,
            viewport={"width": width, "height": 900},
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE_MS)
        context.on("console", self._said)
        context.on("weberror", lambda error: self.troubles.append(str(error.error)))
        return context

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.troubles.append(f"{message.type}: {message.text}")

    def forgive(self, pattern: str) -> None:
        """Troubles that the test has made itself."""
        self.troubles[:] = [one for one in self.troubles if not re.search(pattern, one)]

    def picture(self, page: Page, name: str) -> None:
        """Keep how it looks, for people."""
        page.screenshot(path=self.pictures / f"{name}.png", full_page=True)


def is_live(page: Page) -> None:
    """Wait until the page hears of what happens."""
    expect(page.locator("[data-state=live]")).to_be_visible()


def counted(page: Page, name: str) -> int:
    """How far the page says that it is."""
    found = re.match(r"\d+", page.get_by_test_id(name).inner_text())
    return int(found[0]) if found else -1


def watched(page: Page, name: str, beyond: int) -> int:
    """Wait until the page counts further by itself, and tell how far it is."""
    page.wait_for_function(
        """([name, beyond]) => {
            const found = document.querySelector(`[data-testid=${name}]`);
            return found !== null && parseInt(found.innerText) > beyond;
        }""",
        arg=[name, beyond],
    )
    return counted(page, name)


def assert_accessible(page: Page) -> None:
    """Axe finds nothing; what it cannot decide is not looked at."""
    page.evaluate(AXE.read_text())
    found: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    told = [
        f"{one['id']}: {one['help']}: {[node['target'] for node in one['nodes']]}"
        for one in found["violations"]
    ]
    assert not told, "\n".join(told)


def assert_fits(page: Page) -> None:
    """Nothing has to be scrolled sideways."""
    wide: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{wide} pixels too wide"
