"""The options of a question, taken apart."""

import re
import unicodedata
from typing import NamedTuple

_MARK = re.compile(
    r"(?:^|(?<=[\s?？。！!：:;；,，]))[(（\[【]?([A-H])\s?[)）\]】.、．:：]", re.MULTILINE
)
_MOST = 20_000


class Options(NamedTuple):
    """The question before the options, and the options by letter."""

    stem: str
    texts: dict[str, str]


def options_of(prompt: str) -> Options:
    """The options of *prompt*: marks from A on, one after the other. There may be none."""
    text = unicodedata.normalize("NFKC", prompt[:_MOST])
    run: list[re.Match[str]] = []
    for mark in _MARK.finditer(text):
        if run and mark[1] == chr(ord(run[-1][1]) + 1):
            run.append(mark)
        elif mark[1] == "A" and len(run) < 2:
            run = [mark]
    if len(run) < 2:
        return Options(text, {})
    ends = [*(mark.start() for mark in run[1:]), len(text)]
    texts = {mark[1]: text[mark.end() : end] for mark, end in zip(run, ends, strict=True)}
    last = run[-1][1]
    texts[last] = texts[last].strip().partition("\n")[0]
    return Options(text[: run[0].start()], {letter: one.strip() for letter, one in texts.items()})


def plain(text: str) -> str:
    """A text as it is compared with others: letters and digits only."""
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold()))
