"""An agent's question on a terminal, and the reply of whoever sits there."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue
from rich.console import Console
from rich.text import Text

from whet.cli.asset_output import line
from whet.core.bilingual import Both, Words
from whet.core.job import Choice, Interaction, Slot
from whet.exporters.plain import page

_YES = ("y", "yes", "是")
_NO = ("n", "no", "否")


class QuestionWords(Words):
    """What is said of questions."""

    question = Both("The agent asks:", "智能体提问：")
    answer = Both("your answer", "你的回答")
    choose = Both("number", "编号")
    confirm = Both("y/n", "是/否")
    upload = Both("path of {name} ({need})", "{name} 的路径（{need}）")
    needed = Both("required", "必需")
    may = Both("may be left out", "可省略")
    no_file = Both("There is no file {path}.", "没有文件 {path}。")
    again = Both("That is no answer to it.", "这不是有效的回答。")


@dataclass(frozen=True)
class Answer:
    """What somebody replied."""

    value: JsonValue
    files: Mapping[str, Path] = field(default_factory=dict[str, Path])


def is_terminal() -> bool:
    """Whether anybody can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def ask(asked: Interaction, language: str) -> Answer | None:
    """Show a question and read the reply, again until it is one; None at the end of the input."""
    words = QuestionWords(language)
    console = Console(stderr=True, highlight=False)
    print_question(console, asked, language)
    match asked.kind:
        case "upload_files":
            return _uploads(console, asked, words)
        case "choose_one":
            prompt = words.choose
        case "confirm":
            prompt = words.confirm
        case "open_text":
            prompt = words.answer
    while (said := _line(prompt)) is not None:
        if (value := reply_value(asked, said)) is not None:
            return Answer(value)
        console.print(words.again)
    return None


def print_question(console: Console, asked: Interaction, language: str) -> None:
    """A question with all that it offers; its words are a stranger's."""
    words = QuestionWords(language)
    console.print(Text(words.question, "bold"))
    for text in dict.fromkeys((asked.message, asked.prompt, asked.hint)):
        if text:
            console.print(Text(page(text)), soft_wrap=True)
    for number, choice in enumerate(asked.options, start=1):
        console.print(Text(f"  {number}  {line(choice.label)}"), soft_wrap=True)
    for slot in asked.files:
        console.print(Text(f"  {_slot(slot, words)}  {line(slot.hint)}".rstrip()), soft_wrap=True)


def reply_value(asked: Interaction, said: str) -> JsonValue:
    """What somebody wrote as a value for the question; None where that is no reply to it."""
    match asked.kind:
        case "choose_one":
            return _chosen(asked.options, said.strip())
        case "confirm":
            word = said.strip().casefold()
            return True if word in _YES else False if word in _NO else None
        case "open_text" | "upload_files":
            return said if said.strip() else None


def _chosen(choices: tuple[Choice, ...], said: str) -> str | None:
    """A choice by its value, its label, or its number."""
    for by in ("value", "label"):
        for choice in choices:
            if getattr(choice, by) == said:
                return choice.value
    is_number = said.isascii() and said.isdigit() and 1 <= int(said[:6]) <= len(choices)
    return choices[int(said) - 1].value if is_number else None


def _uploads(console: Console, asked: Interaction, words: QuestionWords) -> Answer | None:
    found: dict[str, Path] = {}
    for slot in asked.files:
        while slot.name not in found:
            if (said := _line(words.upload.format(**_told(slot, words)))) is None:
                return None
            path = Path(said.strip())
            if said.strip() and path.is_file():
                found[slot.name] = path
            elif not said.strip() and not slot.required:
                break
            else:
                told = words.no_file.format(path=line(said)) if said.strip() else words.again
                console.print(Text(told), soft_wrap=True)
    return Answer("", found)


def _slot(slot: Slot, words: QuestionWords) -> str:
    return "{name} ({need})".format(**_told(slot, words))


def _told(slot: Slot, words: QuestionWords) -> dict[str, str]:
    return {"name": line(slot.name), "need": words.needed if slot.required else words.may}


def _line(prompt: str) -> str | None:
    """What is typed after *prompt*, on stderr as stdout has the result; None at the end."""
    sys.stderr.write(f"{prompt}: ")
    sys.stderr.flush()
    said = sys.stdin.buffer.readline()  # whatever a terminal sends that is no text
    if not said:
        sys.stderr.write("\n")
        return None
    return said.decode(errors="replace").rstrip("\r\n")
