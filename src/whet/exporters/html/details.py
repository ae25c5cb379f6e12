"""One eval after the other, to look into: the task, what was expected, what every run did."""

from collections.abc import Iterator, Sequence

from whet.documents.benchmark import BenchmarkRun
from whet.documents.evals import Eval
from whet.documents.grading import Grading
from whet.exporters.amounts import amount
from whet.exporters.expectations import Wanted, expectations
from whet.exporters.figures import configurations, eval_names, runs_by_place, score
from whet.exporters.html.tables import table
from whet.exporters.html.tags import Html, Node, tag
from whet.exporters.plain import PAGE, line, page
from whet.exporters.telling import configuration
from whet.exporters.words import ReportWords
from whet.ports.exporter import EvalReport, Leg, RunDetail

MOST = 6_000_000
"""Characters of tasks, answers and files on one page."""


class Room:
    """What the page has left for long texts."""

    def __init__(self, most: int = MOST) -> None:
        self._left = most

    def text(self, text: str, words: ReportWords) -> Html:
        """The text as it is, or a remark that it is left out."""
        shown = page(text, PAGE)
        if len(shown) > self._left:
            return tag("p", words.details["left_out"], cls="note")
        self._left -= len(shown)
        return tag("pre", shown, tabindex="0")


def eval_details(
    report: EvalReport, leg: Leg, number: int, words: ReportWords, room: Room
) -> Iterator[Html]:
    """A part to unfold for each eval of a leg."""
    benchmark = leg.benchmark
    known = runs_by_place(benchmark)
    for place, (eval_id, name) in enumerate(eval_names(report, benchmark).items(), 1):
        runs = [
            run for configured in configurations(benchmark) for run in known[eval_id, configured]
        ]
        yield tag(
            "details",
            tag("summary", name),
            tag(
                "div",
                *_task(report.evals.get(eval_id), words, room),
                *_matrix(runs, words),
                *(_run(run, leg, report.evals.get(eval_id), words, room) for run in runs),
                None if runs else tag("p", words.states["missing"], cls="note"),
                cls="inside",
            ),
            id=f"leg-{number}-eval-{place}",
        )


def _task(eval_: Eval | None, words: ReportWords, room: Room) -> Iterator[Html]:
    if eval_ is None:
        return
    for name, text in (("prompt", eval_.prompt), ("expected", eval_.expected_output)):
        if text:
            yield tag("h4", words.details[name])
            yield room.text(text, words)


def _matrix(runs: Sequence[BenchmarkRun], words: ReportWords) -> Iterator[Html]:
    """Expectations by runs."""
    wanted = expectations(runs)
    if not wanted:
        return
    places = [(run.configuration, run.run_number) for run in runs]
    head: list[Node] = [words.columns["expectation"]]
    head += [f"{configuration(name, words)} {number}" for name, number in places]
    rows = [
        tag("tr", tag("td", _wanted(one, words)), *(_mark(one, place, words) for place in places))
        for one in wanted
    ]
    yield tag("h4", words.details["expectations"])
    yield table(head, rows, "marks")
    yield tag(
        "details",
        tag("summary", words.details["evidence"]),
        tag("ul", *(_evidence(one, words) for one in wanted)),
    )


def _wanted(wanted: Wanted, words: ReportWords) -> str:
    name = f"{line(wanted.id, 40)}: {line(wanted.text)}" if wanted.id else line(wanted.text)
    return f"{name} ({words.details['critical']})" if wanted.critical else name


def _mark(wanted: Wanted, place: tuple[str, int], words: ReportWords) -> Html:
    found = wanted.outcomes.get(place)
    if found is None:
        return tag("td", "–", cls="open", aria_label=words.states["undecided"])
    if found.passed:
        return tag("td", "✓", cls="yes", aria_label=words.states["passed"])
    return tag("td", "✗", cls="no", aria_label=words.states["failed"])


def _evidence(wanted: Wanted, words: ReportWords) -> Html:
    entries = [
        tag(
            "li",
            "✓ " if one.passed else "✗ ",
            f"{configuration(name, words)} {number}: {line(one.evidence, 1000)}",
        )
        for (name, number), one in wanted.outcomes.items()
    ]
    return tag("li", _wanted(wanted, words), tag("ul", *entries))


def _run(run: BenchmarkRun, leg: Leg, eval_: Eval | None, words: ReportWords, room: Room) -> Html:
    """One run: its figures, its grades, what it produced."""
    key = (str(run.eval_id), run.configuration, run.run_number)
    detail = leg.runs.get(key, RunDetail())
    notes = [tag("p", line(note), cls="note") for note in run.notes]
    return tag(
        "details",
        tag("summary", _figures(run, words)),
        tag(
            "div",
            *notes,
            *(_graded(detail.grading, eval_, words) if detail.grading else ()),
            *_produced(detail, words, room),
            cls="inside",
        ),
    )


def _figures(run: BenchmarkRun, words: ReportWords) -> str:
    result = run.result
    states = [
        (result.status == "failed", "run_failed"),
        (result.gate_passed is False, "gate_failed"),
        (score(run) is None, "not_graded"),
    ]
    parts = [
        configuration(run.configuration, words),
        words.run.format(number=run.run_number),
        f"{words.columns['score']} {amount(score(run))}",
        amount(result.time_seconds, "seconds"),
        f"{amount(result.tokens, 'tokens')} {words.measures['tokens']}",
        amount(result.cost_usd, "usd") if result.cost_usd is not None else "",
        *(words.states[state] for holds, state in states if holds),
        line(result.failure or "", 200),
    ]
    return " · ".join(filter(None, parts))


def _graded(grading: Grading, eval_: Eval | None, words: ReportWords) -> Iterator[Html]:
    if grading.error:
        yield tag("p", line(grading.error), cls="note")
    if grading.rubric_scores:
        head = [words.columns[name] for name in ("dimension", "score", "evidence")]
        most = _scales(eval_)
        rows = [
            tag(
                "tr",
                tag("td", line(name, 80)),
                tag("td", "–" if one.score is None else f"{one.score:g}{most.get(name, '')}"),
                tag("td", line(one.evidence, 1000)),
            )
            for name, one in grading.rubric_scores.items()
        ]
        yield tag("h4", words.details["rubric"])
        yield table(head, rows, "left")
    if grading.claims:
        entries = (
            tag("li", "✓ " if one.verified else "✗ ", line(f"{one.claim} – {one.evidence}", 1000))
            for one in grading.claims
        )
        yield tag("h4", words.details["claims"])
        yield tag("ul", *entries, cls="bare")


def _scales(eval_: Eval | None) -> dict[str, str]:
    """What the scale of each dimension ends with."""
    rubric = eval_.quality_rubric if eval_ else None
    return {
        one.name: f"/{5 if one.maximum is None else one.maximum:g}"
        for one in (rubric.dimensions if rubric else ())
    }


def _produced(detail: RunDetail, words: ReportWords, room: Room) -> Iterator[Html]:
    if detail.answer:
        yield tag("h4", words.details["answer"])
        yield room.text(detail.answer, words)
    if detail.files:
        yield tag("h4", words.details["files"])
    for path, text in detail.files.items():
        shown = room.text(text, words)
        yield tag("details", tag("summary", line(path, 200)), shown)
