"""Reports say the same things in both languages, and have a word for everything."""

import re
from typing import get_args

import pytest

from tests.exporters.reports import benchmark, broken, report, verdict
from whet.documents.eval_statistics import FindingKind
from whet.documents.verdict import Label
from whet.exporters.telling import GRAVEST, headline, sentence
from whet.exporters.words import BY_LANGUAGE, CHINESE, ENGLISH, ReportWords
from whet.ports.exporter import Leg
from whet.stats.describe import Band


def gaps(text: object) -> list[str]:
    return sorted(re.findall(r"\{\w+", str(text)))


@pytest.mark.parametrize("words", BY_LANGUAGE.values(), ids=BY_LANGUAGE)
def test_every_language_has_a_word_for_everything(words: ReportWords) -> None:
    for name, text in vars(words).items():
        expected = getattr(ENGLISH, name)
        assert text
        assert gaps(text) == gaps(expected)
        if not isinstance(expected, str):
            assert list(text) == list(expected)
            assert all(text.values())


def test_everything_a_document_may_say_has_a_word() -> None:
    assert set(ENGLISH.labels) == {*get_args(Label), "none"}
    assert set(ENGLISH.findings) == set(get_args(FindingKind)) == set(GRAVEST)
    assert set(ENGLISH.bands) == set(get_args(Band))


def test_the_sentence_is_the_callers_then_the_documents_then_our_own() -> None:
    leg = Leg(benchmark(), words={"zh": "技能有帮助。"})
    assert sentence(leg, CHINESE) == "技能有帮助。"
    assert sentence(leg, ENGLISH).startswith("The skill helps: +12.0")
    bare = Leg(benchmark(verdict=verdict("better", 0.12, None)))
    assert sentence(bare, ENGLISH) == "+12.0 points (95 % interval +4.0 … +20.0) over 2 evals."
    # The sentence of the document is English: not for a Chinese report.
    assert sentence(Leg(benchmark()), CHINESE).startswith("差异 +12.0 分")


def test_what_could_have_been_missed_is_said_where_nothing_is_clear() -> None:
    leg = Leg(benchmark(verdict=verdict("inconclusive", 0.02, None)))
    assert sentence(leg, ENGLISH).endswith(
        "An effect below 15.0 points could easily have been missed."
    )


def test_no_comparison_is_no_verdict() -> None:
    assert sentence(Leg(benchmark(verdict=None)), ENGLISH) == ENGLISH.no_verdict
    assert headline(Leg(benchmark(verdict=None)), ENGLISH) == "Not compared"
    assert sentence(report(broken()).legs[0], ENGLISH) == ENGLISH.no_delta


def test_the_label_of_the_family_is_the_one_that_counts() -> None:
    assert headline(Leg(benchmark(), label="inconclusive"), ENGLISH) == "Inconclusive"
    assert headline(Leg(benchmark()), ENGLISH) == "Better"
