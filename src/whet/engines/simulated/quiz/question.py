"""Questions with and without options: recognising, answering in the form that was asked for."""

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from whet.core.sized_cache import sized_cache
from whet.engines.simulated.errands.plan import LONGEST, is_about_code
from whet.engines.simulated.kernels import ANYTHING, recognise
from whet.engines.simulated.quiz.logic import concluded
from whet.engines.simulated.quiz.numbers import computed, is_plain

_LETTERS = "ABCDEFGH"
_OPTION = re.compile(
    r"(?:^|(?<=[\s，,；;?？]))[(（]?([A-H])[)）.．、:：]\s{0,3}(?=\S)", re.MULTILINE
)
_LETTER_ONLY = re.compile(
    r"\b(?:only|just)\b[^.\n]{0,30}\bletter\b|\bletter\b[^.\n]{0,40}\b(?:only|alone)\b"
    r"|\bsingle letter\b|只[^。\n]{0,12}字母|仅[^。\n]{0,12}字母",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"(Answer\s?:|答案\s?[：:])", re.IGNORECASE)
_FORM = re.compile(
    r"\b(?:reply|answer|respond) (?:with|only|just|in one)\b|\bnothing else\b|\bAnswer: ?[A-D]\b"
    r"|(?:只|仅)[^。\n]{0,12}(?:回答|回复|作答|输出)|请用[^。\n]{0,12}回答|不要写别的"
    r"|答案[：:] ?[A-D]",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:^|[.!?。！？\n]\s{0,3}|,\s)(?:what|which|who|whom|whose|when|where|why|how|is|are|does|do|can"
    r"|of which|at how|towards which|in which)\b[^?\n]{3,300}\?"
    r"|(?:多少|几|什么|哪|谁|是否|吗|何)[^？\n]{0,60}？",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,9})?(?:/\d{1,9})?")
_LARGEST = re.compile(r"\b(?:largest|greatest|biggest|highest)\b|最大", re.IGNORECASE)
_SMALLEST = re.compile(r"\b(?:smallest|least|lowest)\b|最小", re.IGNORECASE)
_KNOWS = ("I worked it out: {}.", "我算出来的结果是：{}。")
_GUESSES = ("I do not know this, so I guess.", "我不知道答案，只能猜一个。")
_PASSES = ("I do not know.", "我不知道。")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question."""

    stem: str
    options: Mapping[str, str]
    letter_only: bool
    label: str | None
    """The words before the answer that the prompt asks for."""

    def answer(self, digest: str, *, chinese: bool) -> tuple[str, str]:
        """What the agent thinks, and what it answers; a guess is drawn by the *digest*, so that
        the same question has the same answer."""
        value = computed(self.stem) or concluded(self.stem, self.options)
        if not self.options:
            told = value or _PASSES[chinese]
            said = _KNOWS[chinese].format(value) if value else _PASSES[chinese]
            return said, f"{self.label}{_gap(self.label)}{told}" if self.label and value else told
        letter = self._letter(value)
        said = _KNOWS[chinese].format(letter) if letter else _GUESSES[chinese]
        chosen = letter or random.Random(f"guess {digest}").choice([*self.options])
        if self.letter_only:
            return said, chosen
        label = self.label or ("Answer:", "答案：")[chinese]
        return said, f"{label}{_gap(label)}{chosen}"

    def _letter(self, value: str | None) -> str | None:
        """The option that says this; without a value the extreme one, if that is the question."""
        if value is None:
            return self._extreme()
        if re.fullmatch(r"\([A-H]\)", value):
            return value[1]
        numbers = {letter: _number(text) for letter, text in self.options.items()}
        exact = _number(value)
        same = [
            letter
            for letter, text in self.options.items()
            if text.strip(" .。").lower() == value.lower()
            or (exact is not None and numbers[letter] == exact)
        ]
        return same[0] if len(same) == 1 else None

    def _extreme(self) -> str | None:
        numbers = {letter: _number(text) for letter, text in self.options.items()}
        known = {letter: number for letter, number in numbers.items() if number is not None}
        if len(known) < len(self.options):
            return None
        if _LARGEST.search(self.stem):
            return max(known, key=lambda letter: known[letter])
        return min(known, key=lambda letter: known[letter]) if _SMALLEST.search(self.stem) else None


@sized_cache(4 * 1024 * 1024, per_character=16)
def asked(prompt: str) -> Asked | None:
    """The question that a prompt is; None if it is none, or one for a coder."""
    if len(prompt) > LONGEST:
        return None
    stem, options = _options(prompt)
    letter_only, label = bool(_LETTER_ONLY.search(prompt)), _LABELLED.search(prompt)
    # Whoever wants a letter wants no program, whatever the question is about.
    is_test = len(options) > 2 and (letter_only or label is not None)
    if not is_test and is_about_code(prompt):
        return None
    plain = _FORM.search(prompt) or (_ASKS.search(prompt) and recognise(prompt) is ANYTHING)
    if not (options or plain or is_plain(stem)):
        return None
    return Asked(stem, options, letter_only, label[1] if label else None)


def _options(prompt: str) -> tuple[str, dict[str, str]]:
    """The text before the options, and the options by their letters."""
    marks: list[re.Match[str]] = []
    for mark in _OPTION.finditer(prompt):
        if len(marks) < len(_LETTERS) and mark[1] == _LETTERS[len(marks)]:
            marks.append(mark)
        elif mark[1] == "A":
            marks = [mark]
    if len(marks) < 2:
        return prompt, {}
    ends = [*(mark.start() for mark in marks[1:]), len(prompt)]
    texts = [prompt[mark.end() : end] for mark, end in zip(marks, ends, strict=True)]
    options = {
        mark[1]: text.strip().partition("\n")[0].strip(" ,，;；")
        for mark, text in zip(marks, texts, strict=True)
    }
    return prompt[: marks[0].start()], options


def _number(text: str) -> Fraction | None:
    found = _NUMBER.findall(text.replace(",", ""))
    try:
        return Fraction(found[0]) if len(found) == 1 else None
    except (ValueError, ZeroDivisionError):
        return None


def _gap(label: str | None) -> str:
    return " " if label and label.isascii() else ""
