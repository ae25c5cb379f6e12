"""What ``whet eval calibrate`` does once its imports are worth their time."""

import sys
from collections.abc import Sequence

import typer

from whet.app.eval_people import Place, all_iterations, one_iteration
from whet.app.settings import Settings
from whet.cli.eval_people_options import Calibrate
from whet.cli.eval_people_words import PeopleWords
from whet.evaluate.calibrate import (
    FEW,
    Agreeing,
    Calibration,
    CorrectedRate,
    JudgeCalibration,
    calibrate,
    labelled,
    once,
)
from whet.evaluate.iteration import Iteration
from whet.evaluate.review import FILE, load_feedback, printable, runs_of

_NOTHING = 1e-9


def run(settings: Settings, options: Calibrate) -> None:
    """Compare, and print what came of it."""
    place = Place(options.skill, options.engine, options.model)
    runs = [
        one
        for iteration in _iterations(settings, place, options.iteration or ())
        for one in labelled(runs_of(iteration.folder), load_feedback(iteration.folder))
    ]
    found = calibrate(once(runs))
    if options.json:
        sys.stdout.write(found.model_dump_json(indent=2) + "\n")
        return
    for line in _lines(found, PeopleWords(settings.language), str(options.skill)):
        typer.echo(line)


def _iterations(settings: Settings, place: Place, numbers: Sequence[int]) -> list[Iteration]:
    if numbers:
        return [one_iteration(settings, place, number) for number in dict.fromkeys(numbers)]
    every = all_iterations(settings, place)
    reviewed = [one for one in every if (one.folder / FILE).is_file()]
    return (reviewed or every)[-1:]


def _lines(found: Calibration, words: PeopleWords, folder: str) -> list[str]:
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


def _judge(judge: JudgeCalibration, words: PeopleWords) -> list[str]:
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


def _kappa(agreeing: Agreeing, words: PeopleWords) -> str:
    around = agreeing.kappa_interval
    if agreeing.kappa is None:
        return words.no_kappa
    if around is None:
        words_for_it = words.bare_kappa if abs(agreeing.kappa) > _NOTHING else words.empty_kappa
        return words_for_it.format(kappa=agreeing.kappa)
    return words.kappa.format(kappa=agreeing.kappa, low=around.low, high=around.high)


def _rate(rate: CorrectedRate, words: PeopleWords) -> list[str]:
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
