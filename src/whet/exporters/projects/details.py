"""One case after the other, to look into: the task, and what every skill answered."""

from collections.abc import Iterator, Sequence

from whet.documents.result import CaseResult
from whet.exporters.amounts import amount
from whet.exporters.html.room import SharedRoom
from whet.exporters.html.tags import Html, tag
from whet.exporters.plain import line
from whet.exporters.projects.figures import Column, case_title, trouble
from whet.exporters.projects.telling import passed_share, points
from whet.exporters.projects.words import ProjectWords
from whet.ports.project_exporter import ProjectReport, ReportedCase

MOST_BYTES = 2_000_000
"""Of all tasks, answers, reasons and errors on one page."""

MOST_AROUND = 800_000
"""Bytes of everything around these texts."""

MARKUP = 400
"""Bytes of the markup of one result, roughly."""


class Details:
    """The part of the page with the answers of the skills that are shown."""

    def __init__(self, report: ProjectReport, shown: Sequence[Column], words: ProjectWords) -> None:
        self._report = report
        self._shown = shown
        self._words = words
        self.cases = self._fitting()
        """Those that there is room for."""

        self._room = SharedRoom(self._texts(), MOST_BYTES)

    def parts(self) -> Iterator[Html]:
        """A part to unfold for each case."""
        for number, one in enumerate(self.cases, 1):
            yield tag(
                "details",
                tag("summary", self._summary(one)),
                tag("div", *self._inside(one), cls="inside"),
                id=f"case-{number}",
            )

    def _summary(self, one: ReportedCase) -> str:
        weight = one.case.standard.weight
        parts = [
            case_title(self._report, one),
            line(one.case.id, 60),
            line(one.case.category, 40),
            "" if weight == 1 else self._words.details["weight"].format(weight=f"{weight:g}"),
        ]
        return " · ".join(filter(None, dict.fromkeys(parts)))

    def _inside(self, one: ReportedCase) -> Iterator[Html]:
        yield from self._text("prompt", one.case.stimulus.prompt)
        yield from self._text("expected", one.case.standard.expected)
        for column in self._shown:
            results = one.results[column.place]
            yield from (self._result(column.title, result) for result in results)
            if not results:
                text = f"{column.title} · {self._words.states['missing']}"
                yield tag("p", text, cls="note")

    def _result(self, title: str, result: CaseResult) -> Html:
        return tag(
            "details",
            tag("summary", self._figures(title, result)),
            tag(
                "div",
                *self._text("error", result.error or ""),
                *self._text("answer", result.actual_output),
                *self._text("checks", self._checks(result)),
                *self._text("reasoning", result.score_reasoning),
                cls="inside",
            ),
        )

    def _checks(self, result: CaseResult) -> str:
        """Each check on a line, with what it found."""
        told = [
            f"{self._words.states[one.outcome]}: {one.text or one.id}"
            f"{f' – {because}' if (because := one.error or one.evidence) else ''}"
            for one in result.checks or ()
        ]
        return "\n".join(told)

    def _figures(self, title: str, result: CaseResult) -> str:
        words = self._words
        lost = trouble(result)
        ran = result.executed_at is not None
        parts = [
            title,
            words.details["attempt"].format(number=result.attempt or 1),
            words.states[lost]
            if lost
            else f"{words.columns['score']} {points(result.scores.total)}",
            ""
            if result.check_pass_rate is None
            else f"{words.columns['checks']} {passed_share(result.check_pass_rate)}",
            amount(result.duration_ms / 1000, "seconds") if ran else "",
            amount(result.cost_usd, "usd") if result.cost_usd is not None else "",
        ]
        return " · ".join(filter(None, parts))

    def _text(self, name: str, text: str) -> Iterator[Html]:
        if text:
            yield tag("h4", self._words.details[name])
            yield self._room.text(text)

    def _texts(self) -> Iterator[str]:
        for one in self.cases:
            yield one.case.stimulus.prompt
            yield one.case.standard.expected
            for column in self._shown:
                for result in one.results[column.place]:
                    yield result.error or ""
                    yield result.actual_output
                    yield self._checks(result)
                    yield result.score_reasoning

    def _fitting(self) -> list[ReportedCase]:
        """As many cases as there is room for; the first one in any case."""
        found: list[ReportedCase] = []
        left = MOST_AROUND
        for one in self._report.cases:
            left -= self._around(one)
            if left < 0 and found:
                break
            found.append(one)
        return found

    def _around(self, one: ReportedCase) -> int:
        lines = [self._summary(one)]
        for column in self._shown:
            results = one.results[column.place]
            lines += [self._figures(column.title, each) for each in results] or [column.title]
        return sum(MARKUP + len(tag("p", text).encode()) for text in lines)
