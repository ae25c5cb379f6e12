"""A verdict in one or two sentences for people."""

from dataclasses import dataclass

from whet.documents.verdict import Interval, Verdict

PERCENT = 100
_TINY = 0.005
"""Points below which a number is shown as 0."""


@dataclass(frozen=True)
class _Words:
    """The sentences of one language; names in braces are filled in."""

    labels: dict[str, str]
    versions: dict[str, str]
    """The same where the other side is an older version of the skill."""

    not_alone: str
    alike: str
    nothing: str
    with_interval: str
    without_interval: str
    counts: str
    evals: tuple[str, str]
    runs: tuple[str, str]
    missed: str
    blind: str
    end: str


_ENGLISH = _Words(
    labels={
        "better": "The skill helps: ",
        "worse": "The skill hurts: ",
        "no_difference": "No difference that matters: ",
        "inconclusive": "Too few runs to tell: ",
    },
    versions={
        "better": "Better than the old version: ",
        "worse": "Worse than the old version: ",
    },
    not_alone="Not clear enough among several comparisons: ",
    alike="Both sides came out alike in every eval: ",
    nothing="Nothing could be compared: no eval has a scored run on both sides.",
    with_interval="{delta} points ({level} % interval {low} … {high})",
    without_interval="{delta} points",
    counts=" over {evals} and {runs}",
    evals=("{count} eval", "{count} evals"),
    runs=("{count} run", "{count} runs"),
    missed=" An effect below {effect} points could easily have been missed.",
    blind=" So few evals cannot show any effect.",
    end=".",
)

_CHINESE = _Words(
    labels={
        "better": "技能有帮助：",
        "worse": "技能使结果变差：",
        "no_difference": "没有值得一提的差别：",
        "inconclusive": "运行太少，无法判断：",
    },
    versions={"better": "优于旧版本：", "worse": "不如旧版本："},
    not_alone="与其他比较一并考虑，还不够明确：",
    alike="两边在每个评测项上的结果都相同：",
    nothing="无法比较：没有任何评测项在两边都有得分。",
    with_interval="{delta} 分（{level} % 区间 {low} … {high}）",
    without_interval="{delta} 分",
    counts="，基于 {evals}、{runs}",
    evals=("{count} 个评测项", "{count} 个评测项"),
    runs=("{count} 次运行", "{count} 次运行"),
    missed="低于 {effect} 分的效果很可能被漏掉。",
    blind="评测项太少，看不出任何效果。",
    end="。",
)


def in_words(verdict: Verdict, language: str, against: str = "without_skill") -> str:
    """What the verdict says, in English or Chinese (``zh``); *against* is the other side."""
    words = _CHINESE if language == "zh" else _ENGLISH
    if verdict.delta is None:
        return words.nothing
    told = _opening(verdict, words, against)
    told += _measured(verdict.delta, verdict.interval, words)
    told += words.counts.format(
        evals=_counted(words.evals, verdict.n_cases),
        runs=_counted(words.runs, verdict.n_runs or 0),
    )
    return told + words.end + _caution(verdict, words)


def _opening(verdict: Verdict, words: _Words, against: str) -> str:
    if verdict.label == "inconclusive" and _excludes_zero(verdict.interval):
        return words.not_alone
    if verdict.label == "inconclusive" and _is_zero(verdict.interval):
        return words.alike
    known = words.versions if against == "old_skill" else {}
    return known.get(verdict.label, words.labels[verdict.label])


def _measured(delta: float, interval: Interval | None, words: _Words) -> str:
    if interval is None or _is_zero(interval):
        return words.without_interval.format(delta=_points(delta))
    return words.with_interval.format(
        delta=_points(delta),
        level=f"{interval.level * PERCENT:g}",
        low=_points(interval.low),
        high=_points(interval.high),
    )


def _caution(verdict: Verdict, words: _Words) -> str:
    interval = verdict.interval
    if verdict.label != "inconclusive" or _excludes_zero(interval) or _is_zero(interval):
        return ""
    effect = verdict.smallest_detectable_effect
    if effect is None:
        # A confidence sequence has no such effect, and sees one if it gets enough runs.
        return "" if _is_sequence(verdict.interval) else words.blind
    return words.missed.format(effect=_points(effect).lstrip("+"))


def _is_sequence(interval: Interval | None) -> bool:
    return interval is not None and interval.method.startswith("confidence sequence")


def _excludes_zero(interval: Interval | None) -> bool:
    return interval is not None and (interval.low > 0 or interval.high < 0)


def _is_zero(interval: Interval | None) -> bool:
    """Whether all differences were exactly 0, which leaves nothing to reckon chance by."""
    return interval is not None and interval.low == interval.high == 0


def _points(share: float) -> str:
    """Whole points from ten on, two digits below."""
    points = share * PERCENT
    if abs(points) < _TINY:
        return "0"
    return f"{points:+.0f}" if abs(points) >= 10 else f"{points:+.2g}"


def _counted(forms: tuple[str, str], count: int) -> str:
    return forms[count != 1].format(count=count)
