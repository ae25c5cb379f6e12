"""Rules for texts: how they are written down, and what in them is of one machine only."""

import re
from collections.abc import Iterator

from whet.curate.lint.finding import Finding, Rule, quoted
from whet.curate.lint.folder import ENTRY, File, Skill
from whet.curate.lint.scripts import is_script

LINE_ENDS = Rule(
    "SK701",
    "windows-line-ends",
    "warning",
    "Lines end as on Windows (CR LF).",
    "A script with them does not start: its first line names a program that is not there.",
    "Let lines end with a line feed alone.",
    is_mechanical=True,
)
ENTRY_MARK = Rule(
    "SK702",
    "byte-order-mark",
    "error",
    "SKILL.md begins with a byte order mark.",
    "Then it does not begin with ---, and agents find no front matter.",
    "Save it as UTF-8 without the mark.",
    is_mechanical=True,
)
MARK = Rule(
    "SK703",
    "stray-byte-order-mark",
    "warning",
    "A byte order mark, at the beginning of another file or inside of any.",
    "A script with it does not start; inside of a text it breaks words and cannot be seen.",
    "Remove it.",
    is_mechanical=True,
)
NOT_UTF8 = Rule(
    "SK704",
    "not-utf-8",
    "error",
    "A text file is not UTF-8, or has a zero byte in it.",
    "Agents refuse to read it, or read other characters.",
    "Save it as UTF-8.",
)
MACHINE_PATH = Rule(
    "SK705",
    "machine-path",
    "warning",
    "A path in the home folder of somebody.",
    "It is on no other machine, and tells who wrote the skill.",
    "Use a path relative to the skill, or $HOME.",
)
HIDDEN = Rule(
    "SK706",
    "hidden-characters",
    "warning",
    "Characters that cannot be seen, or that turn the order of others round.",
    "A model obeys what a reviewer does not see.",
    "Remove them.",
)
RULES = (LINE_ENDS, ENTRY_MARK, MARK, NOT_UTF8, MACHINE_PATH, HIDDEN)

BYTE_ORDER_MARK = "\ufeff"

_TEXTS = re.compile(r"\.(?:md|txt|jsonl?|ya?ml|toml|ini|cfg|css|html|xml)")
_WINDOWS = frozenset({".bat", ".cmd", ".ps1"})
_PATH = re.compile(
    r"(?<![\w.})>*~-])(?:/(?:home|Users)/([A-Za-z][\w.-]*)(?=/)"
    r"|[A-Za-z]:\\{1,2}Users\\{1,2}([A-Za-z][\w.-]*)(?=\\))"
)
_NOBODY = re.compile(
    r"user(?:name)?|you|me|name|your-?name|alice|bob|john|jane|example|someone|shared|public"
    r"|runner|linuxbrew|vscode",
    re.IGNORECASE,
)
_UNSEEN = re.compile("[\u202a-\u202e\u2066-\u2069\u200b\u2060\U000e0000-\U000e007f]+")


def check(skill: Skill) -> Iterator[Finding]:
    """How the texts of a skill are written down."""
    for file in skill.own:
        if not is_text_file(file):
            continue
        if file.text is None:
            yield NOT_UTF8.at(file.path, "it is not UTF-8, or has a zero byte in it", *_bad(file))
            continue
        if b"\r\n" in file.data and wants_line_feeds(file):
            line = file.data.count(b"\n", 0, file.data.index(b"\r\n")) + 1
            yield LINE_ENDS.at(file.path, "lines end as on Windows", line)
        yield from _marks(file, file.text)
        yield from _in_lines(file, file.text)


def is_text_file(file: File) -> bool:
    """Whether people write it and agents read or run it."""
    return bool(_TEXTS.fullmatch(file.suffix)) or file.suffix in _WINDOWS or is_script(file)


def wants_line_feeds(file: File) -> bool:
    """Whether its lines end with a line feed alone; batch files are for Windows."""
    return file.suffix not in _WINDOWS


def _bad(file: File) -> tuple[int, int]:
    """The first byte that is no UTF-8, or the first zero."""
    try:
        file.data.decode()
        at = file.data.index(b"\0")
    except UnicodeDecodeError as error:
        at = error.start
    begin = file.data.rfind(b"\n", 0, at) + 1
    column = len(file.data[begin:at].decode(errors="replace")) + 1
    return file.data.count(b"\n", 0, at) + 1, column


def _marks(file: File, text: str) -> Iterator[Finding]:
    if text.startswith(BYTE_ORDER_MARK):
        rule = ENTRY_MARK if file.path == ENTRY else MARK
        yield rule.at(file.path, "it begins with a byte order mark")
    if BYTE_ORDER_MARK not in text[1:]:
        return
    for number, line in enumerate(text.split("\n"), 1):
        at = line.find(BYTE_ORDER_MARK, 1 if number == 1 else 0)
        if at >= 0:
            yield MARK.at(file.path, "a byte order mark inside of the text", number, at + 1)


def _in_lines(file: File, text: str) -> Iterator[Finding]:
    if not (_PATH.search(text) or _UNSEEN.search(text)):
        return
    for number, line in enumerate(text.split("\n"), 1):
        for found in _PATH.finditer(line):
            if not _NOBODY.fullmatch(found[1] or found[2]):
                message = f"{quoted(found[0])} is on one machine only"
                yield MACHINE_PATH.at(file.path, message, number, found.start() + 1)
        for found in _UNSEEN.finditer(line):
            count = len(found[0])
            message = f"{count} hidden character{'s' if count > 1 else ''}"
            yield HIDDEN.at(file.path, message, number, found.start() + 1)
