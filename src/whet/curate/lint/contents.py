"""Rules for what lies in the folder: what does not belong there, and what does not travel."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath

from whet.curate.library import DEEPEST, MOST_BYTES, MOST_FILES
from whet.curate.lint.finding import Finding, Rule, quoted
from whet.curate.lint.folder import ENTRY, EVALS, Oddity, Skill
from whet.curate.lint.scripts import PROGRAMS

_MIB = 1024 * 1024
LARGE = _MIB

BINARY = Rule(
    "SK501",
    "binary-file",
    "warning",
    "A file is binary, and no picture, font, document, sound or archive.",
    "Nobody can review it, and programs run on one kind of machine only.",
    "Put the source there, or have it downloaded or built.",
)
LARGE_FILE = Rule(
    "SK502",
    "large-file",
    "warning",
    "A file is larger than 1 MiB.",
    "It is copied for every run, and an agent that reads it has no room left.",
    "Shorten it, or have it downloaded when needed.",
)
TOO_LARGE = Rule(
    "SK503",
    "too-large",
    "error",
    f"The folder has more than {MOST_FILES:,} files, {MOST_BYTES // _MIB} MiB, or {DEEPEST} "
    "folders inside one another.",
    "It is no skill then, or things lie in it that are none of it. The rest was not looked at.",
    "Remove what does not belong to the skill.",
)
LINK = Rule(
    "SK504",
    "link",
    "warning",
    "A symbolic link to something inside of the skill.",
    "Links are neither given to agents nor packed.",
    "Put a copy in its place.",
)
LINK_OUT = Rule(
    "SK505",
    "link-out",
    "error",
    "A symbolic link that leads out of the skill, or nowhere.",
    "Whoever follows it gives away files that are none of the skill.",
    "Put a copy in its place, or remove it.",
)
SPECIAL = Rule(
    "SK506",
    "special-file",
    "error",
    "Neither a file nor a folder: a pipe, a socket or a device.",
    "It cannot be packed, and whoever reads it may wait for ever.",
    "Remove it.",
)
NAME = Rule(
    "SK507",
    "unfit-name",
    "error",
    "The name of a file has a backslash, a character that is not printed, or no UTF-8.",
    "It means something else elsewhere, or cannot be written there.",
    "Rename it.",
)
NOT_PORTABLE = Rule(
    "SK508",
    "not-portable-name",
    "warning",
    "Windows cannot have a file of that name, or takes two names for one.",
    "The skill cannot be unpacked there as it is.",
    "Rename it.",
)
HAS_EVALS = Rule(
    "SK509",
    "evals-present",
    "info",
    "There is a folder evals/.",
    "It is not given to agents, and only packed if you ask for it.",
    "Nothing has to be done.",
)
LEFTOVER = Rule(
    "SK510",
    "leftover",
    "info",
    "A version control folder, a cache, installed packages or a file of the file manager.",
    "It is neither given to agents nor packed.",
    "Remove it, or leave it to those who leave it out.",
)
RULES = (
    BINARY,
    LARGE_FILE,
    TOO_LARGE,
    LINK,
    LINK_OUT,
    SPECIAL,
    NAME,
    NOT_PORTABLE,
    HAS_EVALS,
    LEFTOVER,
)

_ODD: dict[Oddity, tuple[Rule, str]] = {
    "link": (LINK, "a symbolic link"),
    "link_out": (LINK_OUT, "a symbolic link that leads out of the skill, or nowhere"),
    "special": (SPECIAL, "neither a file nor a folder"),
    "name": (NAME, "this cannot be the name of a file in a skill"),
    "leftover": (LEFTOVER, "it is no part of the skill"),
}
_MEDIA = re.compile(
    r"\.(?:png|jpe?g|gif|webp|bmp|ico|avif|tiff?|pdf|docx?|dotx|xlsx?|pptx?|potx|od[tsp]|epub"
    r"|[ot]tf|woff2?|mp[34]|wav|ogg|flac|webm|mov|zip|t?gz|xz|bz2|parquet|np[yz])"
)
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)
_UNFIT = re.compile(r'[<>:"|?*]|[. ]\Z')


def check(skill: Skill) -> Iterator[Finding]:
    """What does not belong into the folder."""
    if skill.is_too_large:
        yield TOO_LARGE.at(ENTRY, "the folder is too large for a skill; the rest was not looked at")
    for path, kind in skill.odd:
        rule, message = _ODD[kind]
        yield rule.at(path, message)
    for file in skill.own:
        if file.text is None and (
            not _MEDIA.fullmatch(file.suffix) or file.data.startswith(PROGRAMS)
        ):
            yield BINARY.at(file.path, "a binary file")
        if len(file.data) > LARGE:
            yield LARGE_FILE.at(file.path, f"{len(file.data) / _MIB:.1f} MiB")
    if any(file.is_eval for file in skill.files):
        yield HAS_EVALS.at(EVALS, "its own tests; they are packed only if you ask for it")
    yield from _names(skill)


def _names(skill: Skill) -> Iterator[Finding]:
    alike: defaultdict[str, list[str]] = defaultdict(list)
    for file in skill.files:
        alike[unicodedata.normalize("NFC", file.path).casefold()].append(file.path)
        parts = PurePosixPath(file.path).parts
        if any(_RESERVED.fullmatch(part) or _UNFIT.search(part) for part in parts):
            yield NOT_PORTABLE.at(file.path, "Windows cannot have a file of that name")
    for first, *others in alike.values():
        for other in others:
            message = f"some machines take it for the same name as {quoted(first)}"
            yield NOT_PORTABLE.at(other, message)
