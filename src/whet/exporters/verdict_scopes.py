"""Both scopes of a verdict, a line each: on cases like these, and on these cases alone."""

from dataclasses import dataclass

from whet.core.counts import CountedText
from whet.documents.verdict import Interval, Verdict
from whet.stats.comparison import COMFORTABLE_CASES, fewest_cases, fewest_runs

PERCENT = 100


@dataclass(frozen=True)
class _ScopeWords:
    """One line for each scope, wherever two arms of a project or a run are compared."""

    like_these: str
    on_these: str
    short: tuple[str, str]
    few_cases: str
    few_runs: str
    labels: dict[str, str]
    measured: str
    too_few_cases: str
    too_few_runs: str


_SCOPES = {
    "en": _ScopeWords(
        like_these="On cases like these: {said}",
        on_these=CountedText("On {count:this # case|these # cases} alone: {said}"),
        short=("like these: {said}", "on these: {said}"),
        few_cases="too few cases",
        few_runs="too few attempts",
        labels={
            "better": "better",
            "worse": "worse",
            "no_difference": "no difference that matters",
            "inconclusive": "inconclusive",
        },
        measured="{label}, {delta:+.1f} ({level:g} % interval {low:+.1f} … {high:+.1f}).",
        too_few_cases="too few to tell ({count}): at least {least}, better {better}; more"
        " attempts will not change that.",
        too_few_runs=CountedText("not told: each case needs {count:attempt|attempts} or more."),
    ),
    "zh": _ScopeWords(
        like_these="就类似的用例而言：{said}",
        on_these="仅就这 {count} 个用例而言：{said}",
        short=("类似用例：{said}", "这些用例：{said}"),
        few_cases="用例太少",
        few_runs="尝试次数太少",
        labels={
            "better": "更好",
            "worse": "更差",
            "no_difference": "没有值得一提的差异",
            "inconclusive": "尚无定论",
        },
        measured="{label}，{delta:+.1f}（{level:g} % 区间 {low:+.1f} … {high:+.1f}）。",
        too_few_cases="{count} 个用例太少，无法判断：至少 {least} 个，最好 {better} 个；"
        "增加尝试次数无济于事。",
        too_few_runs="无法判断：每个用例至少要尝试 {count} 次。",
    ),
}


def scope_lines(verdict: Verdict, language: str) -> list[str]:
    """Both scopes of a verdict in points, a line each; none where nothing was compared."""
    if verdict.delta is None:
        return []
    words = _SCOPES["zh" if language == "zh" else "en"]
    count, these = verdict.n_cases, verdict.on_these
    said = _scope(verdict.label, verdict.delta, verdict.interval, words)
    if verdict.needs:
        said = words.too_few_cases.format(
            count=count, least=fewest_cases(), better=COMFORTABLE_CASES
        )
    lines = [words.like_these.format(said=said)]
    if these is not None:
        told = _scope(these.label, verdict.delta, these.interval, words)
        if these.needs:
            told = words.too_few_runs.format(count=fewest_runs(count))
        lines.append(words.on_these.format(count=count, said=told))
    return lines


def short_scopes(verdict: Verdict, language: str, *, with_intervals: bool = True) -> list[str]:
    """Both scopes of a verdict in a few words each, for a cell of a table; none where nothing was
    compared."""
    if verdict.delta is None:
        return []
    words = _SCOPES["zh" if language == "zh" else "en"]
    like, on = words.short
    delta = verdict.delta

    def short(label: str, interval: Interval | None) -> str:
        known = words.labels[label]
        if interval is None or not with_intervals:
            return known
        return f"{known} {delta:+.1f} ({interval.low:+.1f} … {interval.high:+.1f})"

    said = words.few_cases if verdict.needs else short(verdict.label, verdict.interval)
    found = [like.format(said=said)]
    if (these := verdict.on_these) is not None:
        told = words.few_runs if these.needs else short(these.label, these.interval)
        found.append(on.format(said=told))
    return found


def _scope(label: str, delta: float, interval: Interval | None, words: _ScopeWords) -> str:
    if interval is None:
        return words.labels[label]
    return words.measured.format(
        label=words.labels[label],
        delta=delta,
        level=interval.level * PERCENT,
        low=interval.low,
        high=interval.high,
    )
