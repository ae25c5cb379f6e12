"""One page that needs nothing, runs nothing and shows everything."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.exporters.pages import Page, assert_harmless, assert_links_lead_somewhere
from tests.exporters.reports import (
    HOSTILE,
    alone,
    benchmark,
    broken,
    hostile,
    metadata,
    report,
    verdict,
)
from whet.exporters.html import HtmlExporter
from whet.exporters.html.details import Room
from whet.exporters.html.drawing import interval
from whet.exporters.html.tags import Html, joined, tag
from whet.exporters.plain import line
from whet.exporters.words import ENGLISH
from whet.ports.exporter import EvalReport


def exported(given: EvalReport, language: str = "en") -> Page:
    text = HtmlExporter().export(given, language)
    assert text.startswith("<!doctype html>\n<html lang=")
    return Page(text)


def reports() -> dict[str, EvalReport]:
    return {
        "calm": report(),
        "broken": report(broken()),
        "alone": report(alone()),
        "hostile": hostile(),
        "two": report(benchmark(), benchmark(metadata=metadata("codex"), verdict=None)),
        "empty": EvalReport("nothing", ()),
    }


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", list(reports()))
def test_a_page_runs_nothing_and_fetches_nothing(name: str, language: str) -> None:
    text = HtmlExporter().export(reports()[name], language)
    assert_harmless(Page(text), text)


@pytest.mark.parametrize("name", list(reports()))
def test_every_link_leads_to_one_place(name: str) -> None:
    assert_links_lead_somewhere(exported(reports()[name]))


def test_the_page_tells_what_matters() -> None:
    words = exported(report()).words
    for text in (
        "Better",
        "The skill helps: +12.0 points",
        "80.0 ± 3.0",
        "▲ +20.0",
        "passes on nothing",
        "claude 2.1",
        "Please create a test.",
        "A test that fails first.",
        "S1: Test file created (critical)",
        "✗ with skill 2: line 12",
        "Reads well.",
        "4/5",
        "✗ All rules tested – no",
        "I wrote the test.",
        "test('it', () => {})",
        "a.test.ts",
    ):
        assert text in words


def test_a_colour_is_never_alone() -> None:
    page = HtmlExporter().export(report(), "en")
    for cell in re.findall(r'<td class="(?:s\d|up|down|yes|no)"[^>]*>(.*?)</td>', page):
        assert re.search(r"\d|[✓✗▲▼]", cell), cell


def test_expectations_by_runs() -> None:
    page = HtmlExporter().export(report(), "en")
    row = re.search(r"<tr><td>Uses a fixture</td>(.*?)</tr>", page)
    assert row is not None
    assert re.findall(r">([✓✗–])<", row[1]) == ["✓", "✗", "✗", "✗"]


@pytest.mark.parametrize(
    ("language", "code", "simulated", "partial"),
    [("en", "en", "Simulated:", "Partial:"), ("zh", "zh-CN", "模拟结果：", "结果不完整：")],
)
def test_both_languages_say_what_is_simulated_and_missing(
    language: str, code: str, simulated: str, partial: str
) -> None:
    page = exported(report(broken()), language)
    assert page.tags[0] == ("html", {"lang": code})
    assert simulated in page.words
    assert partial in page.words
    assert "rate limit" in page.words
    assert simulated not in exported(report(), language).words


def test_hostile_text_is_shown_and_does_nothing() -> None:
    page = exported(hostile())
    assert line(HOSTILE, 100).removesuffix("…") in page.words
    calm = exported(replace(report(), warnings=("!",)))
    assert {tag for tag, _ in page.tags} <= {tag for tag, _ in calm.tags}


@given(st.text(st.characters(exclude_categories=()), max_size=60))
def test_any_text_is_only_text(text: str) -> None:
    page = exported(EvalReport(text, (), warnings=(text,)))
    assert line(text, 120) in "".join(page.text)


def test_text_is_escaped_unless_it_is_html() -> None:
    assert (
        tag("p", "<b>", Html("<i></i>"), title='"<') == '<p title="&quot;&lt;">&lt;b&gt;<i></i></p>'
    )
    assert joined(["a", None, Html("&amp;"), "&"]) == "a&amp;&amp;"
    assert isinstance(joined(["a"]), Html)
    assert tag("td", cls="x", open=True, hidden=False) == '<td class="x" open></td>'


def places(found: Html | None) -> tuple[float, float, float, float]:
    """Where zero, the point and the ends of the range are drawn."""
    text = str(found)

    def number(pattern: str) -> float:
        match = re.search(pattern, text)
        assert match is not None
        return float(match[1])

    left, wide = number(r'class="range" x="([\d.]+)"'), number(r'width="([\d.]+)"')
    return number(r'class="zero" x1="([\d.]+)"'), number(r'cx="([\d.]+)"'), left, left + wide


def test_the_interval_is_drawn_around_zero() -> None:
    # +12 (+4 … +20) on a line that ends at ±20: the ends are 280 from the middle at 320.
    zero, point, low, high = places(interval(verdict(), "better", ENGLISH))
    assert (zero, point, low, high) == pytest.approx((320, 320 + 168, 320 + 56, 320 + 280))


@given(st.floats(-1, 1), st.floats(0.01, 0.5))
def test_the_interval_holds_its_point_and_lies_on_the_right_side(delta: float, half: float) -> None:
    low, high = max(-1.0, delta - half), min(1.0, delta + half)
    found = verdict("inconclusive", delta, None)
    around = found.interval
    assert around is not None
    around = around.model_copy(update={"low": low, "high": high})
    found = found.model_copy(update={"interval": around})
    zero, point, left, right = places(interval(found, "inconclusive", ENGLISH))
    assert 40 - 0.1 <= left <= point + 0.1
    assert point - 0.1 <= right <= 600 + 2
    if low > 0.01:
        assert left > zero
    if high < -0.01:
        assert right < zero + 2


def test_without_a_difference_nothing_is_drawn() -> None:
    assert interval(verdict("inconclusive", None, None), "inconclusive", ENGLISH) is None
    assert "<svg" not in HtmlExporter().export(report(broken()), "en")


def test_a_page_has_room_for_so_much() -> None:
    room = Room(10)
    assert room.text("12345", ENGLISH) == '<pre tabindex="0">12345</pre>'
    assert "left out" in room.text("123456", ENGLISH)
    assert room.text("12345", ENGLISH).startswith("<pre")
    assert "left out" in room.text("1", ENGLISH)
