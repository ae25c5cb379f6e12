"""What a shell command does, as far as its words tell: whether it looks, changes or checks, and
which files it reads and writes.

Only plain words are believed. What a program does inside nobody knows here, so an unknown one is
thought to change something, and its arguments are no evidence of any file.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from whet.core.sized_cache import sized_cache

CommandKind = Literal["look", "change", "check", "none"]

_ORDER: tuple[CommandKind, ...] = ("check", "change", "look", "none")
"""Of several commands in one line the first of these counts."""

_LONGEST = 2_000
"""Characters of a command that are looked at."""

_HEAD = 300
"""Characters of a part of it that decide what it is."""

_HERE = re.compile(
    r"<<-?[ \t]*[\"']?(\w+)[\"']?([^\n]*)\n.*?(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE
)
_PATCHED = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$", re.MULTILINE)
_PART = re.compile(r"\|\||&&|[;|\n]|(?<![>&\d])&(?![>\d])")
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*(?:\"|\\?\Z)|'[^']*(?:'|\Z)", re.DOTALL)
_VEIL = re.compile("\0(\\d+)\0")
_WORD = re.compile(
    r"\"((?:[^\"\\]|\\.)*)(?:\"|\\?\Z)|'([^']*)(?:'|\Z)|((?:[^\s\"'\\]|\\.)+)", re.DOTALL
)
_REDIRECTED = re.compile(
    r"(?<![-=<>])(?:\d|&)?>{1,2}\|?\s*(?!&)(\"[^\"]+\"|'[^']+'|[^\s\"'<>|&;()]+)"
)
_SILENT = ("/dev/null", "/dev/stderr", "/dev/stdout")
_PATH = re.compile(r"(?:\$\{?\w+\}?/)?[\w@~+.,:/ -]+")
_SUFFIX = re.compile(r"\w\.[A-Za-z]\w{0,9}$|/|^\.\w")
_BACK = re.compile(r"\bgit\s+(?:-\S+\s+\S+\s+)?(?:diff|status|show)\b")
_IN_PLACE = re.compile(r"-[nErsz]*i|--in-place")

_BEFORE = re.compile(
    r"(?:\w+=\S*|sudo|time|nohup|exec|command|env|stdbuf|nice|"
    r"then|do|else|if|while|until|[({!])\s+"
)
_TIMEOUT = re.compile(r"timeout\s+(?:-\S+\s+)*\d+\w?\s+")

_LOOKS = re.compile(
    r"(?:ls|cat|head|tail|wc|e?grep|fgrep|rg|ag|fd|find|pwd|which|type|file|stat|du|df|tree|printenv|"
    r"date|nl|less|more|bat|sort|uniq|cut|tr|jq|yq|awk|diff|cmp|comm|column|xxd|od|strings|id|uname|"
    r"whoami|hostname|nproc|free|ps|lsof|md5sum|sha\d*sum|basename|dirname|realpath|readlink|man|env|"
    r"sed|curl|wget|"
    r"git\s+(?:-\S+\s+\S+\s+)?(?:status|log|diff|show|blame|grep|ls-files|ls-tree|rev-parse|describe|"
    r"branch|remote|reflog|shortlog)|"
    r"(?:pip3?|uv\s+pip|npm|pnpm|yarn|cargo|go|gem|brew|apt|docker|kubectl|gh)\s+"
    r"(?:show|list|ls|freeze|tree|view|info|outdated|ps|images|logs|get|describe|env|version|search)|"
    r"\S+\s+(?:--version|-V|--help|-h))(?!\S)"
)
_NOTHING = re.compile(
    r"(?:echo|printf|sleep|true|false|cd|wait|export|set|unset|test|\[|\[\[|:|fi|done|for|source|\.|exit)"
    r"(?!\S)"
)
_ALTERS = re.compile(
    r"find\s.*\s-(?:delete|fprint\w*|(?:exec|ok)\w*\s+(?!e?grep|cat|head|tail|ls|wc|file|stat))|"
    r"sed\s(?:.*\s)?(?:-[nErsz]*i|--in-place)|sort\s(?:.*\s)?-o|wget\s|"
    r"curl\s(?:.*\s)?(?:-[a-zA-Z]*[oOTdF]|-X\s*(?!GET)|--(?:output|request|data|form|upload|json))|"
    r"git\s.*\b(?:branch\s+(?:-[dDmMcC]|\w)|remote\s+(?:add|remove|rm|set|rename|prune))"
)

_SCRIPT = (
    r"(?:test|tests|lint|typecheck|type-check|types|check|build|e2e|unit|verify|ci)(?:[:\w-]*)"
)
_CHECKS = re.compile(
    r"(?:\S*/)?(?:pytest|py\.test|tox|nox|jest|vitest|mocha|ava|karma|cypress|playwright|tsc|vue-tsc|"
    r"eslint|stylelint|mypy|pyright|pyre|ty|flake8|pylint|bandit|shellcheck|hadolint|yamllint|ctest|"
    r"rspec|phpunit|phpstan|bats|golangci-lint|staticcheck|clang-tidy|actionlint|ktlint|detekt)(?!\S)|"
    r"(?:\S*/)?python[\d.]*\s+(?:-\S\s+)*-m\s+(?:pytest|unittest|mypy|pyright|py_compile|compileall|"
    r"doctest|flake8|pylint|tox|nox)(?!\S)|"
    r"(?:\S*/)?python[\d.]*\s+manage\.py\s+(?:test|check)(?!\S)|"
    r"(?:\S*/)?(?:python[\d.]*|node|bash|sh|ruby|bun|tsx|deno\s+run)\s+(?:-\S+\s+)*(?:\S*[/_.-])?"
    r"(?:tests?|check|verify|specs?)(?:[_.-]\w+)*\.\w+(?!\S)|"
    rf"(?:npm|pnpm|yarn|bun|deno)\s+(?:-\S+\s+)*(?:run\s+|run-script\s+)?(?:-\S+\s+)*{_SCRIPT}(?!\S)|"
    r"(?:npm|pnpm|yarn)\s+t(?!\S)|"
    r"(?:cargo|go|dotnet|swift|mix|zig|flutter|dart)\s+(?:\S+\s+)?(?:test|check|clippy|vet|build|analyze|"
    r"nextest)(?!\S)|"
    rf"(?:make|just|task|rake|invoke|ninja)\s+(?:-\S+\s+)*{_SCRIPT}(?!\S)|"
    r"(?:\S*/)?(?:mvn|mvnw|gradle|gradlew)\s+(?:\S+\s+)*?(?:test|verify|check|compile|build)(?!\S)|"
    r"(?:\S*/)?(?:ruff\s+check|ruff\s+format\s+(?:\S+\s+)*--check|black\s+(?:\S+\s+)*--check|"
    r"prettier\s+(?:\S+\s+)*(?:--check|-c)|isort\s+(?:\S+\s+)*--check\S*|node\s+--(?:check|test)|"
    r"(?:ba|z)?sh\s+-n|xcodebuild\s+(?:\S+\s+)*test|terraform\s+(?:validate|plan)|helm\s+lint)(?!\S)|"
    r"git\s+diff\s+--check"
)
_RUNNERS = re.compile(
    r"(?:npx|pnpm\s+exec|pnpm\s+dlx|yarn\s+exec|bunx|uv\s+run|uvx|poetry\s+run|pipenv\s+run|hatch\s+run|"
    r"pdm\s+run|bundle\s+exec|rtk|xvfb-run|coverage\s+run\s+-m|coverage\s+run)\s+(?:-\S+\s+)*"
)
_ASSERTS = re.compile(r"(?:\S*/)?python[\d.]*\s+(?:-\w+\s+)*-c\s")
"""Code in the command itself; it is a check if it asserts something."""

_MENDS = re.compile(r"\s--(?:fix|write|apply|unsafe-fixes|update-snapshots?|updateSnapshot)(?!\S)")

_READERS = frozenset({"cat", "head", "tail", "nl", "less", "more", "bat", "wc"})
_WRITERS = frozenset({"tee", "touch", "rm", "truncate", "unlink"})
_COPIERS = frozenset({"cp", "mv", "install", "ln"})


@dataclass(frozen=True, slots=True)
class Command:
    """What the words of a command say."""

    kind: CommandKind
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    looks_back: bool = False
    """Whether it asks what has changed: ``git diff`` and the like."""


def command_of(text: str) -> Command:
    """Look at a command; only its beginning where it is long, but at all files of a patch."""
    found = _begun(text[:_LONGEST])
    patched = [path for each in _PATCHED.findall(text) if (path := each.strip())]
    if not patched:
        return found
    kind = "check" if found.kind == "check" else "change"
    writes = tuple(dict.fromkeys((*patched, *found.writes)))
    return Command(kind, found.reads, writes, found.looks_back)


@sized_cache(8 * 1024 * 1024, per_character=16)
def _begun(text: str) -> Command:
    plain = _HERE.sub(r" \2\n", text.replace("\0", ""))
    reads: dict[str, None] = {}
    writes: dict[str, None] = {}
    kinds: set[CommandKind] = {"none"}
    for part in _parts(plain):
        targets = list(_targets(part))
        bare = _REDIRECTED.sub(" ", part).strip()
        is_assertion = _ASSERTS.match(bare) is not None and "assert " in bare
        kinds.add("check" if is_assertion else _kind(bare[:_HEAD], writes=bool(targets)))
        read, written = _files(bare)
        reads |= dict.fromkeys(read)
        writes |= dict.fromkeys([*targets, *written])
    return Command(
        min(kinds, key=_ORDER.index), (*reads,), (*writes,), _BACK.search(plain) is not None
    )


def _parts(text: str) -> Iterator[str]:
    """The commands of a line, without what stands before their names. What is quoted is not
    taken apart."""
    hidden: list[str] = []

    def hide(quoted: re.Match[str]) -> str:
        hidden.append(quoted[0])
        return f"\0{len(hidden) - 1}\0"

    veiled = _QUOTED.sub(hide, text)
    for piece in _PART.split(veiled):
        part = _VEIL.sub(lambda found: hidden[int(found[1])], piece).strip()
        while found := _BEFORE.match(part) or _TIMEOUT.match(part):
            part = part[found.end() :]
        if part:
            yield part


def _kind(part: str, *, writes: bool) -> CommandKind:
    bare = part[found.end() :] if (found := _RUNNERS.match(part)) else part
    if _CHECKS.match(bare):
        return "change" if _MENDS.search(bare) else "check"
    if writes:
        return "change"
    if _NOTHING.match(bare) or bare in ("}", ")"):
        return "none"
    if _LOOKS.match(bare) and not _ALTERS.match(bare):
        return "look"
    return "change"


def _targets(part: str) -> Iterator[str]:
    """The files that its output goes to."""
    quoted = [found.span() for found in _QUOTED.finditer(part)]
    for found in _REDIRECTED.finditer(part):
        path = found[1].strip("\"'")
        inside = any(start < found.start() < end for start, end in quoted)
        if not inside and path not in _SILENT and _is_path(path):
            yield path


def _files(part: str) -> tuple[list[str], list[str]]:
    """The files that its arguments name, those read and those written."""
    words = [one or other or third for one, other, third in _WORD.findall(part)]
    name = words[0].rpartition("/")[2] if words else ""
    if name not in _READERS and name not in _WRITERS and name not in _COPIERS and name != "sed":
        return [], []
    plain = [word for word in words[1:] if not word.startswith("-") and _is_path(word)]
    if name == "sed":
        last = plain[-1:] if len(words) > 2 and plain and plain[-1] == words[-1] else []
        return ([], last) if any(map(_IN_PLACE.match, words)) else (last, [])
    if name in _COPIERS:
        return plain[:-1], plain[-1:]
    return (plain, []) if name in _READERS else ([], plain)


def _is_path(word: str) -> bool:
    """Whether a word can only be meant as a path: no pattern, no variable, and not just a name."""
    return (
        len(word) < 500 and _PATH.fullmatch(word) is not None and _SUFFIX.search(word) is not None
    )
