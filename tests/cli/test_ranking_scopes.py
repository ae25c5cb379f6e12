"""Both scopes stand beside every place of a ranking, not beside the first alone."""

import io

import pytest
from rich.console import Console

from whet.cli.ranking import RankingWords, standings
from whet.documents.result import RankingEntry, Summary
from whet.documents.verdict import Interval, Label, Verdict, VerdictOnThese
from whet.exporters.projects.telling import ranking_table
from whet.exporters.projects.words import BY_LANGUAGE
from whet.exporters.verdict_scopes import scope_lines, short_scopes

RANGE = Interval(low=1.5, high=9.5, level=0.95, method="t")


def verdict(like: Label, these: Label, cases: int = 8, *, few: bool = False) -> Verdict:
    return Verdict(
        label=like,
        delta=5.5,
        interval=RANGE,
        n_cases=cases,
        needs="cases" if few else None,
        on_these=VerdictOnThese(
            label=these, interval=None if few else RANGE, needs="repeats" if few else None
        ),
    )


def entry(rank: int, against: Verdict | None, *, failed: int = 0) -> RankingEntry:
    return RankingEntry(
        rank=rank,
        skill_id=f"id-{rank}",
        skill_name=f"Skill {rank}",
        skill_version="v1",
        completed_cases=8,
        failed_cases=failed,
        avg_score=90.0 - rank,
        score_breakdown={},
        versus_next=against,
    )


ENTRIES = (
    entry(1, verdict("inconclusive", "better")),
    entry(2, verdict("better", "better"), failed=1),
    entry(3, verdict("inconclusive", "inconclusive", 1, few=True)),
    entry(4, None),
)


def shown(language: str) -> str:
    summary = Summary.parse(
        {
            "project_id": "p",
            "generated_at": "2026-01-01T00:00:00Z",
            "total_cases": 8,
            "ranking": [one.to_data() for one in ENTRIES],
            "winner": None,
        },
        "summary.json",
    )
    console = Console(file=io.StringIO(), width=120)
    standings(console, "Four", summary, RankingWords(language))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_every_place_tells_both_scopes_in_the_terminal() -> None:
    text = shown("en")
    for said in (
        "like these: no clear lead (5.5)",
        "on these: beats the next by 5.5",
        "on these alone, too",
        "like these: too few cases",
        "on these: too few attempts",
        "1 case failed",
    ):
        assert said in text
    assert "类似用例" in shown("zh")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_place_tells_both_scopes_in_a_report(language: str) -> None:
    _, rows = ranking_table(ENTRIES, BY_LANGUAGE[language])
    told = [row[-1] for row in rows]
    assert [one.count(";") for one in told] == [1, 1, 1, 0]
    if language == "en":
        assert told[0] == (
            "like these: inconclusive +5.5 (+1.5 … +9.5); on these: better +5.5 (+1.5 … +9.5)"
        )
        assert told[2] == "like these: too few cases; on these: too few attempts"


def test_one_case_is_said_in_the_singular() -> None:
    few = verdict("inconclusive", "inconclusive", 1, few=True)
    assert scope_lines(few, "en")[1].startswith("On this 1 case alone: ")
    assert short_scopes(few, "zh") == ["类似用例：用例太少", "这些用例：尝试次数太少"]
