"""A browser, and a server for each test."""

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.app.opening import allow
from tests.e2e.browsing import Browsing, opened_browser
from tests.flows.serving import Serving
from tests.repo.tree import ROOT


@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    """One for each file: its event loop would be in the way of other tests."""
    with opened_browser() as browser:
        yield browser


@pytest.fixture
def browsing(browser: Browser, tmp_path: Path) -> Generator[Browsing]:
    """Pages that must not complain. ``SCREENSHOTS`` names the folder for pictures."""
    wanted = os.environ.get("SCREENSHOTS")
    pictures = ROOT / wanted if wanted else tmp_path / "pictures"
    pictures.mkdir(parents=True, exist_ok=True)
    made = Browsing(browser, pictures)
    yield made
    close_all(browser)
    assert made.troubles == []


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


@pytest.fixture
def serving(workspace: Path, browser: Browser) -> Generator[Serving]:
    allow(workspace, programs=["/bin/sh"], paths=[str(workspace.parent)])
    with Serving.on(workspace) as serving:
        yield serving
        close_all(browser)  # before the server goes, of which pages would complain


def close_all(browser: Browser) -> None:
    for context in browser.contexts:
        context.close()
