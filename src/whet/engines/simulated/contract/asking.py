"""Where a skill has the agent ask its user something, and how the agent asks it."""

import re
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from whet.core.sized_cache import sized_cache
from whet.engines.simulated.language import is_chinese

Kind = Literal["open_text", "choose_one", "confirm", "upload_files"]

_MOST = 20
_LONGEST = 400
_FRONT = re.compile(r"\A---\s*\n.*?\n---\s*(?:\n|\Z)", re.DOTALL)
_FENCED = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)
_SENTENCE_END = re.compile(r"[\n。！？；!?;]+|\.(?=\s|$)")
_ASK = re.compile(
    r"\b(?:ask(?:s|ing)?|confirm(?:s|ing)?\s+with|check(?:s|ing)?\s+with)\s+(?:the|your)\s+user\b"
    r"|(?:询问|请问|让|请|要求)用户|[向与和]用户(?:确认|询问|核实)",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"(?:\b(?:not|never|without|don't|avoid|no need to)|不要|不得|不必|无需|无须|切勿|禁止|不)"
    r"(?:\s+\w+){0,2}\s*$",
    re.IGNORECASE,
)
_CONFIRM = re.compile(
    r"\bconfirm|\bcheck(?:s|ing)?\s+with|\bpermission|\bapprov|\bwhether\b|确认|核实|是否|同意",
    re.IGNORECASE,
)
_UPLOAD = re.compile(
    r"(?:to\s+)?(?:please\s+)?(?:upload|attach)\s+(.+)"
    r"|for\s+(?:the|a|an|their|his|her)\s+files?\s+(.+)|(?:请|来)?(?:上传|提供文件)(.+)",
    re.IGNORECASE,
)
_CHOOSE = re.compile(
    r"\b(?:choose|pick|select|decide|choice)\b\D{0,20}?\b(?:between|from|among|of|out of)\s+(.+)"
    r"|\bwhich\s+(?:one\s+)?of\s+(.+)|\bwhether\s+(?!or\b)(.+?\bor\b.+)|[在从](.+?)(?:之间|之中|中|里)"
    r"(?:进行)?(?:选择|选|挑)|(?:选择|选)[:：]?(.+?(?:、|或|还是).+)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"\s*(?:,\s*(?:and|or)\b|\band\b|\bor\b|[,，、/]|还是|或者|或|和|与)\s*", re.I
)
_TRIMMED = " \t\"'`“”‘’*_:：.,，()（）"
_QUOTED = re.compile(r"`[^`]{1,100}`|\"[^\"]{1,100}\"|“[^”]{1,100}”")
_FILE_NAME = re.compile(r"[\w-]{1,60}(?:\.[A-Za-z0-9]{1,8})+")
_UNUSABLE = re.compile(r"[/\\:*?\"<>|]")
_ARTICLE = re.compile(
    r"^(?:(?:the|a|an|their|his|her|your|its|one|file|files|named|called)\s+)+", re.I
)
_TAIL = re.compile(r"\s+(?:they|he|she|to|should|would|for|as|before|when|is|are|in)\b.*$", re.I)
_LIST_MARK = re.compile(r"^\s*(?:[-*+•]|\d+[.、)])\s*")
_WHY = re.compile(r"^(?:what|which|who|whom|whose|how|when|where|why|whether|if)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Question:
    """What the agent wants to know."""

    kind: Kind
    prompt: str
    names: tuple[str, ...] = ()
    """The options to choose from, or the files to upload."""

    def pending(self) -> dict[str, JsonValue]:
        """The answer that ends a turn with it."""
        chinese = is_chinese(self.prompt)
        hints: dict[str, JsonValue] = {
            "kind": self.kind,
            "prompt": self.prompt,
            "hint": _HINTS[self.kind][chinese],
        }
        if self.kind == "choose_one":
            hints["options"] = [{"label": name, "value": name} for name in self.names]
        if self.kind == "upload_files":
            hints["files"] = [_file(name) for name in self.names]
        return {"__SKILL_DONE__": False, "message": self.prompt, "ui_hints": hints}


_HINTS: dict[Kind, tuple[str, str]] = {
    "open_text": ("In your own words.", "请用自己的话回答。"),
    "choose_one": ("Choose one of them.", "请选择一项。"),
    "confirm": ("Yes or no.", "是或否。"),
    "upload_files": ("It is read when the task goes on.", "继续任务时会读取。"),
}


def _file(name: str) -> dict[str, JsonValue]:
    wanted: dict[str, JsonValue] = {"name": name, "required": True}
    if "." in name:
        wanted["accept"] = f".{name.rpartition('.')[2]}"
    return wanted


@sized_cache(4 * 1024 * 1024, per_character=8)
def questions(skill: str) -> tuple[Question, ...]:
    """One for each sentence that has the agent ask, in the order of the text."""
    body = _FENCED.sub("\n", _FRONT.sub("", skill, count=1))
    found: list[Question] = []
    for part in _SENTENCE_END.split(body):
        sentence = _LIST_MARK.sub("", part).strip()[:_LONGEST]
        asks = None if sentence.startswith("#") else _ASK.search(sentence)
        if asks is not None and not _NEGATED.search(sentence[: asks.start()]):
            found.append(_question(sentence, asks))
    return tuple(found[:_MOST])


def _question(sentence: str, asks: re.Match[str]) -> Question:
    rest = sentence[asks.end() :].strip(" ,，:：")
    prompt = _prompt(rest, sentence)
    if (upload := _UPLOAD.match(rest)) is not None:
        names = _file_names(next(filter(None, upload.groups())))
        return Question("upload_files", prompt, names)
    options = _options(rest)
    if len(options) > 1:
        return Question("choose_one", prompt, options)
    if _CONFIRM.search(asks[0]) or _CONFIRM.search(rest):
        return Question("confirm", prompt)
    return Question("open_text", prompt)


def _prompt(rest: str, sentence: str) -> str:
    """The question as it is put to a person."""
    if not rest:
        return sentence
    if is_chinese(rest):
        return f"请问：{rest}？"
    if _WHY.match(rest):
        return f"{rest[0].upper()}{rest[1:]}?"
    first, _, more = rest.partition(" ")
    match first.lower():
        case "to" if more:
            return f"Please {more}."
        case "for" if more:
            return f"Please give me {more}."
        case _:
            return f"Please tell me: {rest}."


def _options(rest: str) -> tuple[str, ...]:
    listed = _CHOOSE.search(rest)
    if listed is None:
        return ()
    words = next(filter(None, listed.groups()))
    quoted = _quoted(words)
    if len(quoted) > 1:
        return tuple(dict.fromkeys(quoted))
    parts = [_ARTICLE.sub("", part.strip(_TRIMMED)) for part in _BETWEEN.split(words)]
    names = (_TAIL.sub("", part).strip(_TRIMMED)[:60] for part in parts)
    return tuple(dict.fromkeys(name for name in names if name))


def _file_names(words: str) -> tuple[str, ...]:
    named = _quoted(words) or [found[0] for found in _FILE_NAME.finditer(words)]
    if not named:
        first = _BETWEEN.split(words)[0].strip(_TRIMMED)
        named = ["_".join(_ARTICLE.sub("", f"{first} ").split()[:3])]
    clean = (_UNUSABLE.sub("_", name)[:60] for name in named)
    return tuple(dict.fromkeys(name or "file" for name in clean))


def _quoted(words: str) -> list[str]:
    return [found[0][1:-1] for found in _QUOTED.finditer(words)]
