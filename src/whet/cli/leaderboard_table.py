"""The leaderboard for people."""

from collections.abc import Callable, Sequence

from rich.table import Table
from rich.text import Text

from whet.cli.asset_output import cell, line, plain_table
from whet.cli.leaderboard_words import BoardWords
from whet.cli.project_text import share
from whet.documents.base import Number
from whet.documents.leaderboard import LeaderboardGroup, LeaderboardRecord
from whet.documents.verdict import Interval
from whet.rank.leaderboard import ScorePoint

FIXED = ("score", "checks", "interval", "cases", "tested_at", "version", "on")
LEVEL = 0.95
"""Of the heading; another one is told."""

Column = Callable[[LeaderboardRecord], Text]


def title(group: LeaderboardGroup, words: BoardWords) -> Text:
    """A baseline in a line above its records."""
    text = cell(group.baseline_name, 80)
    text.stylize("bold")
    version = group.baseline_version_current
    text.append(f"  {line(version, 20) if version else words.gone}  ")
    about = words.title.format(
        purpose=line(group.baseline_purpose, 60) or "–",
        cases=group.baseline_case_count,
        skills=group.skill_count,
    )
    return text.append(about, "dim")


def records(found: Sequence[LeaderboardRecord], words: BoardWords, *, is_flat: bool) -> Table:
    """A table of records; without a baseline above it, each names its own."""
    columns: dict[str, Column] = {
        "skill": lambda one: _skill(one, words),
        "score": lambda one: _score(one.avg_score),
        "checks": lambda one: Text(share(one.check_pass_rate), justify="right"),
        "interval": lambda one: _interval(one.interval),
        "cases": lambda one: Text(f"{one.completed_cases}/{one.case_count}", justify="right"),
        "tested_at": lambda one: cell(one.tested_at[:10]),
    }
    if is_flat:
        columns["baseline"] = _baseline
    else:
        columns["project"] = lambda one: _project(one, words)
    if all(one.check_pass_rate is None for one in found):
        del columns["checks"]
    table = _table(columns, words)
    for one in found:
        table.add_row(*(made(one) for made in columns.values()))
    return table


def points(found: Sequence[ScorePoint], words: BoardWords) -> Table:
    """How a skill did on one baseline, point by point."""
    table = _table(("version", "on", "score", "interval", "tested_at", "project"), words)
    for one in found:
        interval = Interval.parse(one.interval, "the index") if one.interval else None
        project = cell(one.project_name, 80)
        if one.simulated:
            project.append(f"\n{words.simulated}", "yellow")
        table.add_row(
            cell(one.version, 20),
            cell(one.baseline_version, 20),
            _score(one.avg_score),
            _interval(interval),
            cell(one.tested_at[:10]),
            project,
        )
    return table


def _table(columns: Sequence[str] | dict[str, Column], words: BoardWords) -> Table:
    names = (words.columns[name] for name in columns)
    return plain_table(names, (words.columns[name] for name in FIXED))


def _skill(one: LeaderboardRecord, words: BoardWords) -> Text:
    text = cell(one.skill_name, 80).append(f" {line(one.skill_version_tested, 20)}", "dim")
    doubts = [words.simulated] if one.simulated else []
    if one.mixed_rubrics:
        doubts.append(words.mixed.format(rubrics=line(", ".join(one.mixed_rubrics), 200)))
    if one.staleness in ("skill_updated", "both_updated"):
        version = one.skill_version_current
        newer = words.skill_newer.format(version=line(version or "", 20))
        doubts.append(newer if version else words.skill_gone)
    if one.staleness in ("baseline_updated", "both_updated"):
        version = one.baseline_version_current
        newer = words.baseline_newer.format(version=line(version or "", 20))
        doubts.append(newer if version else words.baseline_gone)
    for doubt in doubts:
        text.append(f"\n{doubt}", "yellow")
    # Here and not beside their number, where they would leave no room for names.
    if one.failed_cases:
        text.append(f"\n{words.failed.format(count=one.failed_cases)}", "red")
    if one.gate_failed_cases:
        text.append(f"\n{words.gate_failed.format(count=one.gate_failed_cases)}", "red")
    return text


def _score(score: Number | None) -> Text:
    return Text("–" if score is None else f"{score:.1f}", "bold", justify="right")


def _interval(interval: Interval | None) -> Text:
    if interval is None:
        return Text("–")
    text = Text(f"{interval.low:.1f} … {interval.high:.1f}")
    return text if interval.level == LEVEL else text.append(f"\n{interval.level:.1%}", "yellow")


def _project(one: LeaderboardRecord, words: BoardWords) -> Text:
    text = cell(one.project_name, 80)
    if one.baseline_version_tested == one.baseline_version_current:
        return text
    tested = f"{words.columns['baseline']} {line(one.baseline_version_tested, 20)}"
    return text.append(f"\n{tested}", "dim")


def _baseline(one: LeaderboardRecord) -> Text:
    text = cell(one.baseline_name, 80).append(f" {line(one.baseline_version_tested, 20)}", "dim")
    return text.append(f"\n{line(one.project_name, 80)}", "dim")
