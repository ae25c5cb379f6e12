"""A verdict in a few sentences for people: what is known, of what, and what would settle it."""

from dataclasses import dataclass

from whet.core.counts import CountedText, counted
from whet.documents.verdict import Interval, Verdict, VerdictOnThese
from whet.stats.comparison import COMFORTABLE_CASES, fewest_cases, fewest_runs

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
    evals: str
    runs: str
    missed: str
    cases_needed: str
    runs_needed: str
    on_these: dict[str, str]
    on_these_versions: dict[str, str]
    too_few_evals: str
    too_few_fixtures: str
    too_few_runs: str
    between: str
    end: str


_ENGLISH = _Words(
    labels={
        "better": "The skill helps: ",
        "worse": "The skill hurts: ",
        "no_difference": "No difference that matters: ",
        "inconclusive": "Not clear yet: ",
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
    evals=CountedText("{count:eval|evals}"),
    runs=CountedText("{count:run|runs}"),
    missed="An effect below {effect} points could easily have been missed",
    cases_needed="; one of {delta} takes about {count} evals",
    runs_needed="; one of {delta} takes about {count} runs of each eval",
    on_these={
        "better": "On {evals} the skill helps: ",
        "worse": "On {evals} the skill hurts: ",
        "no_difference": "On {evals} there is no difference that matters: ",
        "inconclusive": "On {evals} it is open: ",
    },
    on_these_versions={
        "better": "On {evals} better than the old version: ",
        "worse": "On {evals} worse than the old version: ",
    },
    too_few_evals=CountedText(
        "For evals in general {count:# is|# are} too few: at least {least}, better {better};"
        " more runs will not change that."
    ),
    too_few_fixtures=CountedText(
        "For evals in general {count} evals on {fixtures:fixture|fixtures} are too few: at"
        " least {least} fixtures, better {better}; more runs will not change that."
    ),
    too_few_runs="Nothing is said of these evals by themselves: each needs {count} runs or more.",
    between=" ",
    end=".",
)

_CHINESE = _Words(
    labels={
        "better": "技能有帮助：",
        "worse": "技能使结果变差：",
        "no_difference": "没有值得一提的差异：",
        "inconclusive": "尚无定论：",
    },
    versions={"better": "优于旧版本：", "worse": "不如旧版本："},
    not_alone="与其他比较一并考虑，还不够明确：",
    alike="两边在每个评测项上的结果都相同：",
    nothing="无法比较：没有任何评测项在两边都有得分。",
    with_interval="{delta} 分（{level} % 区间 {low} … {high}）",
    without_interval="{delta} 分",
    counts="，基于 {evals}、{runs}",
    evals="{count} 个评测项",
    runs="{count} 次运行",
    missed="低于 {effect} 分的效果很可能被漏掉",
    cases_needed="；要看出 {delta} 分的效果约需 {count} 个评测项",
    runs_needed="；要看出 {delta} 分的效果，每个评测项约需运行 {count} 次",
    on_these={
        "better": "就{evals}而言，技能有帮助：",
        "worse": "就{evals}而言，技能使结果变差：",
        "no_difference": "就{evals}而言，没有值得一提的差异：",
        "inconclusive": "就{evals}而言，尚无定论：",
    },
    on_these_versions={
        "better": "就{evals}而言，优于旧版本：",
        "worse": "就{evals}而言，不如旧版本：",
    },
    too_few_evals="就一般评测而言，{count} 个评测项太少：至少 {least} 个，最好 {better} 个；"
    "增加运行次数无济于事。",
    too_few_fixtures="就一般评测而言，{fixtures} 套共用文件上的 {count} 个评测项太少："
    "至少 {least} 套，最好 {better} 套；增加运行次数无济于事。",
    too_few_runs="对这些评测项本身无法下结论：每个至少要运行 {count} 次。",
    between="",
    end="。",
)

_THESE = {
    "en": CountedText("{count:this # eval|these # evals}"),
    "zh": "这 {count} 个评测项",
}


def in_words(verdict: Verdict, language: str, against: str = "without_skill") -> str:
    """What the verdict says in both scopes, in English or Chinese (``zh``); *against* is the other
    side."""
    code = "zh" if language == "zh" else "en"
    words = _CHINESE if code == "zh" else _ENGLISH
    if verdict.delta is None:
        return words.nothing
    here = _Here(verdict, words, _THESE[code].format(count=verdict.n_cases), against)
    sentences = [*here.said_first()] if verdict.needs else [*here.said_second()]
    return words.between.join(sentences)


@dataclass(frozen=True)
class _Here:
    """A verdict that is being told."""

    verdict: Verdict
    words: _Words
    these: str
    against: str

    def said_first(self) -> list[str]:
        """Too few evals to speak of others: first what is known of these, then what is not."""
        words, these = self.words, self.verdict.on_these
        fixtures = self.verdict.n_fixtures
        general = (words.too_few_fixtures if fixtures else words.too_few_evals).format(
            count=self.verdict.n_cases,
            fixtures=fixtures,
            least=fewest_cases(),
            better=COMFORTABLE_CASES,
        )
        if these is None or these.needs:
            measured = _measured(self.verdict.delta or 0.0, self.verdict.interval, words)
            opening = words.labels["inconclusive"]
            return [f"{opening}{measured}{self._counts()}{words.end}", general, *self._repeats()]
        return [self._on_these(these, counts=True), *self._open_here(these), general]

    def said_second(self) -> list[str]:
        """Evals like these, then these alone."""
        verdict, words, these = self.verdict, self.words, self.verdict.on_these
        measured = _measured(verdict.delta or 0.0, verdict.interval, words)
        said = [f"{self._opening()}{measured}{self._counts()}{words.end}", *self._open()]
        if these is None or (_is_zero(verdict.interval) and _is_zero(these.interval)):
            return said
        if these.needs:
            return [*said, *self._repeats()]
        return [*said, self._on_these(these, counts=False)]

    def _opening(self) -> str:
        verdict, words = self.verdict, self.words
        if verdict.label == "inconclusive" and _excludes_zero(verdict.interval):
            return words.not_alone
        if verdict.label == "inconclusive" and _is_zero(verdict.interval):
            return words.alike
        known = words.versions if self.against == "old_skill" else {}
        return known.get(verdict.label, words.labels[verdict.label])

    def _on_these(self, these: VerdictOnThese, *, counts: bool) -> str:
        words = self.words
        known = words.on_these_versions if self.against == "old_skill" else {}
        opening = known.get(these.label, words.on_these[these.label]).format(evals=self.these)
        measured = _measured(self.verdict.delta or 0.0, these.interval, words)
        return f"{opening}{measured}{self._counts() if counts else ''}{words.end}"

    def _counts(self) -> str:
        words, verdict = self.words, self.verdict
        return words.counts.format(
            evals=words.evals.format(count=verdict.n_cases),
            runs=words.runs.format(count=verdict.n_runs or 0),
        )

    def _repeats(self) -> list[str]:
        count = fewest_runs(self.verdict.n_cases)
        return [self.words.too_few_runs.format(count=count)] if self.verdict.on_these else []

    def _open(self) -> list[str]:
        """What would settle a verdict about evals like these that is open."""
        verdict, words = self.verdict, self.words
        interval = verdict.interval
        if verdict.label != "inconclusive" or _excludes_zero(interval) or _is_zero(interval):
            return []
        return self._missed(
            verdict.smallest_detectable_effect, words.cases_needed, verdict.cases_needed
        )

    def _open_here(self, these: VerdictOnThese) -> list[str]:
        """The same for these evals alone."""
        if these.label != "inconclusive" or _is_zero(these.interval):
            return []
        return self._missed(
            these.smallest_detectable_effect, self.words.runs_needed, these.runs_needed
        )

    def _missed(self, effect: float | None, needed: str, count: int | None) -> list[str]:
        if effect is None:
            return []
        told = self.words.missed.format(effect=_points(effect).lstrip("+"))
        if count is not None and self.verdict.delta:
            delta = _points(abs(self.verdict.delta)).lstrip("+")
            told += needed.format(delta=delta, count=count)
        return [told + self.words.end]


def few_evals(evals: int, units: int, runs: int) -> list[str]:
    """What so many evals and runs can never say, before anything is paid; *units* of the evals do
    not share a fixture."""
    least, repeats = fewest_cases(), fewest_runs(evals)
    told: list[str] = []
    if units < least:
        apart = "" if units == evals else f" on {counted(units, 'fixture', 'fixtures')}"
        told.append(
            f"{counted(evals, 'eval', 'evals')}{apart} can only say something of these evals: "
            "for evals in general at least"
            f" {least} are needed, better {COMFORTABLE_CASES}; more runs will not change that"
        )
        if runs < repeats:
            told.append(
                f"with {counted(runs, 'run', 'runs')} of each eval there will be"
                f" no verdict at all: use --runs {max(repeats, 3)}, or more evals"
            )
    return told


def _measured(delta: float, interval: Interval | None, words: _Words) -> str:
    if interval is None or _is_zero(interval):
        return words.without_interval.format(delta=_points(delta))
    return words.with_interval.format(
        delta=_points(delta),
        level=f"{interval.level * PERCENT:g}",
        low=_points(interval.low),
        high=_points(interval.high),
    )


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
