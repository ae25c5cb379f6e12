"""A leg told in plain words and rows; whoever shows them escapes them."""

from collections.abc import Iterator
from pathlib import PurePath

from whet.documents.benchmark import BenchmarkMetadata
from whet.documents.eval_statistics import EvalFinding, FindingKind, Reliability
from whet.documents.verdict import Verdict
from whet.exporters.amounts import NONE, amount, percent, plain_range, signed, signed_range
from whet.exporters.figures import configurations, eval_names, label, other
from whet.exporters.plain import line
from whet.exporters.words import ReportWords
from whet.ports.exporter import EvalReport, Leg

GRAVEST: tuple[FindingKind, ...] = (
    "harness",
    "always_failing",
    "unstable_judge",
    "vacuous",
    "flaky",
    "non_discriminating",
)


def name_of(leg: Leg) -> str:
    """The engine and the model."""
    metadata = leg.benchmark.metadata
    return line(" · ".join(filter(None, (metadata.engine, metadata.executor_model))), 120)


def headline(leg: Leg, words: ReportWords) -> str:
    """The label in a word or two: that of these evals alone, where they are too few to speak of
    others."""
    verdict = leg.verdict or leg.benchmark.verdict
    these = verdict.on_these if verdict and verdict.needs else None
    if these is not None and these.label != "inconclusive":
        return words.on_these.format(label=words.labels[these.label])
    return words.labels[label(leg) or "none"]


def sentence(leg: Leg, words: ReportWords) -> str:
    """The verdict in one or two sentences."""
    verdict = leg.benchmark.verdict
    if given := leg.words.get(words.code):
        return line(given, 600)
    if verdict is None:
        return words.no_verdict
    if verdict.words and words.code == "en":
        return line(verdict.words, 600)
    return _own_sentence(verdict, words)


def _own_sentence(verdict: Verdict, words: ReportWords) -> str:
    if verdict.delta is None:
        return words.no_delta
    said = words.sentence.format(
        delta=signed(verdict.delta),
        level=percent(verdict.interval.level if verdict.interval else 0.95),
        interval=signed_range(verdict.interval),
        cases=verdict.n_cases,
    )
    effect = verdict.smallest_detectable_effect
    if verdict.label != "inconclusive" or effect is None:
        return said
    return f"{said} {words.could_miss.format(effect=amount(effect))}"


def configuration(name: str, words: ReportWords) -> str:
    """What a configuration is called."""
    return words.configurations.get(name) or line(name, 40)


def pooled(leg: Leg, words: ReportWords) -> Iterator[str]:
    """What the table of configurations is made of."""
    yield words.pooled
    if other(leg.benchmark) is not None:
        yield words.not_paired


def unscored(leg: Leg, words: ReportWords) -> Iterator[str]:
    """The configurations in which a rubric score is missing."""
    for name, summary in configurations(leg.benchmark).items():
        if summary.rubric_unscored:
            yield words.unscored.format(
                configuration=configuration(name, words), count=summary.rubric_unscored
            )


def findings(report: EvalReport, leg: Leg, words: ReportWords) -> list[tuple[str, str]]:
    """What makes evals poor tests, the gravest first: the kind, and all else."""
    statistics = leg.benchmark.statistics
    names = eval_names(report, leg.benchmark)
    found = sorted(
        statistics.findings if statistics else (), key=lambda one: GRAVEST.index(one.kind)
    )
    return [(words.findings[one.kind], _finding(one, names, words)) for one in found]


def _finding(finding: EvalFinding, names: dict[str, str], words: ReportWords) -> str:
    where = [
        names.get(str(finding.eval_id), line(str(finding.eval_id), 40))
        if finding.eval_id is not None
        else "",
        line(finding.check or "", 80),
        configuration(finding.configuration, words) if finding.configuration else "",
    ]
    place = " · ".join(filter(None, where))
    text = line(finding.text)
    return f"{place}: {text}" if place else text


def missing(report: EvalReport, leg: Leg, words: ReportWords) -> list[str]:
    """The runs that have no result, and the pairs that count for neither side."""
    names = eval_names(report, leg.benchmark)
    verdict = leg.benchmark.verdict
    runs = [
        f"{names[str(one.eval_id)]} · {configuration(one.configuration, words)} ·"
        f" {words.run.format(number=one.run_number)}: {line(one.reason)}"
        for one in leg.benchmark.missing or ()
    ]
    named = tuple(
        f"eval {one.eval_id} run {one.run_number}: " for one in leg.benchmark.missing or ()
    )
    excluded = (verdict.excluded if verdict else None) or ()
    statistics = leg.benchmark.statistics
    compared = statistics.pairwise.failures if statistics and statistics.pairwise else ()
    return [
        *runs,
        *(line(one) for one in excluded if not one.startswith(named)),
        *(line(words.uncompared.format(pair=one)) for one in compared or ()),
    ]


def reliability(leg: Leg, words: ReportWords) -> list[tuple[str, str, str]]:
    """For each configuration its spread, and how often k runs pass."""
    statistics = leg.benchmark.statistics
    found = statistics.reliability if statistics else {}
    return [(configuration(name, words), *_reliability(one, words)) for name, one in found.items()]


def _reliability(one: Reliability, words: ReportWords) -> tuple[str, str]:
    band = words.bands.get(one.band, line(one.band, 40)) if one.band else ""
    passes = "; ".join(
        f"pass@{k.k} {amount(k.pass_at_k)} ({plain_range(k.pass_at_k_interval)}), "
        f"pass^{k.k} {amount(k.pass_hat_k)} ({plain_range(k.pass_hat_k_interval)})"
        for k in one.pass_at
    )
    return f"{amount(one.stddev)} ({band})" if band else amount(one.stddev), passes or NONE


def pairwise(leg: Leg, words: ReportWords) -> str | None:
    """The blind comparison of outputs."""
    statistics = leg.benchmark.statistics
    found = statistics.pairwise if statistics else None
    if found is None:
        return None
    return words.pairwise.format(
        wins=found.wins,
        losses=found.losses,
        ties=found.ties,
        failed=found.failed,
        interval=plain_range(found.interval),
    )


def power(leg: Leg) -> list[tuple[str, str, str, str, str]]:
    """Evals, runs, trials and the smallest effects that they would show: on evals like these, and
    on these evals alone."""
    statistics = leg.benchmark.statistics
    return [
        (
            str(row.evals),
            str(row.runs),
            str(row.trials),
            amount(row.smallest_effect),
            amount(row.smallest_effect_on_these),
        )
        for row in (statistics.power if statistics else ())
    ]


def facts(leg: Leg, words: ReportWords) -> list[tuple[str, str]]:
    """How it was measured."""
    metadata, verdict = leg.benchmark.metadata, leg.benchmark.verdict
    interval = verdict.interval if verdict else None
    known = {
        "engine": " ".join(filter(None, (metadata.engine, metadata.engine_version))),
        "model": metadata.executor_model,
        "judge": ", ".join(metadata.judges or (metadata.analyzer_model,)),
        "sandbox": metadata.sandbox,
        "runs": str(metadata.runs_per_configuration),
        "adaptive": "✓" if metadata.adaptive else "",
        "weights": _weights(metadata, words),
        "method": f"{percent(interval.level)}, {interval.method}" if interval else "",
        "p_value": f"{verdict.p_value:.3g}" if verdict and verdict.p_value is not None else "",
        "cost": amount(verdict.cost_usd, "usd") if verdict and verdict.cost_usd else "",
        "folder": "/".join(PurePath(leg.folder).parts[-3:]),
        "time": metadata.timestamp,
    }
    return [(words.facts[name], line(text, 200)) for name, text in known.items() if text]


def _weights(metadata: BenchmarkMetadata, words: ReportWords) -> str:
    weights = metadata.score_weights()
    return ", ".join(f"{words.parts.get(name, name)} {share:g}" for name, share in weights.items())
