"""Commands that the agent agrees to run: those that look, count and tidy up, inside its folder."""

import os
import re
import shlex
import sys
from pathlib import Path

from whet.ports.workdir import Workdir
from whet.shell.command import Command, Limits
from whet.shell.process import run
from whet.shell.sandbox import Policy, wrapped

_SECONDS = 10.0
_LONGEST = 500
_MOST_OUTPUT = 64 * 1024
_FLAGS = {
    "basename": "",
    "cat": "bEnst",
    "cp": "r",
    "dirname": "",
    "echo": "neE",
    "expr": "",
    "grep": "cEFhiHlnorvwx",
    "head": "cn0123456789",
    "ls": "1aAhlrRStF",
    "mkdir": "p",
    "mv": "n",
    "nl": "ba",
    "pwd": "",
    "sort": "bfnru",
    "tac": "",
    "tail": "cn0123456789",
    "touch": "",
    "true": "",
    "uniq": "cdiu",
    "wc": "clmw",
}
_JOINTS = frozenset({"|", "&&", ";"})
_REDIRECTS = frozenset({">", ">>"})
_PUNCTUATION = re.compile(r"[();<>|&]+")
_EXPANDS = re.compile(r"[$`!\\{}\[\]*?~#^]")


def is_harmless(command: str) -> bool:
    """Whether the agent agrees to run it."""
    if len(command) > _LONGEST or not command.isprintable():
        return False
    try:
        lexer = shlex.shlex(command, posix=False, punctuation_chars=True)
        words = list(lexer)
    except ValueError:
        return False
    expects, program = "program", ""
    for word in words:
        if _PUNCTUATION.fullmatch(word):
            if expects != "anything" or word not in _JOINTS | _REDIRECTS:
                return False
            expects = "program" if word in _JOINTS else "file"
            continue
        plain = _plain(word)
        if plain is None or not _fits(plain, expects, program):
            return False
        program = plain if expects == "program" else program
        expects = "anything"
    return expects == "anything"


def _plain(word: str) -> str | None:
    """A word without its quotation marks; None if a shell would make something else of it."""
    if len(word) > 1 and word[0] == word[-1] == "'":
        return word[1:-1]
    inner = word[1:-1] if len(word) > 1 and word[0] == word[-1] == '"' else word
    return None if _EXPANDS.search(inner) or '"' in inner or "'" in inner else inner


def _fits(word: str, expects: str, program: str) -> bool:
    if expects == "program":
        return word in _FLAGS
    if word.startswith("-") and program not in ("echo", "expr"):
        flags = word[1:]
        return bool(flags) and all(flag in _FLAGS[program] for flag in flags)
    if program in ("echo", "expr") and expects != "file":
        return True
    # The beginning of a path, also of one behind another character, must not lead elsewhere.
    return ".." not in word and not word.startswith(("/", "~")) and "=/" not in word


async def run_command(command: str, workdir: Workdir, sandbox: str) -> tuple[bool, str]:
    """Run a harmless command; whether it went well, and what it printed."""
    order = Command(
        argv=("sh", "-c", command),
        cwd=workdir.work,
        env={"PATH": os.defpath, "LC_ALL": "C", "TMPDIR": str(workdir.root)},
        timeout=_SECONDS,
        limits=Limits(line=_MOST_OUTPUT, output=_MOST_OUTPUT),
    )
    if sandbox == "bubblewrap":
        shown = tuple({Path(sys.prefix), Path(sys.base_prefix)})
        order = wrapped(order, sandbox, Policy(writable=(workdir.root,), readable=shown))
    completed = await run(order)
    if completed.exit.timed_out:
        return False, f"no end after {_SECONDS:g} seconds"
    return completed.exit.ok, completed.stdout or completed.exit.stderr
