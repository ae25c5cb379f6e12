"""A capability run told in plain words and rows; whoever shows them escapes them."""

from collections.abc import Iterator

from pydantic import JsonValue

from whet.documents.base import Number
from whet.documents.capability import EvaluationItem, EvaluationRun, measured_cases
from whet.documents.capability_comparison import ComparedRun
from whet.exporters.amounts import NONE, amount
from whet.exporters.capability.figures import (
    FULL,
    STATUSES,
    Row,
    cost,
    counts,
    measured,
    missing,
    seconds,
    simulated,
    unmet,
    written,
)
from whet.exporters.capability.words import CapabilityWords
from whet.exporters.plain import line
from whet.ports.capability_exporter import CapabilityReport

_MOST_TOOLS = 60
_UNCOUNTED = ("skipped", "cancelled", "active")


def points(value: Number | None) -> str:
    """A score of 0 to 100."""
    return amount(None if value is None else value / FULL)


def headline(report: CapabilityReport, words: CapabilityWords) -> str:
    """The total in a few words, and how many cases it rests on where that is not all of them."""
    total = report.detail.run.total_score
    if total is None:
        return words.nothing
    known, every = measured(report.detail), len(report.detail.items)
    told = words.total if known == every else words.partial_total
    return told.format(score=points(total), measured=known, total=every)


def total_text(run: EvaluationRun | ComparedRun, words: CapabilityWords) -> str:
    """The total of a run in a table: "100.0", or "100.0 (11 of 55)" where it rests on 11 of its 55
    cases."""
    counts = run.counts or {}
    known, every = measured_cases(counts), counts.get("total", 0)
    if run.total_score is None or known == every:
        return points(run.total_score)
    score = points(run.total_score)
    return words.partial_cell.format(score=score, measured=known, total=every)


def name(report: CapabilityReport, words: CapabilityWords) -> str:
    """Who was measured, on what."""
    run = report.detail.run
    return words.name.format(model=line(run.model_name, 80), case_set=line(run.case_set, 80))


def sentences(report: CapabilityReport, words: CapabilityWords) -> Iterator[str]:
    """What the total rests on."""
    found, run = counts(report.detail), report.detail.run
    yield words.sentence.format(
        total=len(report.detail.items),
        measured=measured(report.detail),
        passed=found["passed"],
        failed=found["failed"],
    )
    parts = [f"{words.statuses[one]} {found[one]}" for one in _UNCOUNTED if found[one]]
    if parts:
        yield words.uncounted.format(parts=", ".join(parts))
    if run.total_score_measured is not None:
        yield words.measured_total.format(score=points(run.total_score_measured))


def banners(report: CapabilityReport, words: CapabilityWords) -> Iterator[str]:
    """What has to be said before anything else."""
    run = report.detail.run
    if simulated(report):
        yield words.base.simulated
    if run.status == "running":
        yield words.banners["reclaimable" if run.reclaimable else "running"]
    elif run.status != "finished":
        yield words.banners[run.status].format(error=line(run.error or NONE))
    if errors := counts(report.detail)["error"]:
        yield words.banners["error"].format(count=errors)


def dimension_cells(row: Row) -> list[str]:
    """Weight and counts of a dimension, in the order of ``dimension_heads``."""
    weight = NONE if row.weight is None else f"{row.weight:g}"
    return [weight, row.extent, *(str(row.counts.get(one, 0)) for one in STATUSES[:4])]


def dimension_heads(words: CapabilityWords) -> list[str]:
    """What stands above ``dimension_cells``."""
    return [
        words.columns["weight"],
        words.columns["cases"],
        *(words.statuses[one] for one in STATUSES[:4]),
    ]


def reason(item: EvaluationItem, words: CapabilityWords) -> str:
    """Why an item came to less than all points, on one line; empty where it did not."""
    if item.status in ("passed", "active"):
        return ""
    if tools := missing(item):
        return words.reasons["missing_tools"].format(tools=", ".join(tools))
    found = [one.evidence or one.type for one in unmet(item)]
    told = item.error or "; ".join(found) or item.skip_reason
    if not told and item.status == "cancelled":
        return words.reasons["cancelled"]
    return line(told or words.reasons["unknown"], 300)


def calls(item: EvaluationItem) -> str:
    """The tools of an item in the order of its calls, those of one name together."""
    found: dict[str, int] = {}
    for call in item.tool_calls:
        found[call.name] = found.get(call.name, 0) + 1
    told = [
        f"{line(one, 40)} ×{count}" if count > 1 else line(one, 40) for one, count in found.items()
    ]
    return line(", ".join(told), 120)


def facts(report: CapabilityReport, words: CapabilityWords) -> list[tuple[str, str]]:
    """How it was measured."""
    run = report.detail.run
    pin = _object(_object(run.config_snapshot).get("pin"))
    snapshot = _object(run.config_snapshot)
    told = {
        "engine": " ".join(filter(None, (run.engine, run.engine_version))) or run.model_name,
        "model": written(pin.get("model")),
        "language": run.language or "",
        "case_set": run.case_set,
        "digest": (run.case_set_digest or "")[:16],
        "status": words.run_statuses[run.status],
        "started": run.started_at,
        "finished": run.finished_at or "",
        "elapsed": "" if run.elapsed_s is None else amount(run.elapsed_s, "seconds"),
        "seconds": amount(seconds(report.detail), "seconds"),
        "cost": amount(cost(report.detail) or None, "usd"),
        "weights": ", ".join(f"{key} {value:g}" for key, value in (run.weights or {}).items()),
        **_tools(run, words),
        "options": written(pin.get("options") or None),
        "sandbox": written(pin.get("sandbox")),
        "timeout": written(snapshot.get("timeout_s")),
        "concurrency": written(snapshot.get("concurrency")),
        "user": run.user_id or "",
        "run": run.run_id,
    }
    return [
        (words.facts[key], line(text, 1000)) for key, text in told.items() if text not in ("", NONE)
    ]


def _tools(run: EvaluationRun, words: CapabilityWords) -> dict[str, str]:
    snapshot = _object(run.tool_snapshot)
    tools = snapshot.get("tools")
    known = ", ".join(map(str, tools[:_MOST_TOOLS])) if isinstance(tools, list) else None
    brought = snapshot.get("configured")
    return {
        "tools": words.notes["no_tools"] if known is None else known,
        "configured": ", ".join(map(str, brought)) if isinstance(brought, list) else "",
    }


def _object(value: JsonValue) -> dict[str, JsonValue]:
    return value if isinstance(value, dict) else {}
