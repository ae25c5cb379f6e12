"""Many tabs, a server that goes away, and one that asks for a token."""

import signal
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browsing import Browsing, assert_accessible, is_live
from tests.flows.serving import Serving

pytestmark = pytest.mark.slow

TABS = 12
TOKEN = "a token of these tests"
REFUSED = "status of 401"
GONE = "ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_EMPTY"


def test_twelve_tabs_keep_working(browsing: Browsing, serving: Serving) -> None:
    person = browsing.person()
    tabs = [person.new_page() for _ in range(TABS)]
    for tab in tabs:
        tab.goto(str(serving.client.base_url))
        is_live(tab)
    open_now = psutil.Process(serving.process.pid).net_connections("tcp")
    assert sum(one.status == psutil.CONN_ESTABLISHED for one in open_now) < TABS

    tabs[0].close()
    serving.client.post("/v1/demo", json={"language": "en"})
    for tab in tabs[1:]:
        expect(tab.get_by_role("link", name="Demo: three Python skills")).to_be_visible()
    status: int = tabs[-1].evaluate("fetch('/v1/health').then(answer => answer.status)")
    assert status == 200


def test_a_server_that_comes_back_is_heard_again(browsing: Browsing, workspace: Path) -> None:
    page = browsing.person().new_page()
    with Serving.on(workspace) as serving:
        url = serving.client.base_url
        page.goto(str(url))
        is_live(page)
        serving.end(signal.SIGTERM)
        expect(page.locator("[data-state=offline]")).to_be_visible()
        page.get_by_role("link", name="Experiments").click()
    with Serving.on(workspace, "--port", str(url.port)) as again:
        is_live(page)
        expect(page.get_by_text("No experiments yet")).to_be_visible()
        again.client.post("/v1/demo", json={"language": "en"})
        expect(page.get_by_role("link", name="Demo: three Python skills")).to_be_visible()
        browsing.forgive(GONE)


def signed_in(page: Page, word: str) -> None:
    page.get_by_label("Token", exact=True).fill(word)
    page.get_by_role("button", name="Sign in").click()


def test_a_token_is_asked_for_and_kept_by_the_tab(browsing: Browsing, workspace: Path) -> None:
    with Serving.on(workspace, WHET_TOKEN=TOKEN) as serving:
        person = browsing.person()
        page = person.new_page()
        page.goto(str(serving.client.base_url))
        expect(page.get_by_role("heading", name="This server asks for a token")).to_be_visible()
        assert_accessible(page)
        browsing.picture(page, "sign-in")
        signed_in(page, "something else")
        expect(page.get_by_text("The server does not accept this token.")).to_be_visible()
        signed_in(page, TOKEN)
        is_live(page)
        page.reload()
        is_live(page)
        page.get_by_role("button", name="Run the demo").click()
        expect(page.get_by_text("90 of 90")).to_be_visible()

        other = person.new_page()
        other.goto(str(serving.client.base_url))
        expect(other.get_by_role("heading", name="This server asks for a token")).to_be_visible()
        expect(page.locator("[data-state=live]")).to_be_visible()
        browsing.forgive(REFUSED)
