"""What Claude Code has used up so far, by its own account."""

from pydantic import JsonValue

from whet.core.foreign import count
from whet.core.usage import Usage

_OF_MESSAGE = (
    "input_tokens",
    "output_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
)
_OF_RESULT = (
    "inputTokens",
    "outputTokens",
    "cacheReadInputTokens",
    "cacheCreationInputTokens",
)
_Counts = tuple[int, ...]
_ABSURD = 1e6
_NOTHING: _Counts = (0, 0, 0, 0)


class ClaudeUsage:
    """Messages count as they come; a result puts the exact numbers in their place.

    Totals of a result are no good: some leave out subagents, and others go on counting from an
    earlier part of the conversation. What was used since the last result is all there is, and
    nothing twice.
    """

    def __init__(self) -> None:
        self._messages: dict[str, _Counts] = {}
        self._answers: set[str] = set()
        self._tokens = _NOTHING
        self._cost: float | None = None
        self._priced = True
        self.usage = Usage()

    @property
    def turns(self) -> int:
        """Messages of the model to the main agent."""
        return len(self._answers)

    def message(self, name: str, usage: JsonValue, *, of_main: bool) -> None:
        """Take what a message, or a part of it, says of itself; its numbers only grow."""
        if of_main:
            self._answers.add(name)
        before = self._messages.get(name, _NOTHING)
        after = tuple(map(max, before, _counts(usage, _OF_MESSAGE)))
        self._messages[name] = after
        if after != before:
            self._add(after, before)

    def result(self, models: JsonValue) -> None:
        """Take what a result says of the time since the last one, model by model."""
        if not isinstance(models, dict):
            return
        for guess in self._messages.values():
            self._add(_NOTHING, guess)
        self._messages.clear()
        for used in models.values():
            self._add(_counts(used, _OF_RESULT), _NOTHING)
            self._charge(used)
        self._show()

    def _charge(self, used: JsonValue) -> None:
        if not isinstance(used, dict):
            return
        # For models it has never heard of the program makes up a price.
        self._priced = self._priced and used.get("costBasis") != "unknown"
        cost = used.get("costUSD")
        if isinstance(cost, int | float) and 0 <= cost < _ABSURD:
            self._cost = (self._cost or 0.0) + cost

    def _add(self, more: _Counts, less: _Counts) -> None:
        self._tokens = tuple(
            old + plus - minus for old, plus, minus in zip(self._tokens, more, less, strict=True)
        )
        self._show()

    def _show(self) -> None:
        given, made, read, written = self._tokens
        self.usage = Usage(
            input_tokens=given,
            output_tokens=made,
            cache_read_tokens=read,
            cache_write_tokens=written,
            cost_usd=self._cost if self._priced else None,
        )


def _counts(usage: JsonValue, names: tuple[str, ...]) -> _Counts:
    known = usage if isinstance(usage, dict) else {}
    return tuple(count(known.get(name)) for name in names)
