"""Markdown that renders as meant: read back with a parser, not by looking for words."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.exporters.reports import (
    HOSTILE,
    alone,
    benchmark,
    broken,
    hostile,
    metadata,
    report,
    statistics,
    verdict,
)
from whet.documents.eval_statistics import EvalFinding
from whet.documents.verdict import VerdictOnThese
from whet.exporters.markdown import MOST_BYTES, MarkdownExporter, escaped
from whet.exporters.plain import line
from whet.ports.exporter import EvalReport, Leg

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def exported(given: EvalReport, language: str = "en") -> str:
    return MarkdownExporter().export(given, language)


def tokens(text: str) -> list[Token]:
    found = PARSER.parse(text)
    return [*found, *(child for token in found for child in token.children or ())]


def table(text: str, heading: str) -> list[list[str]]:
    """The cells of the first table below a heading."""
    found = PARSER.parse(text)
    place = next(i for i, one in enumerate(found) if one.content == heading)
    start = next(i for i in range(place, len(found)) if found[i].type == "table_open")
    end = next(i for i in range(start, len(found)) if found[i].type == "table_close")
    rows: list[list[str]] = []
    for at in range(start, end):
        if found[at].type == "tr_open":
            rows.append([])
        if found[at].type == "inline":
            rows[-1].append(found[at].content)
    return rows


def test_the_verdict_comes_first() -> None:
    lines = exported(report()).splitlines()
    assert lines[0] == "# testing: Better"
    assert lines[2].startswith("The skill helps: +12.0 points (95 % interval +4.0 … +20.0)")


def test_the_configurations_side_by_side() -> None:
    assert table(exported(report()), "Configurations") == [
        ["", "with skill", "without skill", "difference"],
        ["score", "80.0 ± 3.0", "68.0 ± 3.0", "+12.0"],
        ["expectations met", "80.0 ± 5.0", "68.0 ± 5.0", "+12.0"],
        ["rubric", "80.0 ± 4.0", "68.0 ± 4.0", "+12.0"],
        ["consistency", "96.0", "96.0", "0.0"],
        ["time", "45.2 ± 12.0 s", "45.2 ± 12.0 s", "0.0 s"],
        ["tokens", "3,800 ± 400", "3,800 ± 400", "0"],
        ["cost", "$0.0123 ± 0.0010", "$0.0123 ± 0.0010", "$0.0000"],
    ]


def test_the_evals_and_what_more_runs_would_show() -> None:
    text = exported(report())
    assert table(text, "Evals")[1:] == [
        ["Create a test", "90.0", "70.0", "+20.0", "2"],
        ["Fix a test", "70.0", "66.0", "+4.0", "2"],
    ]
    assert table(text, "What more runs would show")[1:] == [
        ["2", "2", "8", "–", "–"],
        ["12", "2", "48", "15.0", "–"],
    ]


def test_findings_come_with_the_gravest_first() -> None:
    text = exported(report())
    assert text.index("**passes on nothing**: Create a test · S2: matched no file") < text.index(
        "**flaky**: Fix a test · with skill: 1 of 2 pass"
    )


def test_how_it_was_measured() -> None:
    text = exported(report())
    for fact in (
        "Engine: claude 2.1",
        "Model: sonnet",
        "Judge: model codex:gpt",
        "Sandbox: bubblewrap",
        "Interval: 95 %, paired t",
        "p-value: 0.0123",
        "Weights in the score: pass rate over all expectations 0.4, rubric 0.6",
    ):
        assert f"- {fact}\n" in text


@pytest.mark.parametrize(("language", "word"), [("en", "Simulated"), ("zh", "模拟结果")])
def test_what_is_simulated_partial_or_missing_is_said(language: str, word: str) -> None:
    text = exported(report(broken()), language)
    assert word in text
    assert "eval 3 · " in text
    assert "rate limit" in text
    assert "eval 2, run 1: the judge failed" in text
    assert word not in exported(report(), language)


def test_without_a_comparison_there_is_no_difference() -> None:
    text = exported(report(alone()))
    assert "Nothing was compared" in text
    assert table(text, "Configurations")[0] == ["", "with skill"]
    assert table(text, "Evals") == [
        ["eval", "with skill"],
        ["Create a test", "80.0"],
        ["Fix a test", "80.0"],
    ]


def test_several_legs_have_a_table_above_and_their_own_labels() -> None:
    two = report(
        benchmark(),
        benchmark(metadata=metadata("codex"), verdict=verdict("worse", -0.1, None)),
    )
    second = replace(two.legs[1], label="inconclusive")
    text = exported(replace(two, legs=(two.legs[0], second)))
    assert table(text, "Engines and models")[1:] == [
        ["claude", "sonnet", "Better", "+12.0", "+4.0 … +20.0"],
        ["codex", "sonnet", "Inconclusive", "−10.0", "−18.0 … −2.0"],
    ]
    assert "## codex · sonnet: Inconclusive" in text
    assert "Holm" in text


def test_nothing_from_outside_becomes_markup() -> None:
    for language in ("en", "zh"):
        found = tokens(exported(hostile(), language))
        kinds = {token.type for token in found}
        assert kinds.isdisjoint(
            {"link_open", "image", "html_block", "html_inline", "code_inline", "fence", "em_open"}
        )
        assert kinds.isdisjoint({"s_open", "hr", "code_block", "blockquote_close"})
        headings = [
            one.content for one in found if one.type == "inline" and "heading" in one.content
        ]
        assert all("\n" not in content for content in headings)
        strong = [i for i, one in enumerate(found) if one.type == "strong_open"]
        assert {found[i + 1].content for i in strong} <= {"flaky", "不稳定"}


def test_a_table_keeps_its_columns_whatever_a_name_holds() -> None:
    rows = table(exported(hostile()), "Evals")
    assert [len(row) for row in rows] == [5, 5]
    assert rows[1][1:] == ["10.0", "20.0", "−10.0", "2"]


def rendered(text: str) -> str:
    """What a reader sees of an item of a list."""
    found = PARSER.parse(f"- {escaped(text)}\n")
    assert [one.type for one in found] == [
        "bullet_list_open",
        "list_item_open",
        "paragraph_open",
        "inline",
        "paragraph_close",
        "list_item_close",
        "bullet_list_close",
    ]
    children = found[3].children or []
    assert {one.type for one in children} <= {"text", "text_special"}
    return "".join(one.content for one in children)


printable = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=40)


@given(printable | st.text(min_size=1, max_size=60))
def test_what_is_escaped_reads_as_it_was(text: str) -> None:
    shown = line(text)
    if shown:
        assert rendered(text) == shown.replace("@", "@\u200b")


@pytest.mark.parametrize(
    "text",
    [
        "1. x",
        "12) y",
        "1.",
        "---",
        "- x",
        "+ x",
        "# x",
        "= x",
        "> x",
        "***",
        "a|b",
        "<b>",
        "&lt;",
        "_a_",
        "**b**",
        "~~s~~",
        "`c`",
    ],
)
def test_nothing_begins_at_the_beginning(text: str) -> None:
    assert rendered(text) == text


@pytest.mark.parametrize("text", ["https://a.invalid/x", "HTTP://a.invalid", "WWW.a.invalid"])
def test_an_address_is_no_link_even_where_addresses_become_links(text: str) -> None:
    assert "://" not in escaped(text)
    assert "www." not in escaped(text).lower()


def test_nothing_of_html_is_left() -> None:
    assert not re.search("[<>]", escaped(HOSTILE, 2000))


def test_nobody_is_called() -> None:
    assert "@s" not in escaped("@somebody")


def test_a_summary_stays_below_the_limit_and_says_so() -> None:
    many = tuple(
        EvalFinding(kind="flaky", eval_id=1, text=f"{number} 漏" + "漏" * 300)
        for number in range(200)
    )
    legs = tuple(Leg(benchmark(statistics=statistics(findings=many))) for _ in range(20))
    text = exported(EvalReport("testing", legs))
    assert MOST_BYTES - 3000 < len(text.encode()) <= MOST_BYTES
    assert text.endswith(
        "The report was cut off here: it is too long. benchmark.json has the rest.\n"
    )
    assert "… and 100 more." in text


def test_hostile_text_is_what_we_think_it_is() -> None:
    assert {"link_open", "image", "html_block", "heading_open"} & {
        token.type for token in tokens(HOSTILE)
    }


def test_few_evals_that_are_decided_by_themselves_say_so_in_the_heading() -> None:
    these = VerdictOnThese(label="better", interval=None)
    leg = report().legs[0]
    verdict = leg.benchmark.verdict
    assert verdict is not None
    few = verdict.model_copy(update={"label": "inconclusive", "needs": "cases", "on_these": these})
    text = exported(replace(report(), legs=(replace(leg, label="inconclusive", verdict=few),)))
    assert "Better on these evals" in text.splitlines()[0]
