"""Working out sums as they are written, exactly and within bounds."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction

_LONGEST = 120
_DEEPEST = 20
_LARGEST = 10**15
_MOST_POWER = 32
_TOKEN = re.compile(r"\s*(?:(\d{1,15}(?:\.\d{1,9})?)|(\*\*|[-+*/^()%n]))")
_SIGNS = str.maketrans(
    {"×": "*", "÷": "/", "−": "-", "–": "-", "（": "(", "）": ")", "·": "*", "⋅": "*"}
)
_EXPRESSION = re.compile(r"(?<![\w.-])[(-]?\s?[\dn][\d .()+*/^%n-]{0,100}[\d)n](?![\w-])")
_PERCENT = re.compile(
    r"(\d{1,9}(?:\.\d{1,4})?)\s?(?:%|percent) of (\d{1,12}(?:\.\d{1,4})?)"
    r"|(?P<whole>\d{1,12}(?:\.\d{1,4})?)\s?的\s?(?P<part>\d{1,9}(?:\.\d{1,4})?)\s?%"
)


_OPERATIONS: Mapping[str, Callable[[Fraction, Fraction], Fraction]] = {
    "*": Fraction.__mul__,
    "/": Fraction.__truediv__,
    "%": Fraction.__mod__,
}


class _Bad(Exception):
    pass


class _Sum:
    """Reads one expression from left to right."""

    def __init__(self, text: str, n: int | None) -> None:
        self._tokens: list[str] = []
        place = 0
        while place < len(text):
            found = _TOKEN.match(text, place)
            if found is None:
                raise _Bad
            self._tokens.append(found[1] or found[2])
            place = found.end()
        self._place = 0
        self._depth = 0
        self._n = n
        self.operations = 0

    def whole(self) -> Fraction:
        value = self._sum()
        if self._place != len(self._tokens):
            raise _Bad
        return value

    def _next(self, *signs: str) -> str | None:
        if self._place < len(self._tokens) and self._tokens[self._place] in signs:
            self._place += 1
            return self._tokens[self._place - 1]
        return None

    def _sum(self) -> Fraction:
        value = self._product()
        while sign := self._next("+", "-"):
            other = self._product()
            value = self._bounded(value + other if sign == "+" else value - other)
        return value

    def _product(self) -> Fraction:
        value = self._power()
        while sign := self._next("*", "/", "%"):
            other = self._power()
            if sign != "*" and other == 0:
                raise _Bad
            value = self._bounded(_OPERATIONS[sign](value, other))
        return value

    def _power(self) -> Fraction:
        value = self._single()
        if self._next("^", "**"):
            power = self._single()
            if power.denominator != 1 or not 0 <= power <= _MOST_POWER:
                raise _Bad
            value = self._bounded(value ** int(power))
        return value

    def _single(self) -> Fraction:
        self._depth += 1
        if self._depth > _DEEPEST or self._place >= len(self._tokens):
            raise _Bad
        try:
            if self._next("-"):
                return -self._single()
            if self._next("("):
                value = self._sum()
                if not self._next(")"):
                    raise _Bad
                return value
            token = self._tokens[self._place]
            self._place += 1
            if token == "n" and self._n is not None:
                return Fraction(self._n)
            if not token[0].isdigit():
                raise _Bad
            return Fraction(token)
        finally:
            self._depth -= 1

    def _bounded(self, value: Fraction) -> Fraction:
        self.operations += 1
        if abs(value.numerator) > _LARGEST or value.denominator > _LARGEST:
            raise _Bad
        return value


def evaluated(text: str, n: int | None = None) -> Fraction | None:
    """The value of an expression with at least one operation; None if it is none."""
    if len(text) > _LONGEST:
        return None
    try:
        reading = _Sum(text.strip(), n)
        value = reading.whole()
    except _Bad:
        return None
    return value if reading.operations else None


def sum_in(text: str) -> Fraction | None:
    """The value of the only expression in a text."""
    plain = text.translate(_SIGNS)
    if percent := _PERCENT.search(plain):
        part, whole = percent["part"] or percent[1], percent["whole"] or percent[2]
        return Fraction(part) * Fraction(whole) / 100
    found = [evaluated(one[0]) for one in _EXPRESSION.finditer(plain) if "n" not in one[0]]
    values = [value for value in found if value is not None]
    return values[0] if len(values) == 1 else None


def formula_in(text: str, n: int) -> Fraction | None:
    """The value of an expression of n in a text."""
    plain = text.translate(_SIGNS)
    for one in _EXPRESSION.finditer(plain):
        value = evaluated(one[0], n) if "n" in one[0] else None
        if value is not None:
            return value
    return None


def shown(value: Fraction) -> str:
    """A number as people write it."""
    if value.denominator == 1:
        return str(value.numerator)
    decimal = f"{float(value):.10f}".rstrip("0")
    return decimal if Fraction(decimal) == value else f"{value.numerator}/{value.denominator}"
