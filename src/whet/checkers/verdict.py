"""Results, and evidence that fits on a line."""

from whet.core.check import CheckResult, CheckSpec
from whet.core.text import storable

LONGEST_QUOTE = 100
"""Characters of a text that evidence quotes."""

MOST_NAMES = 5
"""File names that evidence lists."""


def passed(spec: CheckSpec, evidence: str) -> CheckResult:
    """It is as it should be."""
    return _result(spec, "passed", evidence).model_copy(update={"score": 1.0})


def failed(
    spec: CheckSpec, evidence: str, *, score: float = 0.0, error: str | None = None
) -> CheckResult:
    """It is not; *score* tells how near it came, *error* what kept it from being decided."""
    return _result(spec, "failed", evidence).model_copy(update={"score": score, "error": error})


def decided(spec: CheckSpec, evidence: str, *, good: bool) -> CheckResult:
    """Passed or failed."""
    return passed(spec, evidence) if good else failed(spec, evidence)


def vacuous(spec: CheckSpec, reason: str) -> CheckResult:
    """There was nothing to look at, and that is no failure."""
    result = _result(spec, "vacuous", f"vacuous: {reason}")
    return result.model_copy(update={"score": 1.0})


def skipped(spec: CheckSpec, reason: str) -> CheckResult:
    """It says nothing about the agent."""
    return _result(spec, "skipped", f"skipped: {reason}")


def shown(text: str, longest: int = LONGEST_QUOTE) -> str:
    """*text* on one line, printable, and cut."""
    head = text[: longest + 1]
    plain = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in head)
    return plain if len(plain) <= longest else plain[: longest - 1] + "…"


def listed(names: list[str]) -> str:
    """The first few of *names*, and how many more there are."""
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(map(shown, names[:MOST_NAMES])) + more


def _result(spec: CheckSpec, outcome: str, evidence: str) -> CheckResult:
    return CheckResult.model_validate(
        {
            "id": spec.id,
            "type": spec.type,
            "text": spec.description or _described(spec),
            "outcome": outcome,
            "score": 0.0,
            "evidence": storable(evidence),
            "critical": spec.critical,
            "weight": spec.weight,
        }
    )


def _described(spec: CheckSpec) -> str:
    """A text for a check that has none."""
    about = spec.fields.get("pattern", spec.fields.get("expected"))
    return f"{spec.type} {shown(about)}" if isinstance(about, str) else spec.type
