"""``whet eval calibrate``: how far judges agree with people."""

from collections.abc import Sequence
from typing import Annotated

import typer

from whet.app.eval_iterations import Place, all_iterations, one_iteration
from whet.app.settings import Settings
from whet.cli.asset_output import print_json
from whet.cli.command import Call
from whet.cli.request_options import Spelling
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText
from whet.evaluate import calibrate as calibration
from whet.evaluate.calibrate import FEW, Agreeing, Calibration, CorrectedRate, JudgeCalibration
from whet.evaluate.iteration import Iteration
from whet.evaluate.review import FILE, load_feedback, printable, runs_of

_NOTHING = 1e-9


class CalibrationWords(Words):
    """What is said of judges and people."""

    rule = Both(
        "A judge passes a run if all expectations that it decided are met and the rubric comes to "
        "{passing:.0%} or more. Runs without a judge's score are left out.",
        "评审模型判定的期望全部满足且量表得分达到 {passing:.0%}，即视为通过。"
        "没有评审得分的运行不计入。",
    )
    few = Both(
        CountedText(
            "Only {count:run has|runs have} both a label and a verdict; below {few} this means "
            "little."
        ),
        "只有 {count} 次运行同时有人工标签和评审结论；少于 {few} 次时意义不大。",
    )
    no_labels = Both(
        "No run has both a label and a judge's verdict. First: whet eval review {folder}",
        "没有同时具备人工标签和评审结论的运行。请先标注：whet eval review {folder}",
    )
    together = Both("All judges together", "所有评审模型合计")
    agree = Both(
        CountedText("agree with people on {share:.0%} of {n:run|runs} ({low:.0%} to {high:.0%})"),
        "在 {n} 次运行中与人一致 {share:.0%}（{low:.0%} 到 {high:.0%}）",
    )
    kappa = Both(
        "Cohen's kappa {kappa:.2f} ({low:.2f} to {high:.2f}): agreement beyond chance",
        "Cohen's kappa {kappa:.2f}（{low:.2f} 到 {high:.2f}）：超出偶然的一致程度",
    )
    no_kappa = Both(
        "Cohen's kappa is not defined: everybody used one and the same label",
        "Cohen's kappa 无定义：所有标签都相同",
    )
    empty_kappa = Both(
        "Cohen's kappa {kappa:.2f} says nothing: one side used a single label throughout",
        "Cohen's kappa {kappa:.2f} 没有意义：一方始终只用一种标签",
    )
    bare_kappa = Both(
        "Cohen's kappa {kappa:.2f}: agreement beyond chance",
        "Cohen's kappa {kappa:.2f}：超出偶然的一致程度",
    )
    cells = Both(
        (
            "both pass",
            "judge passes, person fails",
            "judge fails, person passes",
            "both fail",
        ),
        ("双方都通过", "评审通过、人不通过", "评审不通过、人通过", "双方都不通过"),
    )
    dimension = Both(
        CountedText("{name}: weighted kappa {kappa} over {n:run|runs}"),
        "{name}：{n} 次运行的加权 kappa {kappa}",
    )
    alpha = Both(
        "Krippendorff's alpha among the judges, rubric scores: {alpha}",
        "评审模型之间量表得分的 Krippendorff alpha：{alpha}",
    )
    alpha_passing = Both(
        "Krippendorff's alpha among the judges, pass or fail: {alpha}",
        "评审模型之间通过与否的 Krippendorff alpha：{alpha}",
    )
    rate = Both(
        CountedText("{name}: the judge passes {judged:.0%} of {n:run|runs}"),
        "{name}：评审通过 {n} 次运行中的 {judged:.0%}",
    )
    corrected = Both(
        "by people's labels it would be {rate:.0%} ({low:.0%} to {high:.0%})",
        "按人工标签校正为 {rate:.0%}（{low:.0%} 到 {high:.0%}）",
    )
    not_corrected = Both(
        "not corrected: it takes labels of both kinds, and a judge better than a coin",
        "未校正：需要两类标签，且评审要好于掷硬币",
    )
    independent = Both(
        "Intervals at 95 % take runs for independent; repeats of one eval are not quite that.",
        "95 % 区间把各次运行视为相互独立；同一评测项的重复运行并非完全如此。",
    )
    simulated = Both(
        "The agent or a judge is the built-in simulated one.", "智能体或评审是内置的模拟部件。"
    )


def calibrate(
    call: Call,
    place: Annotated[Place, Spelling(arguments={"folder": "SKILL_DIR"})],
    iteration: Annotated[
        list[int] | None,
        typer.Option(help="May be repeated. Default: the newest that somebody reviewed.", min=1),
    ] = None,
) -> None:
    """Compare the judges with people's labels, and print what came of it."""
    runs = [
        one
        for found in _iterations(call.settings, place, iteration or ())
        for one in calibration.labelled(runs_of(found.folder), load_feedback(found.folder))
    ]
    found = calibration.calibrate(calibration.once(runs))
    if call.json:
        print_json(found)
        return
    for line in _lines(found, CalibrationWords(call.language), str(place.folder)):
        typer.echo(line)


def _iterations(settings: Settings, place: Place, numbers: Sequence[int]) -> list[Iteration]:
    if numbers:
        return [one_iteration(settings, place, number) for number in dict.fromkeys(numbers)]
    every = all_iterations(settings, place)
    reviewed = [one for one in every if (one.folder / FILE).is_file()]
    return (reviewed or every)[-1:]


def _lines(found: Calibration, words: CalibrationWords, folder: str) -> list[str]:
    lines = [words.rule.format(passing=found.passing)]
    if not found.compared:
        lines.append(words.no_labels.format(folder=folder))
    elif found.few:
        lines.append(words.few.format(count=found.compared, few=FEW))
    for judge in (found.together, *found.judges):
        lines += _judge(judge, words)
    if found.judges:
        lines += ["", words.alpha.format(alpha=_number(found.alpha))]
        lines.append(words.alpha_passing.format(alpha=_number(found.alpha_passing)))
    if found.rates:
        lines += ["", *(line for rate in found.rates for line in _rate(rate, words))]
    if found.compared:
        lines += ["", words.independent]
    if found.simulated:
        lines.append(words.simulated)
    return lines


def _judge(judge: JudgeCalibration, words: CalibrationWords) -> list[str]:
    lines = [f"\n{printable(judge.judge) or words.together}"]
    if (agreeing := judge.agreement) is not None:
        around = agreeing.share_interval
        share = words.agree.format(
            share=agreeing.share, n=agreeing.n, low=around.low, high=around.high
        )
        lines += [f"  {share}", f"  {_kappa(agreeing, words)}"]
    if (cells := judge.confusion) is not None:
        lines += [
            f"  {count:4}  {name}"
            for name, count in zip(words.cells, cells.model_dump().values(), strict=True)
        ]
    for name, scored in judge.dimensions.items():
        around = scored.kappa_interval
        # Without an interval a 0 says nothing: one of the two gave a single score throughout.
        tells = around is not None or abs(scored.kappa or 0) > _NOTHING
        kappa = _number(scored.kappa if tells else None) + (
            f" [{around.low:.2f}, {around.high:.2f}]" if around else ""
        )
        told = words.dimension.format(name=printable(name), kappa=kappa, n=scored.n)
        lines.append(f"  {told}")
    return lines if len(lines) > 1 else []


def _kappa(agreeing: Agreeing, words: CalibrationWords) -> str:
    around = agreeing.kappa_interval
    if agreeing.kappa is None:
        return words.no_kappa
    if around is None:
        words_for_it = words.bare_kappa if abs(agreeing.kappa) > _NOTHING else words.empty_kappa
        return words_for_it.format(kappa=agreeing.kappa)
    return words.kappa.format(kappa=agreeing.kappa, low=around.low, high=around.high)


def _rate(rate: CorrectedRate, words: CalibrationWords) -> list[str]:
    judged = words.rate.format(name=printable(rate.configuration), judged=rate.judged, n=rate.runs)
    if rate.corrected is None or rate.interval is None:
        return [judged, f"  {words.not_corrected}"]
    told = words.corrected.format(
        rate=rate.corrected, low=rate.interval.low, high=rate.interval.high
    )
    return [judged, f"  {told}"]


def _number(value: float | None) -> str:
    """Two digits; a dash for what is not defined."""
    return "–" if value is None else f"{value:.2f}"
