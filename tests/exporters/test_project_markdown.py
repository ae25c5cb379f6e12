"""Markdown of a project, read back with a parser."""

import pytest

from tests.exporters.project_reports import broken, hostile, large, report
from tests.exporters.test_markdown import table, tokens
from whet.exporters.markdown import MOST_BYTES
from whet.exporters.projects.markdown import MarkdownExporter
from whet.ports.project_exporter import ProjectReport


def exported(given: ProjectReport, language: str = "en") -> str:
    return MarkdownExporter().export(given, language)


def test_the_outcome_comes_first() -> None:
    lines = exported(report()).splitlines()
    assert lines[0] == "# Small project: Writer v2 is the best"
    assert lines[2].startswith("Writer v2 is better than Author v1: +12.0 points (95 % interval")


def test_the_tables() -> None:
    text = exported(report())
    assert table(text, "Ranking")[1:] == [
        [
            "1",
            "Writer v2",
            "85.0",
            "80.0 … 90.0",
            "85.0",
            "2",
            "0",
            "0",
            "like these: better +12.0 (+4.0 … +20.0)",
        ],
        ["2", "Author v1", "73.0", "68.0 … 78.0", "73.0", "2", "0", "0", "–"],
    ]
    assert table(text, "Cases by skills") == [
        ["case", "Writer v2", "Author v1"],
        ["Create a test", "89.0", "72.0"],
        ["Fix a test", "81.0", "74.0"],
    ]
    assert table(text, "Time, tokens and cost")[1] == ["Writer v2", "1.5 s", "1,200", "$0.0123"]
    assert table(text, "Dimensions")[1] == ["functional\\_correctness", "25.5", "21.9"]
    assert "- Engine: claude 2.1\n" in text


def test_what_failed_is_told() -> None:
    text = exported(broken())
    assert table(text, "Cases by skills")[1:] == [
        ["Tests · Case 1", "90.0 ✗1", "10.0 ?1"],
        ["Tests · Case 2", "✗2", "?1 ∅1"],
        ["More · Case 1", "55.0 ∅1", "∅2"],
    ]
    for said in (
        "> ⚠ Simulated:",
        "> ⚠ Interrupted: results are missing.",
        "- results/x.json: has no score",
        "## Ranking on More v3",
        "- Tests · Case 2 · Author v1 · attempt 1: the judge failed – it broken",
        "\\* Counting failed attempts as zero would change the order.",
    ):
        assert said in text
    assert "模拟结果" in exported(broken(), "zh")
    assert "结果" not in exported(report())


@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_from_outside_becomes_markup(language: str) -> None:
    kinds = {token.type for token in tokens(exported(hostile(), language))}
    assert kinds.isdisjoint(
        {"link_open", "image", "html_block", "html_inline", "code_inline", "fence", "em_open"}
    )
    assert kinds.isdisjoint({"s_open", "hr", "code_block", "strong_open"})
    assert {len(row) for row in table(exported(hostile()), "Cases by skills")} == {3}
    assert {len(row) for row in table(exported(hostile()), "Ranking")} == {9}


def test_a_large_project_is_cut_and_says_so() -> None:
    text = exported(large(1, 600, 1, "漢字" * 30))
    assert len(text.encode()) <= MOST_BYTES
    assert "100 further cases are left out" in text
