"""The page of an experiment: watched while it runs, and looked into down to a check's evidence."""

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.app.evaluating import skill, small
from tests.curate.shelves import add_baseline, add_skill
from tests.e2e.browsing import (
    NARROW,
    WIDE,
    Browsing,
    Colours,
    Language,
    assert_accessible,
    assert_fits,
    counted,
    is_live,
    watched,
)
from tests.evaluate.suites import eval_
from tests.flows.command import demo
from tests.flows.serving import Serving

pytestmark = pytest.mark.slow

HOSTILE = "<script>window.hit = 1</script><img src=x onerror='window.hit = 1'> **bold** [x](x:y)"


def address(serving: Serving, kind: str, identity: str) -> str:
    return f"{serving.client.base_url}/#/experiments/{kind}/{identity}"


def ended(serving: Serving, path: str, wanted: str = "completed") -> dict[str, Any]:
    """The view once it does not run any more."""
    end = time.monotonic() + 120
    while (view := serving.client.get(f"{path}/view").json())["status"] in ("running", "pending"):
        assert time.monotonic() < end
        time.sleep(0.1)
    assert view["status"] == wanted
    return view


def cells(page: Page) -> Locator:
    return page.get_by_test_id("matrix").get_by_role("button")


def test_somebody_watches_an_experiment_and_looks_into_a_case(
    browsing: Browsing, serving: Serving, workspace: Path
) -> None:
    demo(workspace)
    slow = {"repeats": 8, "options": {"simulate": {"latency_ms": 2500}}}
    identity = serving.start(name="Slow", **slow)["id"]
    page = browsing.person().new_page()
    page.goto(address(serving, "projects", identity))
    is_live(page)
    first = watched(page, "settled", 0)
    second = watched(page, "settled", first)
    expect(page.get_by_text("there is no verdict before the end")).to_be_visible()
    expect(page.get_by_text(re.compile("about .* left"))).to_be_visible()
    assert_accessible(page)
    browsing.picture(page, "experiment-running")

    page.reload()
    third = watched(page, "settled", second)
    assert first < second < third < 240

    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    stopped = counted(page, "settled")
    assert stopped < 240
    expect(page.get_by_test_id("partial")).to_contain_text("Not complete")

    cells(page).first.click()
    trial = page.get_by_test_id("trial")
    expect(trial).to_be_visible()
    page.reload()
    expect(trial).to_be_visible()  # the address says what is looked at
    trial.get_by_role("tab", name="What it did").click()
    call = trial.get_by_test_id("calls").locator("details").first
    call.locator("summary").click()
    expect(call.locator("pre")).to_be_visible()
    assert_accessible(page)
    browsing.picture(page, "experiment-trial")
    trial.get_by_role("tab", name="Judges").click()
    expect(trial.get_by_role("table", name="Dimensions")).to_contain_text("correctness")
    page.keyboard.press("Escape")
    expect(trial).to_be_hidden()


def test_somebody_pauses_goes_on_and_tries_failed_ones_again(
    browsing: Browsing, serving: Serving, workspace: Path
) -> None:
    demo(workspace)
    troubled = {"simulate": {"latency_ms": 700, "fail": 0.3}}
    identity = serving.start(name="Troubled", repeats=2, options=troubled)["id"]
    page = browsing.person().new_page()
    page.goto(address(serving, "projects", identity))
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("paused", exact=True)).to_be_visible()
    assert counted(page, "settled") < 60
    assert_accessible(page)
    browsing.picture(page, "experiment-paused")
    page.get_by_role("button", name="Go on").click()
    again = page.get_by_role("button", name="Try failed ones again")
    expect(page.get_by_test_id("settled")).to_have_text("60 of 60")
    expect(page.get_by_text("completed", exact=True)).to_be_visible()
    view = ended(serving, f"/v1/runs/{identity}")
    failed = sum(cell["failed"] for case in view["legs"][0]["cases"] for cell in case["cells"])
    assert 0 < failed < 60
    again.click()
    expect(page.get_by_text(f"{60 - failed} reused")).to_be_visible()
    expect(page.get_by_test_id("settled")).to_have_text("60 of 60")


LOOKS: tuple[tuple[Language, Colours, int], ...] = (
    ("en-US", "light", WIDE),
    ("zh-CN", "dark", WIDE),
    ("en-US", "dark", NARROW),
    ("zh-CN", "light", NARROW),
)


def test_results_are_legible(browsing: Browsing, serving: Serving, workspace: Path) -> None:
    demo(workspace)
    [project] = serving.client.get("/v1/projects").json()["items"]
    summary = serving.get(project["id"])["summary"]
    for language, colours, width in LOOKS:
        page = browsing.person(language, colours, width).new_page()
        page.goto(address(serving, "projects", project["id"]))
        ranking = page.get_by_test_id("ranking")
        for entry in summary["ranking"]:
            row = ranking.get_by_role("row").filter(has_text=entry["skill_name"])
            expect(row).to_contain_text(f"{entry['avg_score']:.1f}")
            low, high = entry["interval"]["low"], entry["interval"]["high"]
            expect(row).to_contain_text(f"{low:.1f} … {high:.1f}")
        delta = summary["ranking"][0]["versus_next"]["delta"]
        expect(page.get_by_test_id("verdict")).to_contain_text(f"+{delta:.1f}")
        expect(page.get_by_test_id("dimensions").locator("svg path").first).to_be_visible()
        assert_accessible(page)
        assert_fits(page)
        browsing.picture(page, f"experiment-{language}-{colours}-{width}")
        show = "Show as a table" if language == "en-US" else "以表格显示"
        page.get_by_test_id("dimensions").get_by_role("button", name=show).click()
        table = page.get_by_test_id("dimensions").get_by_role("table")
        best = summary["ranking"][0]["score_breakdown"]["robustness"]
        expect(table).to_contain_text(f"{best:.2f}")


def program(folder: Path) -> list[str]:
    """An agent that writes what nobody should run, and too much of it."""
    folder.mkdir()
    path = folder / "agent.sh"
    path.write_text(
        "said() {\n"
        f"cat <<'END'\n{HOSTILE}\nEND\n"
        "printf '\\033[31mred\\033[0m \\342\\200\\256evil\\n'\n"
        "head -c 200000 /dev/zero | tr '\\0' x\n"
        "}\n"
        "said > answer.py\n"
        "said\n"
    )
    return ["/bin/sh", str(path)]


def two_legs(serving: Serving, tmp_path: Path) -> str:
    """An eval by two agents, one of them hostile; its address in the API."""
    folder = skill(tmp_path, small(eval_(1, name=HOSTILE), eval_(2)))
    answer = serving.client.post(
        "/v1/evals",
        json={
            "skill": str(folder),
            "engines": ["simulated", "command"],
            "judges": ["simulated"],
            "options": {"argv": program(tmp_path / "agent")},
            "confirmed": True,
        },
    )
    assert answer.status_code == 202, answer.text
    path = f"/v1/evals/{answer.json()['id']}"
    ended(serving, path)
    return path


def assert_inert(page: Page) -> None:
    assert page.evaluate("window.hit") is None
    assert page.locator("img[src=x]").count() == 0


def look_into(page: Page, browsing: Browsing, name: str) -> None:
    """The second leg, its first cell, and a check of it."""
    page.get_by_role("tab", name="command").click()
    cells(page).first.click()
    trial = page.get_by_test_id("trial")
    expect(trial).to_contain_text("bold")
    expect(trial).to_contain_text("20,000 of 200,")
    expect(trial).not_to_contain_text("\x1b")
    assert_inert(page)
    trial.get_by_role("tab", name="Checks").click()
    check = trial.get_by_test_id("checks").locator("details").first
    if check.get_attribute("open") is None:
        check.locator("summary").click()
    expect(check.locator("pre")).to_be_visible()
    assert_accessible(page)
    assert_fits(page)
    browsing.picture(page, name)
    page.keyboard.press("Escape")
    expect(trial).to_be_hidden()


def test_an_eval_with_two_legs_and_its_report_from_disk(
    browsing: Browsing, serving: Serving, tmp_path: Path
) -> None:
    path = two_legs(serving, tmp_path)
    page = browsing.person().new_page()
    page.goto(address(serving, "evals", path.rsplit("/", 1)[1]))
    expect(page.get_by_role("heading", level=1)).to_have_text("knives")
    expect(page.get_by_text("one family of comparisons")).to_be_visible()
    look_into(page, browsing, "eval-trial")
    assert_accessible(page)
    assert_fits(page)
    browsing.picture(page, "eval")

    with page.expect_download() as saving:
        page.get_by_role("button", name="Save the report").click()
    file = tmp_path / "report.html"
    saving.value.save_as(file)
    person = browsing.person(width=NARROW)
    asked: list[str] = []

    def note(route: Route) -> None:
        asked.append(route.request.url)
        route.continue_()

    person.route("**/*", note)
    alone = person.new_page()
    alone.goto(file.as_uri())
    expect(alone.get_by_role("heading", level=1)).to_have_text("knives")
    look_into(alone, browsing, "report-trial")
    assert_accessible(alone)
    browsing.picture(alone, "report")
    assert asked == [file.as_uri()], "nothing else is fetched"
    alone.get_by_role("button", name="Language").click()
    alone.get_by_role("menuitem", name="简体中文").click()
    expect(alone.get_by_role("tab", name="command")).to_be_visible()
    expect(alone.get_by_text("同一组比较")).to_be_visible()
    assert_accessible(alone)


def test_the_report_says_what_the_page_says(
    browsing: Browsing, serving: Serving, tmp_path: Path
) -> None:
    folder = skill(tmp_path)
    answer = serving.client.post("/v1/evals", json={"skill": str(folder), "runs": 3})
    path = f"/v1/evals/{answer.json()['id']}"
    view = ended(serving, path)
    text = serving.client.get(f"{path}/report", params={"language": "zh"}).text
    found = re.search(r'id="report">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    told = json.loads(found[1])
    assert told["language"] == "zh"
    assert told["view"]["legs"] == view["legs"]
    assert len(told["trials"]) == 12
    one = told["trials"][3]
    place = {name: one[name] for name in ("arm", "case", "attempt", "leg")}
    assert serving.client.get(f"{path}/view/trial", params=place).json() == one
    # Opened at the server's own address it is shown too, and has no part in it.
    page = browsing.person().new_page()
    page.goto(f"{serving.client.base_url}{path}/report?language=zh")
    expect(page.get_by_role("heading", level=1)).to_have_text("knives")
    expect(page.get_by_test_id("ranking")).to_contain_text("有技能")
    assert page.evaluate("window.origin") == "null"


def test_a_large_matrix_stays_quick(browsing: Browsing, serving: Serving, workspace: Path) -> None:
    names = [f"Skill {number}" for number in range(10)]
    for name in names:
        add_skill(workspace, name, text=f"{name}: write a docstring.")
    add_baseline(workspace, "Many", count=120)
    serving.client.post("/v1/index")
    answer = serving.client.post(
        "/v1/runs",
        json={"name": HOSTILE, "skills": names, "baselines": ["Many"], "repeats": 1},
    )
    assert answer.status_code == 202, answer.text
    ended(serving, f"/v1/runs/{answer.json()['id']}")
    page = browsing.person().new_page()
    page.goto(address(serving, "projects", answer.json()["id"]))
    expect(page.get_by_role("heading", level=1)).to_have_text(HOSTILE)
    expect(cells(page)).to_have_count(1000)
    assert_inert(page)
    assert_fits(page)
    page.get_by_label("Order").select_option("lowest")
    expect(cells(page)).to_have_count(1000)
    page.get_by_role("button", name="2", exact=True).click()
    expect(cells(page)).to_have_count(200)
    expect(page.get_by_text("Cases 101 to 120 of 120")).to_be_visible()
    assert_accessible(page)
    browsing.picture(page, "experiment-large")


def test_a_comparison_is_started_from_the_list(
    browsing: Browsing, serving: Serving, workspace: Path
) -> None:
    demo(workspace)
    page = browsing.person(width=NARROW).new_page()
    page.goto(f"{serving.client.base_url}/#/experiments")
    page.get_by_role("button", name="New comparison").click()
    form = page.get_by_role("dialog")
    expect(form.get_by_role("button", name="Start")).to_be_disabled()
    form.get_by_label("Name").fill(HOSTILE)
    for field, choice in (
        ("Skills", "Careful Python Writer"),
        ("Skills", "Helpful Python Assistant"),
        ("Baselines", "v1"),
    ):
        form.get_by_role("combobox", name=field).click()
        page.get_by_role("option", name=choice).click()
        page.keyboard.press("Tab")  # the list closes
    page.get_by_role("heading", name="Compare skills").click()
    assert_accessible(page)
    browsing.picture(page, "experiment-new")
    form.get_by_role("button", name="Start").click()
    expect(page).to_have_url(re.compile("#/experiments/projects/"))
    expect(page.get_by_role("heading", level=1)).to_have_text(HOSTILE)
    expect(page.get_by_test_id("settled")).to_have_text("60 of 60")
    expect(page.get_by_test_id("ranking").get_by_role("row")).to_have_count(3)
    assert_inert(page)
