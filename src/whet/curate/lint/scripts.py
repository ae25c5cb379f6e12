"""Rules for files that are executed."""

import re
from collections.abc import Iterator

from whet.curate.lint.finding import Finding, Rule
from whet.curate.lint.folder import File, Skill

NOT_EXECUTABLE = Rule(
    "SK401",
    "not-executable",
    "warning",
    "A file begins with #! and may not be executed.",
    "An agent that runs it by its path is refused.",
    "Run chmod +x on it.",
    is_mechanical=True,
)
NO_SHEBANG = Rule(
    "SK402",
    "no-shebang",
    "warning",
    "A script may be executed, or is a shell script below scripts/, and does not begin with #!.",
    "Which program runs it is then left to chance.",
    "Begin it with a line such as #!/usr/bin/env bash.",
)
RULES = (NOT_EXECUTABLE, NO_SHEBANG)

SHELLS = frozenset({".sh", ".bash", ".zsh"})
SCRIPTS = SHELLS | {".py", ".js", ".mjs", ".ts", ".rb", ".pl", ".php", ".lua", ".r"}
PROGRAMS = (b"\x7fELF", b"MZ", b"\xfe\xed\xfa", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\0asm")
"""How compiled programs begin."""

_SHEBANG = re.compile(rb"(?:\xef\xbb\xbf)?#![ \t]*/")


def has_shebang(file: File) -> bool:
    """Whether it says which program runs it."""
    return _SHEBANG.match(file.data) is not None


def is_script(file: File) -> bool:
    """Whether it is there to be executed."""
    return file.suffix in SCRIPTS or has_shebang(file)


def check(skill: Skill) -> Iterator[Finding]:
    """Scripts that do not start. A Python file with neither mark may be a module, and is fine."""
    for file in skill.own:
        if has_shebang(file):
            if not file.is_executable:
                yield NOT_EXECUTABLE.at(file.path, "it begins with #! and may not be executed")
        elif _needs_shebang(file):
            yield NO_SHEBANG.at(file.path, "it does not begin with #!")


def _needs_shebang(file: File) -> bool:
    if not file.data or file.data.startswith(PROGRAMS):
        return False
    in_scripts = file.path.startswith("scripts/")
    if in_scripts and file.suffix in SHELLS:
        return True
    return file.is_executable and file.suffix in SCRIPTS
