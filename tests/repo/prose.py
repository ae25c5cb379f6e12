"""Reading Markdown: links, code blocks and what documents mention."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from typer import Typer
from typer.core import TyperGroup
from typer.main import get_command

from tests.repo.allowed import Finding

FENCE = re.compile(r"^ *(`{3,}|~{3,})[^\n]*\n(.*?)^ *\1", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)|^ *\[[^\]^]+\]:\s*(\S+)|(?:href|src)=\"([^\"]+)\"", re.M)
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|#", re.IGNORECASE)


def broken_links(path: str, text: str, root: Path) -> Iterator[Finding]:
    """Relative links that lead to nothing, or out of the repository."""
    prose = re.sub(r"`[^`\n]*`", "", FENCE.sub("", text))
    for groups in LINK.findall(prose):
        target = "".join(groups)
        if ELSEWHERE.match(target):
            continue
        end = (root / path).parent / unquote(target.partition("#")[0])
        inside = end.resolve().is_relative_to(root.resolve())
        if target.startswith("/") or not inside or not end.exists():
            yield Finding("broken link", path, target)


def commands_shown(text: str) -> list[str]:
    """Lines of all code blocks, in order, without comments and prompts."""
    lines = (line for _, block in FENCE.findall(text) for line in block.splitlines())
    bare = (re.sub(r"(^|\s)#.*", "", line).removeprefix("$ ").strip() for line in lines)
    return [line for line in bare if line]


def commands(app: Typer) -> list[str]:
    """Every public command of the program, as one types it."""
    return sorted(_walk("whet", get_command(app)))


def _walk(name: str, command: object) -> Iterator[str]:
    if not isinstance(command, TyperGroup):
        yield name
        return
    for verb, child in command.commands.items():
        if not child.hidden:
            yield from _walk(f"{name} {verb}", child)


def settings(source: str) -> list[str]:
    """Every environment variable of ours that the settings module names."""
    return sorted(set(re.findall(r"\bWHET_[A-Z][A-Z_]*[A-Z]\b", source)))


def unmentioned(names: list[str], text: str) -> list[str]:
    """Those of *names* that *text* does not have as whole words."""
    return [name for name in names if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)]
