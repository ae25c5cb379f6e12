"""A project told in plain words and rows; whoever shows them escapes them."""

import json
from collections.abc import Sequence

from whet.documents.comparison import CaseStanding
from whet.documents.environment import PinnedAsset
from whet.documents.result import RankingEntry
from whet.documents.verdict import Interval, Verdict
from whet.exporters.amounts import NONE, amount, percent, plain_range, signed, signed_range
from whet.exporters.plain import line
from whet.exporters.projects.figures import FULL, Column, columns, entry_title
from whet.exporters.projects.words import ProjectWords
from whet.exporters.verdict_scopes import scope_lines, short_scopes
from whet.ports.project_exporter import ProjectReport

RANKING = (
    "rank",
    "skill",
    "score",
    "checks",
    "interval",
    "failed_as_zero",
    "completed",
    "failed",
    "unscored",
    "versus",
)
"""The columns of a ranking; ``checks`` only where a case has some."""


def points(value: float | None) -> str:
    """A score of 0 to 100."""
    return amount(None if value is None else value / FULL)


def shares(interval: Interval | None) -> Interval | None:
    """An interval in points as one in shares of 1, which is what is drawn and written."""
    return interval and interval.model_copy(
        update={"low": interval.low / FULL, "high": interval.high / FULL}
    )


def in_shares(verdict: Verdict) -> Verdict:
    """A verdict in points as one in shares of 1."""
    delta = None if verdict.delta is None else verdict.delta / FULL
    return verdict.model_copy(update={"delta": delta, "interval": shares(verdict.interval)})


def headline(report: ProjectReport, words: ProjectWords) -> tuple[str, str]:
    """What it came to in a few words, and the tone of it."""
    if report.summary is None or not report.summary.ranking:
        return words.headline["unranked"], "none"
    first, *others = report.summary.ranking
    if first.avg_score is None:
        return words.headline["unscored"], "none"
    if not others:
        return words.headline["alone"].format(skill=entry_title(first)), "none"
    if report.summary.winner == first.skill_id:
        return words.headline["winner"].format(skill=entry_title(first)), "better"
    return words.headline["open"], "inconclusive"


def sentence(report: ProjectReport, words: ProjectWords) -> str | None:
    """How the first compares with the second."""
    ranking = report.summary.ranking if report.summary else ()
    if len(ranking) < 2 or (verdict := ranking[0].versus_next) is None:
        return None
    names = {"first": entry_title(ranking[0]), "second": entry_title(ranking[1])}
    if verdict.delta is None:
        return words.incomparable.format(**names)
    told = in_shares(verdict)
    numbers = words.versus["numbers"].format(
        delta=signed(told.delta),
        level=percent(verdict.interval.level if verdict.interval else 0.95),
        interval=signed_range(told.interval),
        cases=verdict.n_cases,
    )
    said = words.versus[verdict.label].format(**names, numbers=numbers)
    return " ".join([said, *scope_lines(verdict, words.code)])


def ranking_table(
    entries: Sequence[RankingEntry], words: ProjectWords
) -> tuple[list[str], list[list[str]]]:
    """The head of a ranking, and the cells of each skill."""
    has_checks = any(one.check_pass_rate is not None for one in entries)
    shown = [place for place, name in enumerate(RANKING) if has_checks or name != "checks"]
    rows = [[cells[place] for place in shown] for cells in (_row(one, words) for one in entries)]
    return [words.columns[RANKING[place]] for place in shown], rows


def _row(entry: RankingEntry, words: ProjectWords) -> list[str]:
    strict = points(entry.avg_score_failed_as_zero)
    return [
        str(entry.rank),
        entry_title(entry),
        points(entry.avg_score),
        passed_share(entry.check_pass_rate),
        plain_range(shares(entry.interval)),
        f"{strict} *" if entry.order_differs else strict,
        str(entry.completed_cases),
        str(entry.failed_cases),
        NONE if entry.unscored_cases is None else str(entry.unscored_cases),
        versus(entry.versus_next, words),
    ]


def passed_share(rate: float | None) -> str:
    """A share of checks that passed."""
    return NONE if rate is None else percent(round(rate, 3))


def versus(verdict: Verdict | None, words: ProjectWords) -> str:
    """How a skill compares with the one below it, in both scopes."""
    if verdict is None:
        return NONE
    if verdict.delta is None:
        return words.base.labels[verdict.label]
    return "; ".join(short_scopes(verdict, words.code))


def ranking_notes(entries: tuple[RankingEntry, ...], words: ProjectWords) -> list[str]:
    """What one should know to read a ranking."""
    notes = [words.notes["points"], words.notes["interval"]]
    notes += [words.notes["alone"]] if len(entries) > 2 else []
    if any(one.check_pass_rate is not None for one in entries):
        gates = sum(one.gate_failed_cases or 0 for one in entries)
        notes.append(words.notes["checks"].format(count=gates))
    if rubrics := sorted({name for one in entries for name in one.mixed_rubrics or ()}):
        notes.append(words.notes["mixed"].format(rubrics=line(", ".join(rubrics), 300)))
    return notes + ([words.notes["moved"]] if any(one.order_differs for one in entries) else [])


def marks(standing: CaseStanding) -> str:
    """The attempts at a case in a few characters."""
    several = standing.scored + standing.failed + standing.unscored + standing.missing > 1
    found = [] if standing.average is None else [points(standing.average)]
    for mark, count in (
        ("✗", standing.failed),
        ("?", standing.unscored),
        ("∅", standing.missing),
    ):
        found += [f"{mark}{count}" if several else mark] if count else []
    return " ".join(found) or NONE


def breakdown(column: Column, name: str) -> str:
    """The score of a dimension, on its own scale."""
    value = column.entry.score_breakdown.get(name) if column.entry else None
    return NONE if value is None else f"{value:.1f}"


def facts(report: ProjectReport, words: ProjectWords) -> list[tuple[str, str]]:
    """How it was measured."""
    known = report.environment
    summary = report.summary
    told = {
        "engine": " ".join(filter(None, (known.engine, known.engine_version))),
        "model": known.model,
        "options": json.dumps(known.options, ensure_ascii=False) if known.options else "",
        "flags": " ".join(known.extra_flags),
        "sandbox": known.sandbox,
        "timeout": f"{known.timeout_seconds:g}",
        "retries": str(known.retry_count),
        "repeats": str(known.repeats),
        "judges": ", ".join(known.judges),
        "readings": str(known.readings) if known.judges else "",
        "rubrics": ", ".join(f"{one.name} {one.digest[:12]}" for one in known.rubrics),
        "skills": ", ".join(map(_asset, known.skills)),
        "baselines": ", ".join(map(_asset, known.baselines)),
        "project": known.project_id,
        "created": known.created_at,
        "summarised": summary.generated_at if summary else "",
        "whet": known.whet_version or "",
    }
    return [(words.facts[name], line(text, 1000)) for name, text in told.items() if text]


def _asset(asset: PinnedAsset) -> str:
    count = f" ({asset.case_count})" if asset.case_count is not None else ""
    return f"{asset.name or asset.id} {asset.version} {asset.digest[:12]}{count}"


def banners(report: ProjectReport, words: ProjectWords, *, is_simulated: bool) -> list[str]:
    """What has to be said before anything else."""
    mark = f"failed_{report.config.failed}"
    told = [words.statuses[name] for name in (report.config.status, mark) if name in words.statuses]
    return [words.base.simulated] * is_simulated + told


def shown_columns(report: ProjectReport, most: int) -> tuple[list[Column], int]:
    """The skills that a table has room for, and how many it has not."""
    every = columns(report)
    return every[:most], max(0, len(every) - most)
