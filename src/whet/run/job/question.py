"""A question that an agent ends its turn with."""

from pydantic import JsonValue

from whet.core.job import Choice, Interaction, Kind, Slot
from whet.core.text import shortened
from whet.run.extract import extract
from whet.run.job.contract import DONE

MOST_TEXT = 10_000
MOST_CHOICES = 100
MOST_FILES = 8

_KINDS: dict[str, Kind] = {
    "open_text": "open_text",
    "choose_one": "choose_one",
    "confirm": "confirm",
    "upload_files": "upload_files",
}


class _Pending:
    """An object that says the work is not done."""

    def problems(self, value: JsonValue) -> tuple[str, ...]:
        is_pending = isinstance(value, dict) and value.get(DONE) is False
        return () if is_pending else (f"$.{DONE}: must be false",)


def question(text: str, number: int, at: str) -> Interaction | None:
    """The question in a reply, or None. What it offers and cannot be understood makes it an open
    one: a person can always answer in words."""
    found = extract(text, _Pending())
    if found.problems or not isinstance(found.value, dict):
        return None
    hints = found.value.get("ui_hints")
    said = hints if isinstance(hints, dict) else {}
    message, prompt = _text(found.value.get("message")), _text(said.get("prompt"))
    options, files = _options(said.get("options")), _files(said.get("files"))
    kind = _KINDS.get(str(said.get("kind")), "open_text")
    if (kind == "choose_one" and not options) or (kind == "upload_files" and not files):
        kind = "open_text"
    return Interaction(
        id=number,
        kind=kind,
        message=message or prompt,
        prompt=prompt or message,
        hint=_text(said.get("hint")),
        options=options if kind == "choose_one" else (),
        files=files if kind == "upload_files" else (),
        asked_at=at,
    )


def _options(given: JsonValue) -> tuple[Choice, ...]:
    found: dict[str, Choice] = {}
    for each in given if isinstance(given, list) else ():
        match each:
            case {"value": str(value)}:
                found.setdefault(
                    value, Choice(label=_text(each.get("label")) or value, value=value)
                )
            case {"label": str(label)}:
                found.setdefault(label, Choice(label=label, value=label))
            case str():
                found.setdefault(each, Choice(label=each, value=each))
            case _:
                pass
    return tuple(found.values())[:MOST_CHOICES]


def _files(given: JsonValue) -> tuple[Slot, ...]:
    found: dict[str, Slot] = {}
    for each in given if isinstance(given, list) else ():
        match each:
            case {"name": str(name)} if is_slot_name(name):
                needed = each.get("required") is not False
                hint, accept = _text(each.get("hint")), _text(each.get("accept"))
                found[name] = Slot(name=name, required=needed, hint=hint, accept=accept)
            case str() if is_slot_name(each):
                found[each] = Slot(name=each)
            case _:
                pass
    return tuple(found.values())[:MOST_FILES]


def is_slot_name(name: str) -> bool:
    """Whether a file may be called so."""
    is_plain = name.isprintable() and not set(name) & set('/\\:*?"<>|')
    return is_plain and 0 < len(name) <= 100 and name.strip(". ") != ""


def _text(given: JsonValue) -> str:
    return shortened(given, MOST_TEXT) if isinstance(given, str) else ""
