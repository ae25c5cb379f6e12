"""Typed inputs: every mistake at once, files by their exact names."""

from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from tests.run.job.packages import package, plain
from whet.core.files import FileRef
from whet.run.job.inputs import missing, mixed, problems

PACKAGE = package()


def file(path: str) -> FileRef:
    return FileRef(path=path, digest="0" * 64, size=1)


def test_all_mistakes_are_told_at_once() -> None:
    given: dict[str, JsonValue] = {"titel": 1, "document": "x", "extra": "x", "depth": "deep"}
    found = problems(package(), given, {"most": 0, "other": 1})
    assert sorted(told.partition(":")[0] for told in found) == [
        "input",
        "input.depth",
        "input.document",
        "input.extra",
        "input.titel",
        "parameter",
        "parameter.most",
    ]
    assert "the skill has no such input; it has title, depth, document, extra" in found[0]
    assert "upload" in found[1]
    assert any("'title' is a required property" in told for told in found)


def test_what_fits_has_no_mistakes() -> None:
    assert problems(package(), {"title": "T"}, {}) == []
    assert problems(package(), {"title": "T", "depth": 3}, {"most": 1}) == []


def test_a_skill_that_declares_nothing_takes_anything() -> None:
    assert problems(plain(), {"any": [1, {"x": None}]}, {"thing": 1}) == []
    found = mixed(plain(), {"any": 1}, [file("uploads/a"), file("uploads/b/c")], "/w")
    assert found == {"any": 1, "a": "/w/uploads/a", "b": "/w/uploads/b"}


def test_only_required_files_are_missed() -> None:
    [told] = missing(package(), [])
    assert told.startswith("input.document: the file is missing; upload a zip")
    assert missing(package(), [file("uploads/document")]) == []


def test_names_match_exactly_or_not_at_all() -> None:
    near = ("uploads/Document", "uploads/document.txt", "uploads/sub/document", "document")
    for path in near:
        assert missing(package(), [file(path)]), path
        assert "document" not in mixed(package(), {}, [file(path)], "/w")


def test_files_are_absolute_paths_and_values_stay_as_they_are() -> None:
    files = [file("uploads/document"), file("uploads/other")]
    found = mixed(package(), {"title": "T", "depth": 0}, files, "/scratch/run/work")
    assert found == {
        "title": "T",
        "depth": 0,
        "document": "/scratch/run/work/uploads/document",
    }


@given(st.dictionaries(st.text(max_size=8), st.integers() | st.text(max_size=5), max_size=6))
def test_a_key_is_complained_about_unless_it_is_inline(given: dict[str, int | str]) -> None:
    """Against the rule itself: undeclared and file keys are mistakes, each named."""
    found = problems(PACKAGE, {**given}, {})
    for name in given:
        if name not in ("title", "depth"):
            assert any(told.startswith(f"input.{name}: ") for told in found)
