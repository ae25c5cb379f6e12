"""The page of a capability run: nothing runs, everything is there, and it never grows too large."""

import re

import pytest

from tests.exporters.capability_reports import broken, hostile, item, large, report
from tests.exporters.pages import Page, assert_harmless, assert_links_lead_somewhere
from tests.exporters.reports import HOSTILE
from whet.documents.capability import EvaluationDetail
from whet.exporters.capability.page import HtmlExporter
from whet.exporters.plain import line
from whet.ports.capability_exporter import CapabilityReport

LIMIT = 5_000_000


def exported(given: CapabilityReport, language: str = "en") -> Page:
    text = HtmlExporter().export(given, language)
    assert text.startswith("<!doctype html>\n<html lang=")
    return Page(text)


def empty() -> CapabilityReport:
    """Started, and nothing chosen."""
    made = report().detail.run.model_copy(update={"total_score": None, "status": "running"})
    return CapabilityReport(EvaluationDetail(run=made, items=()))


def reports() -> dict[str, CapabilityReport]:
    return {"calm": report(), "broken": broken(), "hostile": hostile(), "empty": empty()}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", list(reports()))
def test_a_page_runs_nothing_and_fetches_nothing(name: str, language: str) -> None:
    text = HtmlExporter().export(reports()[name], language)
    assert_harmless(Page(text), text)
    assert_links_lead_somewhere(Page(text))


def test_the_page_tells_what_matters() -> None:
    words = exported(report()).words
    for text in (
        "claude:opus on default",
        # logic: (1 · 1 + 2 · 0.5) / 3, tool: 1; (25 · 66.7 + 35 · 100) / 60
        "86.1 of 100",
        "3 of 4 cases measured: 2 passed, 1 failed.",
        "Not in the score: skipped 1.",
        "Tool calling 100.0 35 1 / 2 1 0 0 1",
        "Logical reasoning 66.7 25 2 1 1 0 0",
        "tool_2 : the agent lacks notes@lookup, ptc",
        "logic_2 : Missing: hydrogen",
        "Read ×2, Write",
        "What is asked in tool_1?",
        "It is 44.",
        'Read {"file_path": "notes.txt"}',
        'contains failed 0 1 ["hydrogen"] Missing: hydrogen',
        "exact 4",
        "claude 2.1",
        '{"max_turns": 5}',
        "bubblewrap",
        "1.5 s",
        "$0.0123",
        "mcq, short",
    ):
        assert text in words, text
    assert "Simulated" not in words


def test_what_went_wrong_is_told() -> None:
    words = exported(broken()).words
    for text in (
        "Simulated:",
        "Cancelled before its end",
        "Ended in an error: 1.",
        "Not in the score: cancelled 1, open 1.",
        "Without the cases that ended in an error it is 33.3.",
        "error error_1 : the agent crashed",
        "failed limit_1 : timeout: took more than 60 s",
        "cancelled gone_1 : the run was cancelled",
        '{"older": "shape"}',
    ):
        assert text in words, text


@pytest.mark.parametrize(("language", "code"), [("en", "en"), ("zh", "zh-CN")])
def test_both_languages(language: str, code: str) -> None:
    page = exported(report(), language)
    assert page.tags[0] == ("html", {"lang": code})
    assert ("逻辑推理" in page.words) == (language == "zh")


def test_a_run_without_items_says_so() -> None:
    words = exported(empty()).words
    assert "Nothing was measured" in words
    assert "Still running" in words
    gone = empty()
    run = gone.detail.run.model_copy(update={"reclaimable": True})
    words = exported(CapabilityReport(EvaluationDetail(run=run, items=()))).words
    assert "Interrupted: its process is gone" in words


def test_a_skipped_dimension_has_no_bar() -> None:
    text = HtmlExporter().export(report(item("a", "skipped", skip_reason="why")), "en")
    assert '<span class="bar' not in text
    assert 'skipped</span><a href="#case-1">a</a>: why' in text


def test_a_bar_is_as_long_as_its_score() -> None:
    text = HtmlExporter().export(report(), "en")
    widths = re.findall(
        r'<b>([\d.]+)</b><span class="bar ours thick"[^>]*><span style="width:([\d.]+)%', text
    )
    assert widths == [("100.0", "100.0"), ("66.7", "66.7")]


def test_hostile_text_is_shown_and_does_nothing() -> None:
    page = exported(hostile())
    assert line(HOSTILE, 80).removesuffix("…") in page.words
    known = {tag for tag, _ in exported(broken()).tags} | {
        tag for tag, _ in exported(report()).tags
    }
    assert {tag for tag, _ in page.tags} <= known


SIZES = {
    "long answers": (100, "<words> & 漢字 " * 2000, 1),
    "signs only": (100, '"' * 21_000, 1),
    "many cases": (1500, "漢字" * 200, 1),
    "many checks": (60, "<" * 700, 200),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SIZES)
def test_no_page_is_too_large(name: str) -> None:
    count, text, checks = SIZES[name]
    page = HtmlExporter().export(large(count, text, checks), "en")
    assert len(page.encode()) < LIMIT
    assert_links_lead_somewhere(Page(page))
    assert "Long texts are cut" in page


@pytest.mark.slow
def test_what_is_left_out_is_said() -> None:
    words = exported(large(2500, "漢字" * 200)).words
    assert re.search(r"\d+ further cases are left out; the JSON report has all.", words)
