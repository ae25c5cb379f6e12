"""What the agent knows about one kind of task: the parts a solution is put together from."""

import re
from dataclasses import dataclass, field


@dataclass(frozen=True, eq=False)
class Kernel:
    """A small task with an efficient and a naive solution.

    Both are whole sources with slots. A line ``<doc>``, ``<errors>``, ``<guards>`` or
    ``<asked>`` takes that block or vanishes; what stands between ``<try>`` and ``<except>`` is
    wrapped when errors are handled, ``errors`` being the handlers then. Type hints stand
    between ``‹`` and ``›``. ``names`` maps each telling name to a poor one. ``smoke`` are
    lines that pass on every working variant.
    """

    name: str
    cues: re.Pattern[str]
    doc: tuple[str, str]
    """One sentence, in English and in Chinese."""

    efficient: str
    naive: str
    guards: str
    errors: str
    asked: str
    smoke: tuple[str, ...]
    names: dict[str, str] = field(default_factory=dict[str, str])
    imports: str = ""

    def block(self, slot: str) -> str:
        """The text that belongs into *slot*; the docstring is ``doc``."""
        return {"<errors>": self.errors, "<guards>": self.guards, "<asked>": self.asked}[slot]


def cues(pattern: str) -> re.Pattern[str]:
    """Compile the words by which a prompt is recognised."""
    return re.compile(pattern, re.IGNORECASE)
