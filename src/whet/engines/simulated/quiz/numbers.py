"""Questions about numbers: sums, sequences, counts, primes, binary numbers, units of time."""

import re
from fractions import Fraction
from itertools import pairwise

from whet.engines.simulated.quiz.arithmetic import formula_in, shown, sum_in

_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)
_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    *("tenth", "eleventh", "twelfth"),
)
_DIGITS = "零一二三四五六七八九"
_TERMS = r"(?:-?\d{1,9}(?:\.\d{1,6})?\s?[,，、]\s?){2,12}-?\d{1,9}(?:\.\d{1,6})?"
_SEQUENCE = re.compile(
    rf"({_TERMS})\s?[,，、]?\s?(?:\?|？|_|…|\.\.\.|what|which|下)"
    rf"|(?:next|sequence|series|数列|规律)[^\d]{{0,40}}({_TERMS})",
    re.IGNORECASE,
)
_TERM = re.compile(
    rf"\b({'|'.join(_ORDINALS)}|\d{{1,3}}(?:st|nd|rd|th)) term"
    r"|第\s?([一二三四五六七八九十]{1,2}|\d{1,3})\s?项(?:是多少|等于)"
)
_DIVISIBLE = re.compile(
    r"from (\d{1,6}) to (\d{1,6}) are divisible by (\d{1,4})(?: (or|and)(?: by)? (\d{1,4}))?"
    r"|从\s?(\d{1,6})\s?到\s?(\d{1,6}).{0,12}?被\s?(\d{1,4})(?:\s?(或|和)\s?(\d{1,4}))?\s?整除",
)
_PRIMES = re.compile(
    r"prime numbers between (\d{1,5}) and (\d{1,5})|(\d{1,5})\s?到\s?(\d{1,5})\s?之间的所有质数"
)
_BINARY = re.compile(
    r"\b(\d{1,12}) (?:in|to|as|into) (?:a )?binary\b"
    r"|十进制数?\s?(\d{1,12})\s?(?:写成|转换为|转换成|化为)二进制"
)
_UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800}
_UNITS_ZH = {"秒": 1, "分钟": 60, "小时": 3600, "天": 86_400, "周": 604_800, "星期": 604_800}
_TIME = re.compile(
    r"how many (second|minute|hour|day)s (?:are there |are |does |do )?(?:in )?"
    r"(\w{1,8}) (minute|hour|day|week)s?\b",
    re.IGNORECASE,
)
_TIME_ZH = re.compile(
    r"([一二两三四五六七八九十\d]{1,4})个?(分钟|小时|天|周|星期)(?:一共|总共)?有"
    r"(?:多少|几)个?(秒|分钟|小时|天)"
)
_ECHO = re.compile(
    r"(?:\b(?:reply|respond|answer) with (?:exactly|only|just)(?: the (?:word|text))?"
    r"|[只仅](?:回复|回答|输出))"
    r"(?:[:：]\s?([^\n\"“”「]{1,80}?)[.。]?\s*$|[:：]?\s?[\"“「]([^\n\"”」]{1,80})[\"”」])",
    re.IGNORECASE,
)
_BACKWARDS = re.compile(
    r"(?:word|单词)\s?[\"“「'](\w{1,40})[\"”」'] ?(?:spelled |written )?"
    r"(?:backwards|in reverse|倒)",
    re.IGNORECASE,
)


def computed(question: str) -> str | None:
    """The answer as a text; None if this is nothing that can be computed here."""
    for solve in (_divisible, _primes, _binary, _time, _term, _next, _backwards, _sum, _echo):
        found = solve(question)
        if found is not None:
            return found
    return None


def is_plain(text: str) -> bool:
    """Whether a text asks for a number in so many words; a mere sum in it may mean anything."""
    return any(ask.search(text) for ask in (_DIVISIBLE, _PRIMES, _BINARY))


def number_word(text: str) -> int | None:
    """A whole number in digits, in an English word or in Chinese signs."""
    if text.isascii() and text.isdecimal():
        return int(text)
    if text.lower() in _WORDS:
        return _WORDS.index(text.lower())
    if text.lower() in ("a", "an"):
        return 1
    return _chinese(text.replace("两", "二").replace("〇", "零"))


def ordinal(text: str) -> int | None:
    """Which one an ordinal names."""
    plain = text.lower()
    if plain in _ORDINALS:
        return _ORDINALS.index(plain) + 1
    tens = {"twenty": 20, "thirty": 30}
    first, _, second = plain.partition("-")
    if first in tens and second in _ORDINALS[:9]:
        return tens[first] + _ORDINALS.index(second) + 1
    if plain in ("twentieth", "thirtieth"):
        return 20 if plain == "twentieth" else 30
    if plain.endswith("teenth") and plain[:-2] in _WORDS:
        return _WORDS.index(plain[:-2])
    digits = re.fullmatch(r"(\d{1,4})(?:st|nd|rd|th)?", plain)
    return int(digits[1]) if digits else number_word(text)


def _chinese(text: str) -> int | None:
    tens, sign, ones = text.rpartition("十")
    if not text or any(one not in _DIGITS for one in tens + ones) or len(tens) > 1 or len(ones) > 1:
        return None
    if not sign:
        return _DIGITS.index(ones)
    return 10 * (_DIGITS.index(tens) if tens else 1) + (_DIGITS.index(ones) if ones else 0)


def _sum(question: str) -> str | None:
    value = sum_in(question)
    return None if value is None else shown(value)


def _divisible(question: str) -> str | None:
    found = _DIVISIBLE.search(question)
    if found is None:
        return None
    first, last, one, joint, other = found.groups()[:5] if found[1] else found.groups()[5:]
    divisors = [int(one), *([int(other)] if other else [])]
    if 0 in divisors or int(last) - int(first) > 200_000:
        return None
    holds = all if joint in ("and", "和") else any
    numbers = range(int(first), int(last) + 1)
    return str(sum(holds(number % divisor == 0 for divisor in divisors) for number in numbers))


def _primes(question: str) -> str | None:
    found = _PRIMES.search(question)
    if found is None:
        return None
    first, last = (int(one) for one in found.groups() if one)
    if last - first > 1_000:
        return None
    numbers = range(max(first, 2), last + 1)
    return ", ".join(str(n) for n in numbers if all(n % d for d in range(2, int(n**0.5) + 1)))


def _binary(question: str) -> str | None:
    found = _BINARY.search(question)
    return f"{int(found[1] or found[2]):b}" if found else None


def _time(question: str) -> str | None:
    if found := _TIME.search(question):
        small, count, large = found[1].lower(), number_word(found[2]), found[3].lower()
        seconds = count, _UNITS[large], _UNITS[small]
    elif found := _TIME_ZH.search(question):
        seconds = number_word(found[1]), _UNITS_ZH[found[2]], _UNITS_ZH[found[3]]
    else:
        return None
    count, large_seconds, small_seconds = seconds
    return None if count is None else shown(Fraction(count * large_seconds, small_seconds))


def _term(question: str) -> str | None:
    found = _TERM.findall(question)
    number = ordinal(found[-1][0] or found[-1][1]) if found else None
    value = formula_in(question, number) if number else None
    return None if value is None else shown(value)


def _backwards(question: str) -> str | None:
    found = _BACKWARDS.search(question)
    return found[1][::-1].lower() if found else None


def _echo(question: str) -> str | None:
    """The text that the agent is to say as it is."""
    found = _ECHO.search(question)
    return (found[1] or found[2]).strip() if found else None


def _next(question: str) -> str | None:
    found = _SEQUENCE.search(question)
    if found is None:
        return None
    terms = [Fraction(one.strip()) for one in re.split(r"[,，、]", found[1] or found[2])]
    value = _continued(terms)
    return None if value is None else shown(value)


def _continued(terms: list[Fraction]) -> Fraction | None:
    """The next term by the first simple rule that fits all of them."""
    steps = [b - a for a, b in pairwise(terms)]
    if len({*steps}) == 1:
        return terms[-1] + steps[0]
    if all(terms) and len({b / a for a, b in pairwise(terms)}) == 1:
        return terms[-1] * terms[1] / terms[0]
    if len(terms) > 3 and all(
        a + b == c for a, b, c in zip(terms, terms[1:], terms[2:], strict=False)
    ):
        return terms[-1] + terms[-2]
    bends = {b - a for a, b in pairwise(steps)}
    if len(terms) > 3 and len(bends) == 1:
        return terms[-1] + steps[-1] + bends.pop()
    if len(terms) > 3 and all(steps) and len({b / a for a, b in pairwise(steps)}) == 1:
        return terms[-1] + steps[-1] * steps[1] / steps[0]
    return None
