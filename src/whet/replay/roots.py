"""Two sessions mostly work in two folders. What is the same file in both, below other roots?

Every two paths with the same name vote for the pair of folders that is left when what they have in
common at their ends is taken away. Where nothing votes, the folder that all absolute paths of a
side have in common is its root.
"""

import posixpath
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

from whet.replay.acts import Acts

Plain = Callable[[str], str]
"""Takes the roots out of a path or a command."""

_MOST_PAIRS = 8
_MOST_ROOTS = 8
_SHORTEST = 3


def plain_names(left: Acts, right: Acts) -> tuple[Plain, Plain]:
    """How each side's paths and commands read without its roots."""
    votes = _votes(_paths(left), _paths(right))
    ordered = [pair for pair, _ in sorted(votes.items(), key=lambda one: (-one[1], one[0]))]
    sides: list[Plain] = []
    for number, acts in enumerate((left, right)):
        voted = list(dict.fromkeys(pair[number] for pair in ordered))
        sides.append(_without(voted if ordered else _shared(_paths(acts))))
    return sides[0], sides[1]


def _paths(acts: Acts) -> list[str]:
    return list(dict.fromkeys(path for act in acts for path in (*act.reads, *act.writes)))


def _votes(left: Iterable[str], right: Iterable[str]) -> Counter[tuple[str, str]]:
    named: defaultdict[str, list[str]] = defaultdict(list)
    for path in right:
        named[path.rpartition("/")[2]].append(path)
    votes: Counter[tuple[str, str]] = Counter()
    for path in left:
        for other in named[path.rpartition("/")[2]][:_MOST_PAIRS]:
            votes[_apart(path, other)] += 1
    return votes


def _apart(one: str, other: str) -> tuple[str, str]:
    """What is left of two paths without the end that they have in common."""
    mine, theirs = one.split("/"), other.split("/")
    while mine and theirs and mine[-1] == theirs[-1]:
        mine.pop()
        theirs.pop()
    return "/".join(mine), "/".join(theirs)


def _shared(paths: Iterable[str]) -> list[str]:
    folders = [posixpath.dirname(path) for path in paths if path.startswith("/")]
    return [posixpath.commonpath(folders)] if folders else []


def _without(roots: Sequence[str]) -> Plain:
    """Without the first of the *roots* that it begins with; in a command, wherever one stands."""
    kept = [root for root in roots if len(root) >= _SHORTEST][:_MOST_ROOTS]

    def plain(text: str) -> str:
        for root in kept:
            if text.startswith(f"{root}/"):
                return text[len(root) + 1 :]
        for root in kept:
            text = text.replace(f"{root}/", "").replace(root, ".")
        return text

    return plain
