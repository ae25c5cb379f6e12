"""The pages: how much a browser has to fetch, and how soon somebody sees something.

    make bench ARGS=web

Sizes stand beside their limit. Times are of Debian's chromium on this machine, with nothing kept
from before, beside a text file of the same server. The answer for the first page is measured in a
workspace with a thousand experiments that are over.
"""

import shutil
import statistics
import tempfile
import time
from pathlib import Path

import httpx
from playwright.sync_api import Browser, Page, sync_playwright

from tests.flows.command import demo
from tests.flows.serving import Serving
from whet.app.app import opened
from whet.app.settings import read
from whet.app.ui import STATIC
from whet.ports.runs import RunQuery

MOST_SCRIPT_KB = 350
RUNS = 7
EXPERIMENTS = 1_000
PAINTED = """async () => {
    const name = 'first-contentful-paint';
    while (performance.getEntriesByName(name).length === 0) {
        await new Promise(done => setTimeout(done, 5));
    }
    return performance.getEntriesByName(name)[0].startTime;
}"""
SENT = (
    """() => performance.getEntriesByType('resource').map(one => [one.name, one.encodedBodySize])"""
)


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as name:
        workspace = Path(name) / "workspace"
        demo(workspace)
        past(workspace)
        with Serving.on(workspace) as serving:
            answered(serving.client)
            looked_at(str(serving.client.base_url))
    whole = sum(path.stat().st_size for path in STATIC.rglob("*") if path.is_file())
    print(f"{'all that is packed':34}{whole / 1e6:8.1f} MB, packed copies included")


def past(workspace: Path) -> None:
    """Many experiments that are over, as the store keeps them."""
    with opened(read(workspace)) as app, app.store.transaction():
        known = app.store.runs.list(RunQuery(kinds=("project",))).items[0]
        for number in range(EXPERIMENTS):
            change = {"id": f"bench-{number}", "details": {"folder": "gone"}}
            app.store.runs.claim(known.model_copy(update=change))


def answered(client: httpx.Client) -> None:
    taken: list[float] = []
    for _ in range(50):
        begun = time.perf_counter()
        client.get("/v1/home").raise_for_status()
        taken.append(time.perf_counter() - begun)
    print(f"{f'/v1/home, {EXPERIMENTS} experiments':34}{statistics.median(taken) * 1000:8.1f} ms")


def looked_at(url: str) -> None:
    program = shutil.which("chromium")
    if program is None:
        print("no chromium here; make system installs it")
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program)
        floor = [painted(browser, f"{url}/third-party-licenses.md") for _ in range(RUNS)]
        first = [painted(browser, url, "[data-state=live]") for _ in range(RUNS)]
        print(
            f"{'first paint':34}{middle(first, 0):8.0f} ms   {middle(floor, 0):.0f} ms a text file"
        )
        print(f"{'live':34}{middle(first, 1):8.0f} ms")
        sizes(browser.new_page(), url)
        browser.close()


def painted(browser: Browser, url: str, wanted: str = "body") -> tuple[float, float]:
    """Milliseconds until something is painted, and until what is wanted is there."""
    context = browser.new_context()
    page = context.new_page()
    begun = time.perf_counter()
    page.goto(url)
    page.locator(wanted).wait_for()
    there = (time.perf_counter() - begun) * 1000
    paint = float(page.evaluate(PAINTED))
    context.close()
    return paint, there


def middle(found: list[tuple[float, float]], which: int) -> float:
    return statistics.median(one[which] for one in found)


def sizes(page: Page, url: str) -> None:
    page.goto(url)
    page.locator("[data-state=live]").wait_for()
    sent: list[tuple[str, int]] = page.evaluate(SENT)
    for kind, limit in (("js", f"at most {MOST_SCRIPT_KB}"), ("css", "")):
        kb = sum(size for name, size in sent if name.endswith(f".{kind}")) / 1000
        print(f"{f'first page, {kind} as it is sent':34}{kb:8.1f} kB   {limit}")
    for path in sorted(STATIC.glob("assets/charts-*.js.gz")):
        print(f"{'charts, with the first chart':34}{path.stat().st_size / 1000:8.1f} kB")


if __name__ == "__main__":
    main()
