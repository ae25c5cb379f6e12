"""What a job was given: the inputs and parameters in its prompt."""

import re
from dataclasses import dataclass

from pydantic import JsonValue

from whet.engines.simulated.contract.decoding import decoded

_HEADING = r"^#{{1,6}}[ \t]*(?:{})[ \t]*:?[ \t]*\n\s*(`{{3,}}|~{{3,}}\w*?)(?:json)?[ \t]*\n"
_INPUTS = re.compile(_HEADING.format("inputs?|输入"), re.IGNORECASE | re.MULTILINE)
_PARAMETERS = re.compile(_HEADING.format("parameters?|参数"), re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Order:
    """Values by name; of a file the path."""

    inputs: dict[str, JsonValue]
    parameters: dict[str, JsonValue]

    def number(self, *names: str) -> int | None:
        """The first of these parameters that is a number above zero."""
        for name in names:
            value = self.parameters.get(name)
            if isinstance(value, int) and not isinstance(value, bool) and value > 0:
                return value
        return None

    def text(self, *names: str) -> str | None:
        """The first of these parameters or inputs that is a text."""
        found = (given.get(name) for given in (self.parameters, self.inputs) for name in names)
        return next((value for value in found if isinstance(value, str) and value), None)


def ordered(prompt: str) -> Order:
    """What stands in the prompt as its usual template puts it; nothing where it does not."""
    return Order(_fenced(prompt, _INPUTS), _fenced(prompt, _PARAMETERS))


def _fenced(prompt: str, heading: re.Pattern[str]) -> dict[str, JsonValue]:
    opened = heading.search(prompt)
    if opened is None:
        return {}
    start = opened.end()
    end = prompt.find(f"\n{opened[1]}", start)
    return decoded(prompt[start : end if end >= 0 else len(prompt)]) or {}
