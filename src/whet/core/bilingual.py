"""Texts in the two languages of the program, side by side."""

from typing import Generic, Self, TypeVar, overload

T = TypeVar("T")


class Words:
    """A vocabulary in one language; its attributes are made by ``Both``."""

    def __init__(self, language: str) -> None:
        self.language = language


class Both(Generic[T]):
    """A text, or a dictionary of texts, in English and in Chinese.

    Names in braces are filled in by whoever says it, and are the same in both languages.
    """

    def __init__(self, english: T, chinese: T) -> None:
        self.english = english
        self.chinese = chinese

    @overload
    def __get__(self, words: None, owner: type[Words]) -> Self: ...
    @overload
    def __get__(self, words: Words, owner: type[Words]) -> T: ...
    def __get__(self, words: Words | None, owner: type[Words]) -> Self | T:
        """The text in the language of the vocabulary."""
        if words is None:
            return self
        return self.chinese if words.language == "zh" else self.english
