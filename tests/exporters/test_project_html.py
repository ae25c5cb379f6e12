"""The page of a project: nothing runs, everything is there, and it never grows too large."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.exporters.pages import Page, assert_harmless, assert_links_lead_somewhere
from tests.exporters.project_reports import (
    AUTHOR,
    WRITER,
    broken,
    config,
    entry,
    environment,
    hostile,
    large,
    report,
    summary,
)
from tests.exporters.reports import HOSTILE
from whet.exporters.html.room import SharedRoom, fair_share, fitting
from whet.exporters.html.tags import Html
from whet.exporters.plain import line
from whet.exporters.projects.drawing import ranking
from whet.exporters.projects.page import HtmlExporter
from whet.ports.project_exporter import ProjectReport

LIMIT = 5_000_000


def exported(given: ProjectReport, language: str = "en") -> Page:
    text = HtmlExporter().export(given, language)
    assert text.startswith("<!doctype html>\n<html lang=")
    return Page(text)


def empty() -> ProjectReport:
    """Made, and never run."""
    given = config().model_copy(update={"status": "pending"})
    return ProjectReport(given, environment(given), None, ())


def reports() -> dict[str, ProjectReport]:
    alone = summary(entry(1, WRITER, 85.0))
    return {
        "calm": report(),
        "broken": broken(),
        "hostile": hostile(),
        "empty": empty(),
        "alone": report(summary=alone),
        "unscored": report(summary=summary(entry(1, WRITER, None), entry(1, AUTHOR, None))),
    }


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", list(reports()))
def test_a_page_runs_nothing_and_fetches_nothing(name: str, language: str) -> None:
    text = HtmlExporter().export(reports()[name], language)
    assert_harmless(Page(text), text)
    assert_links_lead_somewhere(Page(text))


def test_in_a_narrow_window_every_number_of_the_ranking_says_what_it_is() -> None:
    """There the columns are gone, as nine of them are wider than the window."""
    text = HtmlExporter().export(report(), "en")
    assert ".ranking td::before{content:attr(data-name)" in text
    body = text.partition('class="ranking"')[2].partition("</table>")[0]
    names = re.findall(r'<th scope="col">([^<]+)</th>', body)
    assert len(names) == 9
    assert re.findall(r'<td data-name="([^"]+)">', body) == names * 2


def test_the_page_tells_what_matters() -> None:
    words = exported(report()).words
    for text in (
        "Small project",
        "What it is about.",
        "Writer v2 is the best",
        "Writer v2 is better than Author v1: +12.0 points (95 % interval +4.0 … +20.0) over 2",
        "80.0 … 90.0",
        "like these: better +12.0 (+4.0 … +20.0)",
        "functional_correctness 25.5 21.9",
        "1.5 s 1,200 $0.0123",
        "claude 2.1",
        '{"max_turns": 5}',
        "six_dimensions aaaaaaaaaaaa",
        "Fix a test · case_002 · standard · weight 2",
        "Please do number 2.",
        "Writer v2 · attempt 1 · score 90.0 · 1.5 s · $0.0123",
        "The answer of Writer to case_001.",
        "Reads well.",
    ):
        assert text in words


def test_what_failed_is_marked_and_told() -> None:
    words = exported(broken()).words
    for text in (
        "Simulated:",
        "Interrupted: results are missing.",
        "Warnings: 1.",
        "results/x.json: has no score",
        "No skill is clearly the best",
        "It is not clear whether Writer v2 or Author v1 is better",
        "45.0 *",
        "* Counting failed attempts as zero would change the order.",
        "Ranking on More v3",
        "Tests · Case 1 90.0 ✗1 10.0 ?1",
        "Tests · Case 2 ✗2 ?1 ∅1",
        "More · Case 1 55.0 ∅1 ∅2",
        "the judge failed Tests · Case 2 · Author v1 · attempt 1: it broken",
        "skipped Tests · Case 2 · Author v1 · attempt 2: it skipped",
        "Author v1 · not run",
    ):
        assert text in words


def test_a_colour_is_never_alone() -> None:
    for one in (report(), broken()):
        page = HtmlExporter().export(one, "en")
        for cell in re.findall(r'<td class="(?:s\d|no|open)"[^>]*>(.*?)</td>', page):
            assert re.search(r"\d|[✗?∅–]", cell), cell


def test_a_project_without_results_says_so() -> None:
    words = exported(empty()).words
    assert "No ranking yet" in words
    assert "Not run yet" in words


def test_a_single_skill_is_compared_with_nobody() -> None:
    words = exported(reports()["alone"]).words
    assert "Writer v2 was tried alone" in words
    assert "No skill has a score" in exported(reports()["unscored"]).words


@pytest.mark.parametrize(("language", "code"), [("en", "en"), ("zh", "zh-CN")])
def test_both_languages(language: str, code: str) -> None:
    page = exported(report(), language)
    assert page.tags[0] == ("html", {"lang": code})
    assert ("Writer v2 最好" in page.words) == (language == "zh")


def test_hostile_text_is_shown_and_does_nothing() -> None:
    page = exported(hostile())
    assert line(HOSTILE, 80).removesuffix("…") in page.words
    assert {tag for tag, _ in page.tags} <= {tag for tag, _ in exported(broken()).tags}


SIZES = {
    "five by a hundred": (5, 100, 1, "<words> & 漢字 " * 2000),
    "signs only": (5, 100, 1, '"' * 21_000),
    "many skills": (120, 8, 1, "<" * 3000),
    "many cases": (1, 2500, 1, "漢字" * 200),
    "many attempts": (2, 3, 300, "'" * 800),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SIZES)
def test_no_page_is_too_large(name: str) -> None:
    text = HtmlExporter().export(large(*SIZES[name]), "en")
    assert len(text.encode()) < LIMIT
    page = Page(text)
    assert_links_lead_somewhere(page)
    assert "Long texts are cut" in page.words


@pytest.mark.slow
def test_what_is_left_out_is_said() -> None:
    many = exported(large(1, 2500, 1, "漢字" * 200)).words
    assert re.search(r"\d{4} further cases are left out; the JSON report has all.", many)
    assert "70 further skills are left out" in exported(large(120, 2, 1, "x")).words


@pytest.mark.slow
def test_every_answer_of_a_large_project_has_its_share() -> None:
    page = HtmlExporter().export(large(5, 100, 1, "漢" * 20_000), "en")
    shown = [len(text) for text in re.findall(r"<pre[^>]*>(漢+)", page)]
    assert len(shown) == 2 * 100 + 3 * 500
    assert min(shown) > 300
    assert max(shown) == min(shown)


def test_short_texts_are_whole_and_long_ones_share_the_rest() -> None:
    assert fair_share([10, 20, 30], 100) == 30
    assert fair_share([10, 100, 100], 110) == 50
    assert fair_share([100, 100], 0) == 0
    assert fair_share([], 7) == 7


@given(st.lists(st.integers(0, 50), max_size=8), st.integers(0, 200))
def test_shares_never_exceed_the_room(sizes: list[int], room: int) -> None:
    share = fair_share(sizes, room)
    taken = sum(min(size, share) for size in sizes)
    assert taken <= room
    if sizes and share < max(sizes):
        assert taken + sum(size > share for size in sizes) > room, "one more byte each is too much"


@given(st.lists(st.text(st.sampled_from("<&\"'a漢\n"), max_size=60), min_size=1, max_size=6))
def test_shared_room_holds_all_texts(texts: list[str]) -> None:
    room = SharedRoom(texts, 100)
    for text in texts:
        shown = room.text(text)
        inner = shown.removeprefix('<pre tabindex="0">').removesuffix("</pre>")
        assert len(inner.encode()) <= max(room.limit, len(f"\n[… {len(text)}]".encode()))


def test_at_least_one_node_fits() -> None:
    nodes = [Html("<i></i>")] * 3
    assert fitting(nodes, 0) == nodes[:1]
    assert fitting(nodes, 14) == nodes[:2]
    assert fitting([], 10) == []


def test_scores_are_drawn_where_they_are() -> None:
    # 85 (80 … 90) between 24 and 616: each point is 5.92 wide.
    text = str(ranking([entry(1, WRITER, 85.0)]))
    point = re.search(r'cx="([\d.]+)"', text)
    bar = re.search(r'class="range" x="([\d.]+)".*? width="([\d.]+)"', text)
    assert point is not None
    assert bar is not None
    assert float(point[1]) == pytest.approx(24 + 85 * 5.92, abs=0.1)
    assert float(bar[1]) == pytest.approx(24 + 80 * 5.92, abs=0.1)
    assert float(bar[2]) == pytest.approx(10 * 5.92, abs=0.1)
    assert 'aria-label="Writer v2: 85.0 (80.0 … 90.0)"' in text
    assert ranking([entry(1, WRITER, None)]) is None
