"""The simulated author of descriptions: no model, only words counted.

It adds words of requests that were missed, and excludes words of requests that were wrongly
taken up. That is no good writing. It is what the simulated agent understands, so that the whole
search can be tried out without any key.
"""

from collections import Counter
from collections.abc import Iterable

from whet.core.words import spelled, subject_words
from whet.evaluate.describe import MOST_CHARACTERS, Situation
from whet.evaluate.trigger_report import Counted

_WORDS_A_ROUND = 6


async def word_author(situation: Situation) -> str | None:
    """``evaluate.describe.Propose``; None when there is no word left to add."""
    best = situation.best
    known = subject_words(best.description).keys()
    wanted = _telling(best.train, best.failures, known, should_trigger=True)
    excluded = _telling(best.train, best.failures, known, should_trigger=False)
    most = _WORDS_A_ROUND * situation.round
    parts = [best.description.rstrip(" .")] if best.description else []
    parts += [f"Use it for {', '.join(wanted[:most])}"] if wanted else []
    parts += [f"Not for {', '.join(excluded[:most])}"] if excluded else []
    if not wanted and not excluded:
        return None
    return _cut(". ".join(parts))


def _telling(
    train: Iterable[Counted],
    failures: Iterable[Counted],
    known: Iterable[str],
    *,
    should_trigger: bool,
) -> list[str]:
    """Words of the failures of one class that the other class does not have, the most frequent
    first."""
    queries = [one.query for one in train]
    others = {w for q in queries if q.should_trigger != should_trigger for w in spelled(q.query)}
    found: Counter[str] = Counter()
    spelling: dict[str, str] = {}
    for one in failures:
        if one.query.should_trigger == should_trigger:
            words = spelled(one.query.query)
            found.update(words.keys())
            spelling = {**words, **spelling}
    for word in (*others, *known):
        found.pop(word, None)
    ranked = sorted(found, key=lambda word: (-found[word], word))
    return [spelling[word] for word in ranked]


def _cut(text: str) -> str:
    """The text with a full stop, within the limit; the last word may go."""
    if len(text) < MOST_CHARACTERS:
        return f"{text}."
    return f"{text[: MOST_CHARACTERS - 1].rpartition(' ')[0].rstrip(' ,.')}."
