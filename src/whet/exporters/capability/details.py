"""One case after the other, to look into: the task, the answer, the calls and the checks."""

import json
from collections.abc import Iterator

from whet.documents.capability import EvaluationItem, TracedCall
from whet.exporters.amounts import amount
from whet.exporters.capability.figures import Checked, checks, written
from whet.exporters.capability.telling import reason
from whet.exporters.capability.words import CapabilityWords
from whet.exporters.html.room import SharedRoom
from whet.exporters.html.tables import table
from whet.exporters.html.tags import Html, tag
from whet.exporters.plain import line
from whet.ports.capability_exporter import CapabilityReport

MOST_BYTES = 2_000_000
"""Of all tasks, answers, calls and errors on one page."""

MOST_AROUND = 1_200_000
"""Bytes of everything around these texts."""

MOST_CHECKS = 50
"""Of one case."""


class Details:
    """The part of the page that has every case in full."""

    def __init__(self, report: CapabilityReport, words: CapabilityWords) -> None:
        self._words = words
        self._around = [*self._fitting(report)]
        self.items = report.detail.items[: len(self._around)]
        """Those that there is room for."""

        texts = (text for item in self.items for _, text in self._texts(item))
        self._room = SharedRoom(texts, MOST_BYTES)

    def parts(self) -> Iterator[Html]:
        """A part to unfold for each case."""
        for number, (item, (summary, below)) in enumerate(
            zip(self.items, self._around, strict=True), 1
        ):
            inside: list[Html] = []
            for name, text in self._texts(item):
                inside += [tag("h4", self._words.details[name]), self._room.text(text)]
            yield tag(
                "details",
                tag("summary", summary),
                tag("div", *inside, below, cls="inside"),
                id=f"case-{number}",
            )

    def _fitting(self, report: CapabilityReport) -> Iterator[tuple[str, Html | None]]:
        """As many cases as there is room for; the first one in any case."""
        left = MOST_AROUND
        for number, item in enumerate(report.detail.items):
            summary, below = self._summary(item), self._checks(item)
            left -= 400 + len(tag("p", summary).encode()) + len((below or "").encode())
            if left < 0 and number:
                return
            yield summary, below

    def _summary(self, item: EvaluationItem) -> str:
        words = self._words
        score = "" if item.score is None else f"{item.score / (item.max_score or 1):.3g}"
        parts = [
            line(item.case_id, 100),
            words.dimensions[item.dimension],
            words.statuses[item.status],
            words.details["score"].format(score=score) if score else "",
            "" if item.weight == 1 else words.details["weight"].format(weight=f"{item.weight:g}"),
            amount(float(item.elapsed_s), "seconds") if item.elapsed_s is not None else "",
            amount(float(item.cost_usd), "usd") if item.cost_usd else "",
            line(", ".join(item.tags), 80),
        ]
        return " · ".join(filter(None, parts))

    def _texts(self, item: EvaluationItem) -> Iterator[tuple[str, str]]:
        """The long texts of an item by name."""
        is_known = bool(checks(item)) or item.checker_detail is None
        given = {
            "reason": reason(item, self._words) if item.status == "skipped" else "",
            "error": item.error or "",
            "prompt": item.prompt,
            "answer": item.final_answer or "",
            "calls": "\n".join(map(_call, item.tool_calls)),
            "checks": "" if is_known or item.status == "skipped" else written(item.checker_detail),
        }
        return ((name, text) for name, text in given.items() if text)

    def _checks(self, item: EvaluationItem) -> Html | None:
        found = checks(item)[:MOST_CHECKS]
        if not found:
            return None
        names = ("check", "outcome", "score", "weight", "expected", "evidence")
        rows = [self._row(one) for one in found]
        return tag(
            "div",
            tag("h4", self._words.details["checks"]),
            table([self._words.columns[name] for name in names], rows, "left checks"),
        )

    def _row(self, one: Checked) -> Html:
        words = self._words
        tone = {"passed": "yes", "vacuous": "yes", "failed": "no"}.get(one.outcome, "open")
        cells = (
            tag("td", line(one.type, 60)),
            tag("td", words.outcomes.get(one.outcome) or line(one.outcome, 60), cls=tone),
            tag("td", "–" if one.score is None else f"{one.score:.3g}"),
            tag("td", "–" if one.weight is None else f"{one.weight:g}"),
            tag("td", line(one.expected, 300)),
            tag("td", line(one.evidence, 600)),
        )
        return tag("tr", *cells)


def _call(call: TracedCall) -> str:
    return f"{line(call.name, 80)} {json.dumps(call.args, ensure_ascii=False)}"
