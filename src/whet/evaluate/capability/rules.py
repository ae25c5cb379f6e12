"""The rules of lint for capability sets, and what they find."""

from typing import Literal, NamedTuple

from whet.documents.capability_report import CaseFinding

Level = Literal["error", "warning"]


class Rule(NamedTuple):
    """A rule that never changes its meaning under its id."""

    id: str
    name: str
    level: Level
    what: str
    fix: str

    def at(self, where: "Place", message: str) -> CaseFinding:
        """A finding of this rule."""
        return CaseFinding(
            rule=self.id,
            name=self.name,
            level=self.level,
            source=where.source,
            case_id=where.case_id,
            place=where.path,
            message=message,
            fix=self.fix,
        )


class Place(NamedTuple):
    """Where something is: a file, a case and a path in the file."""

    source: str
    case_id: str | None
    path: str

    def below(self, key: str) -> "Place":
        """A place inside this one."""
        joint = "" if key.startswith("[") or not self.path else "."
        return self._replace(path=f"{self.path}{joint}{key}")


FORMAT = Rule(
    "K001", "format", "error",
    "A key is missing, or a value is of the wrong kind.",
    "write the value as docs/capability-cases.md says",
)  # fmt: skip
UNKNOWN_KEY = Rule(
    "K002", "unknown-key", "warning",
    "A key that nobody reads, often a slip of the pen.",
    "correct its name, or take it out",
)  # fmt: skip
DUPLICATE_ID = Rule(
    "K003", "duplicate-id", "error",
    "Two cases of one set and language have the same id.",
    "give one of them another id",
)  # fmt: skip
UNSAFE_ID = Rule(
    "K004", "unsafe-id", "error",
    "An id that cannot be the name of a folder.",
    "use letters, digits, '_', '-' and '.' only",
)  # fmt: skip
BAD_CHECK = Rule(
    "K005", "bad-check", "error",
    "What is expected does not fit the type of the check, or there is no check.",
    "write what the check expects as docs/checks.md says",
)  # fmt: skip
SLOW_REGEX = Rule(
    "K006", "slow-regex", "error",
    "A regular expression that takes too long on some texts.",
    "repeat nothing that is itself repeated: (a+)+ is a+",
)  # fmt: skip
UNREACHABLE = Rule(
    "K007", "unreachable-prerequisite", "error",
    "A tool that no agent has, so that the case is always skipped.",
    "use a name of docs/checks.md#tools, server@tool or skill@name",
)  # fmt: skip
UNDECLARED_TOOL = Rule(
    "K008", "undeclared-tool", "warning",
    "A check looks for a tool that is not among the prerequisites.",
    "add the tool to the prerequisites",
)  # fmt: skip
LEAK = Rule(
    "K009", "answer-leak", "error",
    "The prompt gives the expected answer away.",
    "take the answer out of the question",
)  # fmt: skip
KEY_NOT_AN_OPTION = Rule(
    "K010", "key-not-an-option", "error",
    "The expected letter is not among the options of the prompt.",
    "give the options as A) … B) …, or correct the letter",
)  # fmt: skip
VACUOUS = Rule(
    "K011", "vacuous", "error",
    "Who does nothing, or repeats the prompt, passes.",
    "expect something that only a right answer has",
)  # fmt: skip
ECHO = Rule(
    "K012", "echo-passes", "warning",
    "One check of several passes, or scores, for who repeats the prompt or does nothing.",
    "expect something that the prompt does not have",
)  # fmt: skip
SAME_OPTIONS = Rule(
    "K013", "same-options", "error",
    "Two options of a choice say the same.",
    "make the options differ, so that exactly one is right",
)  # fmt: skip
LEAVES_FOLDER = Rule(
    "K014", "path-leaves-folder", "error",
    "A path that is not inside the working folder.",
    "use a relative path without '..'",
)  # fmt: skip
BAD_WEIGHT = Rule(
    "K015", "bad-weight", "error",
    "A weight that is not more than 0, or more than 1000000.",
    "use a weight above 0, or take it out",
)  # fmt: skip
BAD_TIMEOUT = Rule(
    "K016", "bad-timeout", "error",
    "A time limit that is not more than 0, or longer than a day.",
    "use some seconds, or take it out",
)  # fmt: skip
NO_COUNTERPART = Rule(
    "K017", "no-counterpart", "warning",
    "A set in several languages has a case in some of them only.",
    "write the case in the other languages too",
)  # fmt: skip
COUNTERPARTS_DIFFER = Rule(
    "K018", "counterparts-differ", "warning",
    "A case differs between languages in more than its words.",
    "use the same dimension, weight, tools and checks",
)  # fmt: skip
SAME_PROMPT = Rule(
    "K019", "same-prompt", "warning",
    "Two cases ask the same.",
    "take one of them out",
)  # fmt: skip
STEM_LEAK = Rule(
    "K020", "question-names-answer", "warning",
    "The question has the words of the right option, and of no other.",
    "ask in words that do not point to one option",
)  # fmt: skip

RULES = (
    FORMAT,
    UNKNOWN_KEY,
    DUPLICATE_ID,
    UNSAFE_ID,
    BAD_CHECK,
    SLOW_REGEX,
    UNREACHABLE,
    UNDECLARED_TOOL,
    LEAK,
    KEY_NOT_AN_OPTION,
    VACUOUS,
    ECHO,
    SAME_OPTIONS,
    LEAVES_FOLDER,
    BAD_WEIGHT,
    BAD_TIMEOUT,
    NO_COUNTERPART,
    COUNTERPARTS_DIFFER,
    SAME_PROMPT,
    STEM_LEAK,
)
