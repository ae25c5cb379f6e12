"""Questions that facts in the prompt decide: orders of things, weekdays, simple syllogisms."""

import re
from collections.abc import Mapping
from datetime import date

from whet.engines.simulated.quiz.numbers import number_word, ordinal

_NAME = r"([A-Z][a-z]{0,20}|[A-Z])"
_LESS = frozenset(
    {
        *("shorter", "younger", "slower", "lighter", "smaller", "lower", "cheaper", "poorer"),
        *("weaker", "colder", "矮", "小", "慢", "轻", "低", "短", "少", "年轻"),
    }
)
_KIND = "高|矮|大|小|快|慢|重|轻|老|年轻|长|短|多|少"
_SIGN = r"[\u4e00-\u9fff]"
_MORE_THAN = re.compile(rf"\b{_NAME} (?:is|was|runs|finished) (\w{{2,12}}er) than {_NAME}\b")
_MORE_THAN_ZH = re.compile(rf"({_SIGN}{{1,3}}?|[A-Z])比({_SIGN}{{1,3}}?|[A-Z])({_KIND})")
_MOST = re.compile(rf"\b(\w{{2,12}}est)\b|最({_KIND})")
_PLACE = re.compile(r"\b(second|third|fourth|last)\b|第([二三四])|(最后)")
_CLAUSE = re.compile(r"[.。；;!！\n]")
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SIGNS = "一二三四五六日"
_TODAY = re.compile(
    rf"\b(?:today is|is a|if it is|day is)\s(?:a )?({'|'.join(_DAYS)})", re.IGNORECASE
)
_LATER = re.compile(
    r"\b(?:in|after) (\w{1,10}) days\b|\b(\w{1,10}) days (later|from now|ago|before|earlier)",
    re.IGNORECASE,
)
_TODAY_ZH = re.compile(r"今天是?(?:星期|周|礼拜)([一二三四五六日天])")
_LATER_ZH = re.compile(r"([一二两三四五六七八九十\d]{1,4})天(?:之|以)?(后|前)")
_OF_MONTH = re.compile(
    r"\b([\w-]{3,16}) day of (?:a|the|this) month is an? (\w{3,6}day)\b"
    r".{0,80}?\b([\w-]{3,16}) day of",
    re.IGNORECASE | re.DOTALL,
)
_OF_MONTH_ZH = re.compile(
    r"([一二三四五六七八九十\d]{1,3})[号日]是星期([一二三四五六日天])"
    r".{0,30}?([一二三四五六七八九十\d]{1,3})[号日]是星期几",
    re.DOTALL,
)
_LEAP = re.compile(r"how many days does a leap year have|闰年有多少天", re.IGNORECASE)
_FEBRUARY = re.compile(
    r"days (?:are )?(?:there )?(?:in|does) february,? (?:of )?(\d{4})"
    r"|(\d{4})\s?年\s?2\s?月有(?:多少|几)天",
    re.IGNORECASE,
)
_OBJECT = rf"({_SIGN}{{1,6}})(?=[。，；,.]|$)"
_ALL = re.compile(
    r"\b(?:all|every) (\w{2,20}) (?:are|is an?|is) (?:an? )?(\w{2,20})\b"
    rf"|所有的?({_SIGN}{{1,6}}?)都是{_OBJECT}",
    re.IGNORECASE,
)
_NO = re.compile(
    r"\bno (\w{2,20}) (?:are|is an?|is) (?:an? )?(\w{2,20})\b"
    rf"|没有(?:一个|任何)?({_SIGN}{{1,6}}?)是{_OBJECT}",
    re.IGNORECASE,
)
_SOME = re.compile(
    rf"\bsome (\w{{2,20}}) are (\w{{2,20}})\b|有[些的]({_SIGN}{{1,6}}?)是{_OBJECT}",
    re.IGNORECASE,
)
_MOST_FACTS = 30


def concluded(question: str, options: Mapping[str, str]) -> str | None:
    """The answer as a text, or the letter of an option in brackets; None if nothing follows."""
    return (
        _weekday(question)
        or _calendar(question)
        or _ordered(question)
        or _follows(question, options)
    )


def _calendar(question: str) -> str | None:
    if _LEAP.search(question):
        return "366"
    if found := _FEBRUARY.search(question):
        year = int(found[1] or found[2])
        return str((date(year, 3, 1) - date(year, 2, 1)).days) if 1 <= year <= 9999 else None
    return None


def _weekday(question: str) -> str | None:
    if found := _OF_MONTH.search(question):
        return _shifted(found[2].lower(), ordinal(found[1]), ordinal(found[3]))
    if found := _OF_MONTH_ZH.search(question):
        return _shifted_zh(found[2], number_word(found[1]), number_word(found[3]))
    if (today := _TODAY.search(question)) and (later := _LATER.search(question)):
        days = number_word(later[1] or later[2])
        back = (later[3] or "").lower() in ("ago", "before", "earlier")
        return _shifted(today[1].lower(), 0, -days if back else days) if days is not None else None
    if (today := _TODAY_ZH.search(question)) and (later := _LATER_ZH.search(question)):
        days = number_word(later[1])
        back = later[2] == "前"
        return _shifted_zh(today[1], 0, -days if back else days) if days is not None else None
    return None


def _shifted(day: str, first: int | None, second: int | None) -> str | None:
    if day not in _DAYS or first is None or second is None:
        return None
    return _DAYS[(_DAYS.index(day) + second - first) % 7].capitalize()


def _shifted_zh(day: str, first: int | None, second: int | None) -> str | None:
    if first is None or second is None:
        return None
    return f"星期{_SIGNS[(_SIGNS.index(day.replace('天', '日')) + second - first) % 7]}"


def _ordered(question: str) -> str | None:
    """Who comes first, last or in between, from facts of the kind "X is taller than Y"."""
    facts = _MORE_THAN.findall(question)[:_MOST_FACTS]
    facts += [
        (one, sign, other) for one, other, sign in _MORE_THAN_ZH.findall(question)[:_MOST_FACTS]
    ]
    if len(facts) < 2:
        return None
    above = {(other, one) if word in _LESS else (one, other) for one, word, other in facts}
    names = {name for pair in above for name in pair}
    for middle in names:
        above |= {(a, d) for a, b in above for c, d in above if b == middle == c}
    order = sorted(names, key=lambda name: sum(one == name for one, _ in above), reverse=True)
    if any((low, high) in above for low, high in zip(order[1:], order, strict=False)):
        return None
    *_, last = _CLAUSE.split(question.strip().rstrip("?？ \n"))
    if place := _PLACE.search(last):
        index = _place(place)
        return order[index] if -len(order) <= index < len(order) else None
    if most := _MOST.search(last):
        least = (most[1] or "").replace("est", "er") in _LESS or (most[2] or "") in _LESS
        return order[-1] if least else order[0]
    return None


def _place(found: re.Match[str]) -> int:
    if found[3] or (found[1] or "").lower() == "last":
        return -1
    words = ("first", "second", "third", "fourth")
    return words.index(found[1].lower()) if found[1] else "一二三四".index(found[2])


def _follows(question: str, options: Mapping[str, str]) -> str | None:
    """The only option that follows from what is said of all and of none."""
    inside = {_pair(found) for found in _ALL.findall(question)[:_MOST_FACTS]}
    apart = {_pair(found) for found in _NO.findall(question)[:_MOST_FACTS]}
    if not inside or len(inside) + len(apart) < 2 or not options:
        return None
    for _ in range(len(inside)):
        inside |= {(a, d) for a, b in inside for c, d in inside if b == c}
    apart |= {(b, a) for a, b in apart}
    apart |= {(a, d) for a, b in inside for c, d in apart if b == c}
    apart |= {(b, a) for a, b in apart}
    true = [letter for letter, text in options.items() if _holds(text, inside, apart)]
    return f"({true[0]})" if len(true) == 1 else None


def _holds(text: str, inside: set[tuple[str, str]], apart: set[tuple[str, str]]) -> bool:
    if found := _ALL.search(text):
        return _pair(found.groups()) in inside
    if found := _NO.search(text):
        return _pair(found.groups()) in apart
    return bool((found := _SOME.search(text)) and _pair(found.groups()) in inside)


def _pair(groups: tuple[str | None, ...]) -> tuple[str, str]:
    first, second = (one for one in groups if one)
    return _singular(first), _singular(second)


def _singular(word: str) -> str:
    plain = word.lower()
    return plain[:-1] if plain.endswith("s") and not plain.endswith("ss") else plain
