"""Which cases a run does."""

from typing import Any

import pytest

from tests.checkers.subjects import checkers
from tests.evaluate.capability.cases import case, case_set
from tests.repo.tree import ROOT
from whet.app.clock import SystemClock
from whet.core.errors import InvalidSuite, UsageError
from whet.documents.capability import CapabilityCaseSet
from whet.documents.text import parse_json
from whet.evaluate.capability.select import Chosen, Selection, choose, languages, pick
from whet.stores.memory import MemoryStore

EN = case_set(case("a"), case("b", dimension="tool"), language="en-US")
ZH = case_set(case("a"), case("c"), language="zh-CN")


def ids(*sets: CapabilityCaseSet, **how: Any) -> list[str]:
    return [one.id for one, _ in pick(sets, **how)]


def test_by_dimension() -> None:
    assert ids(EN) == ["a", "b"]
    assert ids(EN, dimensions=["tool"]) == ["b"]
    with pytest.raises(UsageError, match="has no cases of common"):
        ids(EN, dimensions=["common"])


@pytest.mark.parametrize(
    ("language", "spoken"),
    [("en-US", "en-US"), ("en_us", "en-US"), ("en", "en-US"), ("en-GB", "en-US"), ("ZH", "zh-CN")],
)
def test_by_language(language: str, spoken: str) -> None:
    found = pick([EN, ZH], language)
    assert [one for one, _ in found] == list((EN if spoken == "en-US" else ZH).cases)


def test_the_nearest_language_counts() -> None:
    british = case_set(case("a", prompt="colour"), language="en-GB")
    assert [one.prompt for one, _ in pick([EN, british], "en-GB")] == ["colour", "What is it?"]
    assert [one.prompt for one, _ in pick([EN, british], "en")] == ["What is it?", "What is it?"]
    neutral = case_set(case("a", prompt="1 + 1 = ?"), case("n"), language=None)
    assert [one.id for one, _ in pick([neutral, EN], "en")] == ["a", "n", "b"]
    assert pick([neutral, EN], "en")[0][0].prompt == "What is it?"


def test_without_a_language_each_id_counts_once() -> None:
    assert ids(EN, ZH) == ["a", "b", "c"]


def test_a_case_may_have_a_language_of_its_own() -> None:
    mixed = case_set(case("a", language="zh-CN"), case("b"), language="en-US")
    assert ids(mixed, language="en") == ["b"]
    assert languages([mixed]) == ("en-US", "zh-CN")


def test_a_language_that_nobody_wrote_in_is_refused() -> None:
    with pytest.raises(UsageError, match="no cases in fr; its languages: en-US, zh-CN"):
        ids(EN, ZH, language="fr")


def test_duplicates_are_named() -> None:
    with pytest.raises(InvalidSuite, match="'a': another case in en-US has the same id"):
        ids(EN, case_set(case("a"), language="en-US"))


def run(given: CapabilityCaseSet, **how: Any) -> tuple[Chosen, ...]:
    store = MemoryStore(lambda _owner: True, SystemClock())
    chosen = choose([given], Selection(run_id="r", **how), checkers(), store.blobs)
    for one in chosen:
        assert all(store.blobs.has(file.digest) for file in one.core.stimulus.files)
    return chosen


NEEDY = case_set(
    case("read", prerequisites=["读取文件"], files={"a.txt": "a"}),
    case("mcp", checker="tool_called", expected="notes@lookup"),
    case("skill", prerequisites=["skill@pdf"]),
    case("end", checker="tool_called", expected="final_response"),
)


def test_what_there_is_instead_is_told() -> None:
    english = case_set(case("a", dimension="tool"), case("b"), language="en-US")
    with pytest.raises(UsageError, match=r"in en-US of complex; its dimensions: logic, tool$"):
        run(english, language="en-US", dimensions={"complex"})
    with pytest.raises(UsageError, match=r"in zh-CN of tool; its languages: en-US$"):
        run(english, language="zh-CN", dimensions={"tool"})
    with pytest.raises(UsageError, match="has no cases at all"):
        run(case_set(), language="en-US")


@pytest.mark.parametrize(
    ("how", "lacking"),
    [
        ({"tools": None}, [(), ("notes@lookup",), ("skill@pdf",), ()]),
        ({"tools": frozenset[str]()}, [("Read",), ("notes@lookup",), ("skill@pdf",), ()]),
        ({"tools": frozenset({"Read", "notes@*", "skill@pdf"})}, [(), (), (), ()]),
        (
            {"tools": None, "configured": frozenset({"notes@*", "skill@pdf"})},
            [(), (), (), ()],
        ),
        (
            {"tools": frozenset({"Read"}), "configured": frozenset({"notes@*"})},
            [(), (), ("skill@pdf",), ()],
        ),
    ],
)
def test_what_is_missing_is_told(how: dict[str, Any], lacking: list[tuple[str, ...]]) -> None:
    assert [one.missing for one in run(NEEDY, **how)] == lacking


def test_a_set_of_the_original_program_can_be_run() -> None:
    text = (ROOT / "tests/documents/fixtures/capability/original_set.json").read_bytes()
    original = CapabilityCaseSet.parse(parse_json(text, "original"), "original")
    chosen = run(original, user_id="ann", language="zh-CN")
    assert len(chosen) == len(original.cases)
    assert [one.missing for one in chosen] == [()] * len(chosen)
    reading = chosen[0].core
    assert reading.stimulus.prompt == "请读取 eval/r/fixtures/alpha.txt。"
    assert "eval/r/fixtures/alpha.txt" in [file.path for file in reading.stimulus.files]
    writing = chosen[1].core.standard.checks[0].fields
    assert writing == {"expected": {"tool": "write_file", "args": {"path": "eval/r/outputs/a.txt"}}}
    assert chosen[2].core.stimulus.files == ()


def test_every_mistake_is_told_before_anything_runs() -> None:
    broken = case_set(case("a/b"), case("c", weight=0), case("d", checker="regex", expected="["))
    with pytest.raises(InvalidSuite) as raised:
        run(broken)
    assert len(raised.value.problems) == 3
