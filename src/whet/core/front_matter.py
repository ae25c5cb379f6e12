"""The front matter of a SKILL.md: what an agent is told of a skill before it takes it up.

Of YAML only what skills use is read: keys at the left margin with a value that is plain, quoted
or a block of indented lines. Whatever else there is stays as it is.
"""

import json
import re
from typing import NamedTuple

from whet.core.arm import SkillPackage
from whet.core.naming import slug

HEAD = 65_536
"""Characters in which the front matter has to end."""

_FRONT = re.compile(
    r"\A\ufeff?---[ \t]*(\r?\n)(.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE
)
_LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")
_KEY = re.compile(r"([\"']?)([A-Za-z_][\w-]*)\1[ \t]*:(?:[ \t]+(.*))?\Z", re.DOTALL)
_BLOCK = re.compile(r"([|>])[-+0-9]{0,2}[ \t]*(?:#.*)?\Z")
_DOUBLE = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_SINGLE = re.compile(r"'((?:[^']|'')*)'")
_COMMENT = re.compile(r"(?:\A|[ \t])#.*")
_USABLE = re.compile(r"[A-Za-z0-9][\w.-]{0,63}")


class Entry(NamedTuple):
    """A value, and the lines it takes: from *start* up to *end* of the whole text."""

    value: str
    start: int
    end: int


def entries(text: str) -> dict[str, Entry] | None:
    """The values by key, the first one of each; None without any front matter."""
    front = _FRONT.match(text[:HEAD])
    if front is None:
        return None
    found: dict[str, Entry] = {}
    for key, lines, start in _keyed(front[2], front.start(2)):
        value = _value(lines)
        found.setdefault(key, Entry(value, start, start + sum(map(len, lines))))
    return found


def name_of(text: str, package: SkillPackage) -> str:
    """The name under which agents know a package with this SKILL.md: its own if that can be the
    name of a folder, else that of the library."""
    own = (entries(text) or {}).get("name")
    if own is not None and _USABLE.fullmatch(own.value):
        return own.value
    return slug(package.name, package.digest[:8], "-")


def description_of(text: str) -> str:
    """The description in one line; empty if there is none."""
    own = (entries(text) or {}).get("description")
    return " ".join(own.value.split()) if own is not None else ""


def without_front_matter(text: str) -> str:
    """What follows the front matter, or all of *text* where there is none."""
    front = _FRONT.match(text[:HEAD])
    return text[front.end() :] if front else text


def with_description(text: str, description: str) -> str:
    """*text* with another description, and with nothing else changed; raises ``ValueError`` if
    it has no front matter."""
    front = _FRONT.match(text[:HEAD])
    if front is None:
        raise ValueError("there is no front matter")
    written = json.dumps(" ".join(description.split()), ensure_ascii=False)
    line = f"description: {written}{front[1]}"
    own = (entries(text) or {}).get("description")
    start, end = (own.start, own.end) if own is not None else (front.end(2), front.end(2))
    return text[:start] + line + text[end:]


def _keyed(block: str, offset: int) -> list[tuple[str, list[str], int]]:
    """Each key with its lines and where they begin; blank lines after them are nobody's."""
    found: list[tuple[str, list[str], int]] = []
    waiting: list[str] = []
    for match in _LINE.finditer(block):
        line = match[0]
        key = _KEY.match(line.rstrip("\r\n"))
        if key is not None:
            found.append((key[2], [line], offset + match.start()))
            waiting = []
        elif line.strip() and not line.startswith("#"):
            if found:
                found[-1][1].extend([*waiting, line])
            waiting = []
        else:
            waiting.append(line)
    return found


def _value(lines: list[str]) -> str:
    key = _KEY.match(lines[0].rstrip("\r\n"))
    first = ((key[3] if key else "") or "").strip()
    rest = [line.rstrip() for line in lines[1:]]
    if block := _BLOCK.match(first):
        return _block(rest, folded=block[1] == ">")
    if first.startswith('"') and (quoted := _DOUBLE.match(_folded([first, *rest]))):
        return _unescaped(quoted[1])
    if first.startswith("'") and (quoted := _SINGLE.match(_folded([first, *rest]))):
        return quoted[1].replace("''", "'")
    return _folded([_COMMENT.sub("", line) for line in (first, *rest)])


def _block(lines: list[str], *, folded: bool) -> str:
    margins = [len(line) - len(line.lstrip()) for line in lines if line]
    margin = min(margins, default=0)
    cut = [line[margin:] for line in lines]
    return _folded(cut) if folded else "\n".join(cut).strip()


def _folded(lines: list[str]) -> str:
    """Lines as one, with a break where there is an empty one."""
    paragraphs = "\n".join(line.strip() for line in lines).split("\n\n")
    return "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs).strip()


def _unescaped(quoted: str) -> str:
    try:
        value = json.loads(f'"{quoted}"', strict=False)
    except ValueError:
        return re.sub(r"\\(.)", r"\1", quoted)
    return str(value)
