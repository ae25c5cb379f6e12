"""Numbers with their nouns: 1 case, 2 cases."""


def counted(count: object, one: str, many: str) -> str:
    """The number and the words that go with it; a ``#`` in them says where the number stands."""
    words = one if str(count) == "1" else many
    return words.replace("#", str(count)) if "#" in words else f"{count} {words}"


class CountedText(str):
    """A template in which ``{count:case|cases}`` becomes "1 case" or "2 cases".

    What stands after the colon are the words for one and for any other number. Languages without
    a plural need none of it.
    """

    __slots__ = ()

    def format(self, *args: object, **values: object) -> str:
        """Fill in the values, each of which may choose its words."""
        named = {name: _Value(value) for name, value in values.items()}
        return super().format(*map(_Value, args), **named)


class _Value:
    def __init__(self, value: object) -> None:
        self._value = value

    def __repr__(self) -> str:
        return repr(self._value)

    def __str__(self) -> str:
        return str(self._value)

    def __format__(self, spec: str) -> str:
        one, divider, many = spec.partition("|")
        return counted(self._value, one, many) if divider else format(self._value, spec)
