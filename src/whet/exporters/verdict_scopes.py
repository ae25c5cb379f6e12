"""Both scopes of a verdict, a line each: on cases like these, and on these cases alone."""

from dataclasses import dataclass

from whet.documents.verdict import Interval, Verdict
from whet.stats.comparison import COMFORTABLE_CASES, fewest_cases, fewest_runs

PERCENT = 100


@dataclass(frozen=True)
class _ScopeWords:
    """One line for each scope, wherever two arms of a project or a run are compared."""

    like_these: str
    on_these: str
    labels: dict[str, str]
    measured: str
    too_few_cases: str
    too_few_runs: str


_SCOPES = {
    "en": _ScopeWords(
        like_these="On cases like these: {said}",
        on_these="On these {count} cases alone: {said}",
        labels={
            "better": "better",
            "worse": "worse",
            "no_difference": "no difference that matters",
            "inconclusive": "inconclusive",
        },
        measured="{label}, {delta:+.1f} ({level:g} % interval {low:+.1f} … {high:+.1f}).",
        too_few_cases="{count} are too few to tell: at least {least}, better {better}; more"
        " attempts will not change that.",
        too_few_runs="not told: each case needs {count} attempts or more.",
    ),
    "zh": _ScopeWords(
        like_these="就类似的用例而言：{said}",
        on_these="仅就这 {count} 个用例而言：{said}",
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
