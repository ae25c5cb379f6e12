"""Searching texts; also a script of its own, which is ended when it has used its time.

A regular expression may take for ever on a text that was made for it, and nothing can stop it
within a process. So those that may are searched for by a process of their own: this file, with
the question as JSON on its standard input. It imports nothing of ours.
"""

import json
import re
import signal
import sys
from collections.abc import Callable, Iterable, Sequence

Hit = tuple[int, int, str]
"""The number of the text, the number of the line and the head of the line."""

Find = Callable[[str], int | None]
"""Where something begins in a text."""

_LONGEST_LINE = 400


def term_finder(terms: Sequence[str]) -> Find:
    """Finds whichever of *terms* comes first."""

    def find(text: str) -> int | None:
        places = [place for term in terms if (place := text.find(term)) >= 0]
        return min(places, default=None)

    return find


def regex_finder(regex: re.Pattern[str]) -> Find:
    """Finds what *regex* matches."""
    search = regex.search

    def find(text: str) -> int | None:
        found = search(text)
        return found.start() if found else None

    return find


def first_hit(find: Find, texts: Iterable[str]) -> list[Hit]:
    """The first place in the first text that has it; each text is searched as a whole."""
    for number, text in enumerate(texts):
        place = find(text)
        if place is not None:
            start = text.rfind("\n", 0, place) + 1
            line = text[start : start + _LONGEST_LINE].partition("\n")[0]
            return [(number, text.count("\n", 0, place) + 1, line)]
    return []


def lines_with(find: Find, texts: Iterable[str], exempt: Sequence[str], most: int) -> list[Hit]:
    """The first *most* lines that have it and nothing of *exempt*, each line by itself."""
    hits: list[Hit] = []
    for number, text in enumerate(texts):
        for position, line in enumerate(text.split("\n"), start=1):
            if find(line) is not None and not any(context in line for context in exempt):
                hits.append((number, position, line[:_LONGEST_LINE]))
                if len(hits) == most:
                    return hits
    return hits


def _main() -> None:
    question = json.load(sys.stdin)
    # Time on the processor, not on the wall: the verdict must not depend on a busy machine.
    signal.setitimer(signal.ITIMER_PROF, question["seconds"])
    find = regex_finder(re.compile(question["regex"]))
    if question["by_line"]:
        hits = lines_with(find, question["texts"], question["exempt"], question["most"])
    else:
        hits = first_hit(find, question["texts"])
    json.dump(hits, sys.stdout)


if __name__ == "__main__":
    _main()
