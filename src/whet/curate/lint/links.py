"""Rules for what Markdown files refer to: it has to be there, and inside of the skill."""

import posixpath
import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

from whet.curate.lint.finding import Finding, Rule, quoted
from whet.curate.lint.folder import File, Skill

BROKEN = Rule(
    "SK301",
    "broken-link",
    "error",
    "A relative link leads to no file of the skill.",
    "The agent is sent to something that is not there.",
    "Correct the path, from the root of the skill or from the file, or add what is missing.",
)
MISSING = Rule(
    "SK302",
    "missing-file",
    "warning",
    "The text names a file below scripts/, references/ or assets/ that is not there.",
    "The agent is told to run or read something that is not there.",
    "Correct the path, or add the file.",
)
OUT = Rule(
    "SK303",
    "link-leads-out",
    "error",
    "A link leads out of the skill: an absolute path, file:, ~ or too many dots.",
    "Whoever installs the skill does not have that file.",
    "Put the file into the skill, or link to a web address.",
)
RULES = (BROKEN, MISSING, OUT)

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_CODE = re.compile(r"(`+)[^`]+\1")
_LINK = re.compile(
    r"\]\([ \t]*(?:<([^<>]*)>|([^()\s]+(?:\([^()\s]*\)[^()\s]*)*))"
    r"|^ {0,3}\[[^\]^][^\]]*\]:[ \t]*<?([^\s>]+)"
    r"|\b(?:href|src)=[\"']([^\"']+)[\"']"
)
_NAMED = re.compile(
    r"(?<![\w./~@:$}>*\\-])(?:\./)?"
    r"((?:scripts|references|assets)/[\w./-]*\.[A-Za-z][A-Za-z0-9]{0,7})(?![\w/*{<$-])"
)
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):|//")
_STAND_IN = re.compile(r"[<>{}$*]|\.\.\.|…|\bpath/to\b")
_INVENTED = re.compile(r"/(?:foo|bar|example|your[\w-]*|my[_-][\w-]*|xxx+)\.\w+\Z", re.IGNORECASE)
_WORDS = frozenset({"url", "link", "path", "href", "src", "file"})


class _Target(NamedTuple):
    line: int
    column: int
    text: str


def check(skill: Skill) -> Iterator[Finding]:
    """What the Markdown of a skill refers to and cannot have."""
    known = _known(skill)
    for file in skill.own:
        # What is in assets/ is for other places, and its links are relative to those.
        if file.suffix == ".md" and file.text is not None and not file.path.startswith("assets/"):
            yield from _links(file, file.text, known)
            yield from _names(file, file.text, known)


def _known(skill: Skill) -> frozenset[str]:
    """All files and folders; also those that are only left out of a package."""
    paths = [*(file.path for file in skill.files), *(odd.path for odd in skill.odd)]
    folders = {path[:at] for path in paths for at, letter in enumerate(path) if letter == "/"}
    return frozenset({".", *paths, *folders})


def _links(file: File, text: str, known: frozenset[str]) -> Iterator[Finding]:
    for line, column, target in _targets(text):
        scheme = _SCHEME.match(target)
        if scheme and len(scheme[1] or "web") > 1 and scheme[1] != "file":
            continue
        path = unquote(re.split(r"[?#]", target, maxsplit=1)[0])
        if not path or path.lower() in _WORDS or _STAND_IN.search(path):
            continue
        places = () if scheme or path[0] in "/~" else _places(file, path)
        if not places:
            yield OUT.at(file.path, f"{quoted(target)} leads out of the skill", line, column)
        elif known.isdisjoint(places):
            yield BROKEN.at(file.path, f"{quoted(target)} leads to nothing", line, column)


def _names(file: File, text: str, known: frozenset[str]) -> Iterator[Finding]:
    if not _NAMED.search(text):
        return
    linked = {target.text.removeprefix("./") for target in _targets(text)}
    seen: set[str] = set()
    for number, line in enumerate(text.split("\n"), 1):
        for found in _NAMED.finditer(line):
            path = found[1]
            if path in seen or path in linked or _INVENTED.search(path):
                continue
            seen.add(path)
            if known.isdisjoint(_places(file, path)):
                message = f"there is no {quoted(path)}"
                yield MISSING.at(file.path, message, number, found.start(1) + 1)


def _places(file: File, path: str) -> tuple[str, ...]:
    """Where a path may lead, from the root of the skill or from the file's own folder."""
    here = posixpath.dirname(file.path)
    places = {posixpath.normpath(path), posixpath.normpath(posixpath.join(here, path))}
    return tuple(place for place in places if place.split("/")[0] != "..")


def _targets(text: str) -> Iterator[_Target]:
    """The links outside of code."""
    fence = ""
    for number, line in enumerate(text.split("\n"), 1):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and not line[mark.end() :].strip():
            fence = ""
        elif not fence:
            prose = _CODE.sub(lambda code: " " * len(code[0]), line)
            for found in _LINK.finditer(prose):
                which = found.lastindex or 0
                yield _Target(number, found.start(which) + 1, found[which])
