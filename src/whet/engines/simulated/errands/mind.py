"""What the agent keeps in mind between its errands, and how it answers out of that."""

import re
from dataclasses import dataclass, field

from whet.engines.simulated.errands.texts import value_of

_CHANGED = re.compile(r"\b(?:changed|edited|modified)\b|修改|改动")
_HOW_MANY = re.compile(
    r"\bnumber of\b|\bhow many\b|\bcount\b(?! of)|行数|多少|几个|个数", re.IGNORECASE
)
_LINES = re.compile(r"\blines?\b|行", re.IGNORECASE)
_NAMES = re.compile(
    r"\bnames?\b|\bwhich (?:files?|ones?)\b|\bwhere\b|\bfiles?\b|文件名|名字|名称|哪", re.IGNORECASE
)
_OUTPUT = re.compile(r"\bprints?\b|\bprinted\b|\boutput\b|输出|打印", re.IGNORECASE)
_VALUE = re.compile(
    r"(?:the |that |this |and |中|也|给出|直接)*"
    r"(?:(?:number|result|sum|total|answer|it|count)\b|结果|这?个?数字|总和|答案)"
    r"(?: only| too| alone| and nothing else)*",
    re.IGNORECASE,
)
_ENDING = re.compile(r"\.([A-Za-z0-9]{1,8})\b")
_NTH = re.compile(
    r"\b(first|second|third|fourth|fifth|last) line\b|\bline (\d{1,4})\b"
    r"|第\s*(\d{1,4}|[一二三四五六七八九十])\s*行|(最后一行)",
    re.IGNORECASE,
)
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_DIGITS = "一二三四五六七八九十"
_ALL = re.compile(r"\b(?:contents?|text|says|whole|everything)\b|内容|全文|写了什么", re.IGNORECASE)


@dataclass
class Mind:
    """What was seen last."""

    text: str | None = None
    """Of the file that was read."""

    file: str | None = None
    names: list[str] | None = None
    """Of the folder that was listed."""

    hits: dict[str, list[str]] | None = None
    """Lines that were found, by their file."""

    word: str | None = None
    output: str | None = None
    value: str | None = None
    changed: list[str] = field(default_factory=list[str])

    def reply(self, phrase: str) -> str | None:
        """What the phrase asks for; None if nothing in mind tells it."""
        if _CHANGED.search(phrase) and self.changed:
            return "\n".join(dict.fromkeys(self.changed))
        if self.value is not None and _VALUE.fullmatch(phrase.strip()):
            return self.value
        if self.output is not None and _OUTPUT.search(phrase):
            return self.output.strip()
        if _HOW_MANY.search(phrase) and (count := self._count(phrase)) is not None:
            return str(count)
        if _NAMES.search(phrase) and (names := self._names(phrase)) is not None:
            return "\n".join(names)
        return self._of_text(phrase) or self.output

    def _count(self, phrase: str) -> int | None:
        if self.hits is not None:
            return sum(map(len, self.hits.values())) if _LINES.search(phrase) else len(self.hits)
        if self.names is not None:
            return len(self._ending(phrase, self.names))
        if self.text is not None and _LINES.search(phrase):
            return len(self.text.splitlines())
        return None

    def _names(self, phrase: str) -> list[str] | None:
        if self.hits is not None:
            return self._ending(phrase, [*self.hits])
        return None if self.names is None else self._ending(phrase, self.names)

    def _ending(self, phrase: str, names: list[str]) -> list[str]:
        ending = _ENDING.search(phrase)
        return [name for name in names if ending is None or name.endswith(ending[0])]

    def _of_text(self, phrase: str) -> str | None:
        if self.text is None:
            return None
        if nth := _NTH.search(phrase):
            return self._line(nth)
        return value_of(phrase, self.text) or (self.text.strip() if _ALL.search(phrase) else None)

    def _line(self, nth: re.Match[str]) -> str | None:
        lines = (self.text or "").splitlines()
        word, digits, sign, last = nth.groups()
        if last or (word and word.lower() == "last"):
            return lines[-1] if lines else None
        number = _ORDINALS.index(word.lower()) if word else -1
        if not word:
            told = digits or sign
            number = int(told) - 1 if told.isascii() else _DIGITS.index(told)
        return lines[number] if 0 <= number < len(lines) else None
