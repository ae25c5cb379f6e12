"""Turning what the agent does into steps, and counting the tokens of it."""

from collections.abc import Mapping
from datetime import UTC, datetime

from pydantic import JsonValue

from whet.core.failure import Failure
from whet.core.step import Called, Ended, Returned, Said, Triggered
from whet.core.tokens import estimate
from whet.core.usage import Usage

_SHOWN = 2_000
"""Characters of a read file that a step shows."""


class Transcript:
    """The steps of one trial."""

    def __init__(self, prompt: str) -> None:
        self._input = estimate(prompt)
        self._output = 0
        self.calls = 0

    def said(self, text: str) -> Said:
        """The agent speaks."""
        self._output += estimate(text)
        return Said(datetime.now(UTC), text)

    def triggered(self, skill: str) -> Triggered:
        """The agent takes up a skill."""
        return Triggered(datetime.now(UTC), skill)

    def called(self, tool: str, params: Mapping[str, JsonValue], description: str) -> Called:
        """The agent calls a tool."""
        self.calls += 1
        self._output += sum(estimate(value) for value in params.values() if isinstance(value, str))
        return Called(datetime.now(UTC), self._call_id, tool, params, description)

    def returned(self, output: str, display: str, *, ok: bool = True) -> Returned:
        """The call that was made last comes back."""
        self._input += estimate(output)
        return Returned(datetime.now(UTC), self._call_id, ok, output[:_SHOWN], display)

    def ended(self, answer: str, failure: Failure | None = None, error: str | None = None) -> Ended:
        """The agent is done."""
        self._output += estimate(answer)
        usage = Usage(input_tokens=self._input, output_tokens=self._output, cost_usd=0.0)
        return Ended(datetime.now(UTC), answer, usage, failure, error)

    @property
    def _call_id(self) -> str:
        return f"tool-{self.calls:03d}"


def counted(verb: str, text: str) -> str:
    """What was done to how many lines, to be shown."""
    count = text.count("\n") + (not text.endswith("\n") and text != "")
    return f"{verb} {count} {'line' if count == 1 else 'lines'}"
