"""Checks of skills taken up, money and time."""

from collections.abc import Sequence
from typing import cast

from pydantic import JsonValue

from whet.checkers import fields
from whet.checkers.verdict import decided, listed, skipped
from whet.core.check import CheckResult, CheckSpec
from whet.ports.checker import Subject


class SkillTriggered:
    """The agent took up a skill, any or a certain one; or did not, if that is expected."""

    name = "skill_triggered"
    version = "1"

    def validate(self, spec: CheckSpec) -> Sequence[str]:
        """See the port."""
        return fields.problems(spec, {}, {"expected": _trigger})

    def check(self, spec: CheckSpec, subject: Subject) -> CheckResult:
        """See the port."""
        skill, wanted = _wanted(spec.fields.get("expected", True))
        used = subject.record.skills_used
        triggered = skill in used if skill is not None else bool(used)
        if not triggered and not wanted and subject.record.status == "failed":
            reason = subject.record.failure or "an error"
            return skipped(spec, f"the agent did not finish ({reason}) and might still have")
        evidence = f"Skills taken up: {listed(list(used)) or 'none'}"
        return decided(spec, evidence, good=triggered is wanted)


class MaxCost:
    """The trial cost at most so many dollars."""

    name = "max_cost"
    version = "1"

    def validate(self, spec: CheckSpec) -> Sequence[str]:
        """See the port."""
        return fields.problems(spec, {"expected": fields.amount}, {})

    def check(self, spec: CheckSpec, subject: Subject) -> CheckResult:
        """See the port."""
        most = cast("float", spec.fields["expected"])
        cost = subject.record.usage.cost_usd
        if cost is None:
            return skipped(spec, "the cost is not known")
        return decided(spec, f"${cost:.6g}, at most ${most:g}", good=cost <= most)


class MaxDuration:
    """The trial took at most so many seconds."""

    name = "max_duration"
    version = "1"

    def validate(self, spec: CheckSpec) -> Sequence[str]:
        """See the port."""
        return fields.problems(spec, {"expected": fields.duration}, {})

    def check(self, spec: CheckSpec, subject: Subject) -> CheckResult:
        """See the port."""
        most = cast("float", spec.fields["expected"])
        taken = subject.record.duration_ms / 1000
        return decided(spec, f"{taken:g} s, at most {most:g} s", good=taken <= most)


def _trigger(value: JsonValue) -> str | None:
    match value:
        case bool():
            return None
        case {"skill": str(name), "triggered": bool()} if name and len(value) == 2:
            return None
        case str() if value:
            return None
        case _:
            return "must be true, false, a skill's name, or an object with skill and triggered"


def _wanted(expected: JsonValue) -> tuple[str | None, bool]:
    """Which skill, if a certain one, and whether it should be taken up."""
    match expected:
        case str():
            return expected, True
        case {"skill": str(skill), "triggered": bool(wanted)}:
            return skill, wanted
        case _:
            return None, expected is not False
