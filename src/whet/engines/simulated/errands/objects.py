"""Errands about JSON, which are worded alike in both languages."""

import re

from whet.engines.simulated.errands.errand import Convert, Errand, Mend, WriteJson
from whet.engines.simulated.errands.texts import number
from whet.engines.simulated.errands.wording import Worded, pattern

_MADE = pattern(
    r"(?:create|write|make|save|generate|produce|创建|新建|写出|生成|写)[^⟦.。]{0,30}<Ppath>"
)
_CONVERTED = pattern(
    r"(?:convert|turn) <Psource> (?:in)?to JSON|[把将]\s*<Pfrom>\s*(?:转换|转)(?:为|成)\s*JSON"
)
_MENDED = pattern(
    r"<Ppath> is not valid JSON[^.]{0,80}\bcomma\b|<Pfile>\s*不是有效的\s*JSON[^。]{0,40}逗号"
)
_TALKS_OF_FIELDS = re.compile(r"\b(?:fields?|keys?|JSON)\b|键|字段", re.IGNORECASE)
_FIELD = pattern(
    r"(?:<Lname>|\b(?P<bare>[A-Za-z_]\w{0,30}))\s*"
    r"(?:\((?P<told>[^()\n]{1,60})\)|（(?P<said>[^（）\n]{1,60})）"
    r"|(?:set to|equal to|with the value|having the value|=|:|：|的值为|的值是|为|是|is)\s*"
    r"(?P<value>⟦[PQ]\d+⟧|-?\d{1,15}(?:\.\d{1,9})?(?![\w.])|true\b|false\b|null\b"
    r"|(?P<wish>[\u4e00-\u9fff]{2,20})))"
)
_CONSTANTS: dict[str, object] = {"true": True, "false": False, "null": None}
_STRONG = ("=", "set to", "equal to")


def about_json(line: str, worded: Worded) -> tuple[int, Errand] | None:
    """The errand of a sentence that speaks of JSON, and where it begins."""
    if found := _MENDED.search(line):
        return found.start(), Mend(worded.value(found["path"] or found["file"]))
    made = _MADE.search(line)
    if made is None or not _TALKS_OF_FIELDS.search(line, made.end()):
        return None
    path = worded.value(made["path"])
    fields = list(_FIELD.finditer(line, made.end()))
    if source := _CONVERTED.search(line):
        keys = tuple(worded.value(field["name"]) for field in fields if field["name"])
        start = min(source.start(), made.start())
        return start, Convert(worded.value(source["source"] or source["from"]), path, keys)
    told = {
        worded.value(field["name"]): field["told"] or field["said"] or field["wish"]
        for field in fields
        if field["name"] and (field["told"] or field["said"] or field["wish"])
    }
    if told:
        return made.start(), WriteJson(path, told, described=True)
    plain = {
        worded.value(field["name"] or field["bare"]): _value(field["value"], worded)
        for field in fields
        if field["name"] or any(sign in field[0] for sign in _STRONG)
    }
    return (made.start(), WriteJson(path, plain)) if plain else None


def _value(text: str, worded: Worded) -> object:
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text.startswith("⟦"):
        return worded.value(text)
    value = number(text)
    return text if value is None else value
