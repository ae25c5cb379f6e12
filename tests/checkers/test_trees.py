"""Checks of the folder as it was left, and of what changed in it."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from tests.checkers.subjects import check, mistakes, record, session
from whet.checkers.search import MOST_BYTES
from whet.core.check import CheckResult
from whet.ports.checker import Subject

GIVEN = {"in/a.log": "a\n", "in/b.log": "b\n", "in/readme.md": "r\n"}


def after(
    outputs: dict[str, str], given: dict[str, str] | None = None, deleted: tuple[str, ...] = ()
) -> Subject:
    inputs = {path: text.encode() for path, text in (given or {}).items()}
    left = {path: text.encode() for path, text in outputs.items()}
    return Subject(record(deleted=deleted), session(), left, inputs=inputs)


MOVED = after({"logs/a.log": "a", "logs/b.log": "b"}, GIVEN, ("in/a.log", "in/b.log"))


@pytest.mark.parametrize(
    ("expected", "score"),
    [
        (["logs/a.log", "logs/b.log", "in/readme.md"], 1),
        (["logs/", "in/"], 1),
        ({"paths": ["logs/*.log"], "absent": ["in/*.log"]}, 1),
        ({"root": "logs", "paths": ["a.log", "b.log"], "exact": True}, 1),
        ({"root": "logs", "paths": ["*.log"], "exact": True}, 1),
        ({"root": "logs", "paths": ["a.log"], "exact": True}, 0.5),
        ({"paths": ["logs/", "in/"], "exact": True}, 1),
        ({"paths": ["logs/a.log", "logs/c.log"]}, 0.5),
        ({"paths": ["logs/"], "absent": ["in/readme.md"]}, 0.5),
        (["a.log"], 0),
        (["logs"], 0),
        (["logs/a.log/"], 0),
        (["log/"], 0),
        ({"absent": ["in/a.log"]}, 1),
    ],
)
def test_the_structure_of_a_folder(expected: JsonValue, score: float) -> None:
    result = check(MOVED, "directory_structure", expected=expected)
    assert result.score == pytest.approx(score)
    assert result.passed == (score == 1)


def test_evidence_names_what_is_wrong() -> None:
    expected: JsonValue = {"paths": ["x/", "y.txt"], "absent": ["in/*"], "exact": True}
    result = check(MOVED, "directory_structure", expected=expected)
    assert result.evidence == (
        "no folder with files is at x/; no file is at y.txt; "
        "should not be there: in/readme.md and 1 more"
    )
    good = check(MOVED, "directory_structure", expected=["logs/"])
    assert good.evidence == "3 files: in/readme.md, logs/a.log, logs/b.log"


BEFORE = "one\ntwo\nthree\ntwo\n"


def changed(text: str, **expected: JsonValue) -> CheckResult:
    subject = after({"a.txt": text}, {"a.txt": BEFORE, "b.txt": "b"})
    return check(subject, "file_diff", expected={"path": "a.txt", **expected})


@pytest.mark.parametrize(
    ("text", "expected", "score"),
    [
        ("one\ntwo\n3\ntwo\n", {"removed": ["three"], "added": ["3"], "only": True}, 1),
        ("one\r\ntwo\r\n3\r\ntwo", {"removed": ["three"], "added": ["3"], "only": True}, 1),
        ("one\n2\n3\ntwo\n", {"removed": ["three"], "added": ["3"]}, 1),
        ("one\n2\n3\ntwo\n", {"removed": ["three"], "added": ["3"], "only": True}, 0.75),
        ("two\none\n3\ntwo\n", {"removed": ["three"], "added": ["3"], "only": True}, 0.75),
        ("one\nthree\n", {"removed": ["two", "two"]}, 1),
        ("one\nthree\ntwo\n", {"removed": ["two", "two"]}, 0),
        ("one\nthree\ntwo\n", {"removed": ["two"], "only": True}, 1),
        ("one\ntwo\nthree\ntwo\nx\n", {"removed": ["three"], "added": ["3"]}, 0),
        ("one\ntwo\n3\ntwo\n", {"removed": ["three"], "added": ["3"], "same": ["b.txt"]}, 1),
    ],
)
def test_what_changed_in_a_file(text: str, expected: dict[str, JsonValue], score: float) -> None:
    assert changed(text, **expected).score == pytest.approx(score)


@pytest.mark.parametrize(
    ("outputs", "deleted", "told"),
    [
        ({}, (), "a.txt was not changed"),
        ({}, ("a.txt",), "a.txt is gone"),
        ({"c.txt": "3"}, (), "a.txt was not changed"),
    ],
)
def test_what_did_not_happen_scores_nothing(
    outputs: dict[str, str], deleted: tuple[str, ...], told: str
) -> None:
    subject = after(outputs, {"a.txt": BEFORE}, deleted)
    expected: JsonValue = {"path": "a.txt", "removed": ["three"], "same": ["b.txt"], "only": True}
    result = check(subject, "file_diff", expected=expected)
    assert (result.score, result.evidence) == (0, told)
    new = check(after({}, {}), "file_diff", expected={"path": "n.txt", "added": ["x"]})
    assert new.evidence == "n.txt is not there"
    assert check(
        after({"n.txt": "x"}), "file_diff", expected={"path": "n.txt", "added": ["x"]}
    ).passed


def test_other_files_stay_as_they_were() -> None:
    subject = after({"a.txt": "1", "b.txt": "c"}, {"a.txt": "0", "b.txt": "b"})
    expected: JsonValue = {"path": "a.txt", "removed": ["0"], "added": ["1"], "same": ["b.txt"]}
    result = check(subject, "file_diff", expected=expected)
    assert (round(result.score, 3), result.evidence) == (0.667, "b.txt should be as it was")


def test_a_file_that_is_too_large_is_said_to_be() -> None:
    subject = after({"a.txt": "x" * (MOST_BYTES + 1)}, {"a.txt": "0"})
    result = check(subject, "file_diff", expected={"path": "a.txt", "removed": ["0"]})
    assert (result.score, bool(result.error)) == (0, True)


LINES = st.lists(st.text("ab", max_size=2), min_size=1, max_size=6)


@settings(deadline=None)
@given(LINES, LINES)
def test_the_true_difference_always_passes(before: list[str], now: list[str]) -> None:
    old, new = Counter(before), Counter(now)
    removed, added = list((old - new).elements()), list((new - old).elements())
    if not removed and not added:
        return
    texts = {"a": "\n".join(before) + "\n"}, {"a": "\n".join(now) + "\n"}
    subject = after(texts[1], texts[0])
    expected: dict[str, JsonValue] = {"path": "a", "removed": [*removed], "added": [*added]}
    assert check(subject, "file_diff", expected=expected).passed


@pytest.mark.parametrize(
    ("type_", "expected"),
    [
        ("directory_structure", "a"),
        ("directory_structure", []),
        ("directory_structure", {}),
        ("directory_structure", {"exact": True}),
        ("directory_structure", ["../a"]),
        ("directory_structure", ["/a"]),
        ("directory_structure", ["a/**"]),
        ("directory_structure", {"root": "..", "paths": ["a"]}),
        ("directory_structure", {"paths": ["a"], "exact": "yes"}),
        ("directory_structure", {"paths": ["a"], "files": []}),
        ("file_diff", {"path": "a"}),
        ("file_diff", {"path": "../a", "added": ["x"]}),
        ("file_diff", {"path": "a", "added": "x"}),
        ("file_diff", {"path": "a", "added": ["x\ny"]}),
        ("file_diff", {"path": "a", "added": ["x"], "same": ["../b"]}),
    ],
)
def test_mistakes(type_: str, expected: Any) -> None:
    assert len(mistakes(type_, expected=expected)) == 1
