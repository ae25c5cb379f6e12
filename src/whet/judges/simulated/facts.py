"""What can be seen in a piece of Python without running it."""

import builtins
from dataclasses import dataclass, field
from typing import NamedTuple

Lines = list[int]
Named = list[tuple[int, str]]

_KNOWN_ANYWAY = frozenset(dir(builtins)) | {"__file__", "__name__", "__doc__", "__path__"}


class Function(NamedTuple):
    """A function or method, and whether it says what type it returns."""

    line: int
    name: str
    hinted: bool


@dataclass(slots=True)
class Facts:
    """Findings with their lines; the walk over the tree fills them in. No tree is kept alive."""

    functions: list[Function] = field(default_factory=list[Function])
    documented: int = 0
    undocumented: Named = field(default_factory=Named)
    """Functions and classes at the top of the module that have no docstring."""

    variables: dict[str, int] = field(default_factory=dict[str, int])
    used: dict[str, int] = field(default_factory=dict[str, int])
    bound: set[str] = field(default_factory=set[str])
    mentions: set[str] = field(default_factory=set[str])
    """Every attribute and keyword that occurs."""

    refusals: Lines = field(default_factory=Lines)
    """Conditions that raise."""

    shortcuts: Lines = field(default_factory=Lines)
    """Conditions that return a constant or go on with the next item."""

    none_checks: Lines = field(default_factory=Lines)
    handlers: Named = field(default_factory=Named)
    bare_handlers: Lines = field(default_factory=Lines)
    messages: Lines = field(default_factory=Lines)
    """Exceptions raised with something to say."""

    self_calls: dict[str, Lines] = field(default_factory=dict[str, Lines])
    loops_in_loops: dict[int, int] = field(default_factory=dict[int, int])
    """Line of a loop inside loops, and how many loops deep it is."""

    deepest: tuple[int, int] = (0, 0)
    """How deep statements nest, and where."""

    assignments: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """Line and column, in bytes, where the target of an assignment ends."""

    returns: int = 0
    imports_everything: bool = False

    @property
    def undefined(self) -> Named:
        """Names that are used and bound nowhere in the file."""
        if self.imports_everything:
            return []
        missing = self.used.keys() - self.bound - _KNOWN_ANYWAY
        return sorted((self.used[name], name) for name in missing)

    def has(self, *names: str) -> bool:
        """Whether any of *names* occurs as an identifier, attribute or keyword."""
        return any(n in self.mentions or n in self.used or n in self.bound for n in names)
