"""Single cases of a baseline."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.curate.shelves import add_baseline, write_cases
from whet.app.library.cases import add_cases, edit_case, remove_case, rewrite
from whet.app.library.library import Library
from whet.app.library.views import detail
from whet.core.errors import Conflict, InvalidImport, NotFound, UsageError
from whet.curate.draft import About, BaselineDraft, SkillDraft
from whet.curate.intake.baseline_files import found_at, found_in
from whet.stores.index import FileIndex

SUM: dict[str, JsonValue] = {"input": "1 + 1", "expected_output": "2"}


@pytest.fixture(autouse=True)
def tests(baselines: Library) -> Library:
    """An empty baseline of that name."""
    baselines.create(BaselineDraft(About("Tests", "code", "me")))
    return baselines


def ids(shelf: Library) -> list[JsonValue]:
    return [case["id"] for case in detail(shelf, "Tests").cases or ()]


def only(shelf: Library) -> dict[str, JsonValue]:
    found = detail(shelf, "Tests").cases or ()
    assert len(found) == 1
    return found[0]


def test_cases_are_added_at_the_end(baselines: Library) -> None:
    done = add_cases(baselines, "Tests", [SUM, {**SUM, "id": "mine", "name": "Mine"}])
    assert (done.version, done.case_ids, done.changed) == ("v2", ("case_001", "mine"), True)
    silent = add_cases(baselines, "Tests", [{"input": "Say hello.", "case_id": 0}, SUM], "v2")
    assert silent.case_ids == ("0", "case_002")
    assert silent.notes == ("nothing is expected of 0",)
    assert ids(baselines) == ["case_001", "mine", "0", "case_002"]
    names = [case["name"] for case in detail(baselines, "Tests").cases or ()]
    assert names == ["case_001", "Mine", "0", "case_002"]


def test_a_note_names_the_case_by_the_id_that_it_got(baselines: Library) -> None:
    add_cases(baselines, "Tests", [SUM, SUM])
    done = add_cases(baselines, "Tests", [{"input": "Say hello."}])
    assert (done.case_ids, done.notes) == (("case_003",), ("nothing is expected of case_003",))


def test_an_id_that_was_used_never_comes_back(baselines: Library) -> None:
    add_cases(baselines, "Tests", [SUM, SUM, SUM])
    removed = remove_case(baselines, "Tests", "case_003")
    assert (removed.version, removed.case_ids) == ("v3", ("case_003",))
    assert add_cases(baselines, "Tests", [SUM]).case_ids == ("case_004",)
    for last in ("case_001", "case_002", "case_004"):
        remove_case(baselines, "Tests", last)
    assert ids(baselines) == []
    assert add_cases(baselines, "Tests", [SUM]).case_ids == ("case_005",)


def test_all_cases_are_added_or_none(baselines: Library) -> None:
    add_cases(baselines, "Tests", [SUM])
    refused: list[tuple[list[JsonValue], str]] = [
        ([], "no case was given"),
        ([SUM, {"id": "case_001", **SUM}], "'case_001' is there already"),
        ([SUM, {"input": " "}], "input: must not be empty"),
        ([SUM, {**SUM, "category": "edge"}], "did you mean boundary"),
        ([{**SUM, "id": "a/../../out"}], "path separator"),
        ([{**SUM, "id": "a"}, {**SUM, "id": "a"}], "the same id"),
        (["text"], "must be an object"),
        ([{**SUM, "weight": float("nan")}], "weight"),
    ]
    for rows, says in refused:
        with pytest.raises(UsageError, match=says):
            add_cases(baselines, "Tests", rows)
    assert ids(baselines) == ["case_001"]
    assert baselines.version("Tests").meta.version == "v2"


def test_of_two_changes_of_one_version_one_is_made(baselines: Library) -> None:
    add_cases(baselines, "Tests", [SUM], "v1")
    for change in (
        lambda: add_cases(baselines, "Tests", [SUM], "v1"),
        lambda: edit_case(baselines, "Tests", "case_001", {"input": "2"}, "v1"),
        lambda: remove_case(baselines, "Tests", "case_001", "v1"),
        lambda: rewrite(baselines, "Tests", found_in([]), {}, "v1"),
    ):
        with pytest.raises(Conflict, match="expected v1, found v2"):
            change()
    assert ids(baselines) == ["case_001"]


def test_fields_of_a_case_are_set_and_taken_away(baselines: Library) -> None:
    add_cases(baselines, "Tests", [{**SUM, "mine": {"kept": True}, "weight": 2}])
    before = only(baselines)
    done = edit_case(baselines, "Tests", "case_001", {"input": "2 + 2", "timeout_seconds": 5})
    assert (done.version, done.case_ids, done.changed) == ("v3", ("case_001",), True)
    after = only(baselines)
    assert (after["input"], after["timeout_seconds"], after["mine"]) == ("2 + 2", 5, before["mine"])
    assert after["created_at"] == before["created_at"]
    edit_case(baselines, "Tests", "case_001", {"weight": None, "mine": None})
    assert {"weight", "mine"} & only(baselines).keys() == set()
    same = edit_case(baselines, "Tests", "case_001", {"input": "2 + 2"})
    assert (same.version, same.changed) == ("v4", False)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"id": "other"}, "'id' of a case cannot be set"),
        ({"created_at": "now"}, "cannot be set"),
        ({"expected": "2"}, "these are: name, category, input, expected_output"),
        ({"input": None}, "input: must not be empty"),
        ({"input": 3}, "input"),
        ({"name": " "}, "name: must not be empty"),
        ({"category": "hard"}, "category"),
        ({"weight": "much"}, "weight"),
        ({"description": "\0"}, "NUL"),
    ],
)
def test_what_a_case_cannot_be(baselines: Library, fields: dict[str, JsonValue], says: str) -> None:
    add_cases(baselines, "Tests", [SUM])
    with pytest.raises(UsageError, match=says):
        edit_case(baselines, "Tests", "case_001", fields)
    assert baselines.version("Tests").meta.version == "v2"


def test_a_case_that_is_not_there_is_named(baselines: Library) -> None:
    for change in (
        lambda: edit_case(baselines, "Tests", "case_9", {"input": "x"}),
        lambda: remove_case(baselines, "Tests", "case_9"),
    ):
        with pytest.raises(NotFound, match="'Tests' has no case 'case_9'"):
            change()


def test_the_id_that_another_program_gave_stays(baselines: Library) -> None:
    folder = add_baseline(baselines.workspace, "Foreign", count=1)
    write_cases(folder, "a:b", "A:B")
    baselines.index.refresh()
    done = edit_case(baselines, "Foreign", "a:b", {"input": "New."})
    assert done.case_ids == ("a:b",)
    found = detail(baselines, "Foreign").cases or ()
    assert [(case["id"], case["input"] == "New.") for case in found] == [
        ("a:b", True),
        ("A:B", False),
    ]


def test_a_skill_has_no_cases(skills: Library) -> None:
    skills.create(SkillDraft(About("Writer", "code", "me"), content="x"))
    with pytest.raises(UsageError, match="is no baseline"):
        add_cases(skills, "Writer", [SUM])


class Busy(FileIndex):
    """Somebody else edits as soon as an edit is made."""

    others: Callable[[], object] | None = None

    def look_at(self, folder: str) -> None:
        super().look_at(folder)
        others, self.others = self.others, None
        if others is not None:
            others()


def test_whoever_comes_next_does_not_turn_success_into_failure(baselines: Library) -> None:
    """The ids are those of the version that was made, also if there is a later one by now."""
    busy = Busy(baselines.workspace)
    busy.others = lambda: baselines.edit("Tests", {"author": "Somebody"})
    done = add_cases(replace(baselines, index=busy), "Tests", [SUM])
    busy.close()
    assert (done.version, done.case_ids) == ("v2", ("case_001",))
    assert baselines.version("Tests").meta.version == "v3"


def test_all_cases_anew(baselines: Library, tmp_path: Path) -> None:
    add_cases(baselines, "Tests", [SUM, {"input": "Gone."}, {"input": "Last."}])
    remove_case(baselines, "Tests", "case_003")
    (tmp_path / "c.json").write_text(json.dumps([{"id": "case_001", **SUM}, {"input": "New."}]))
    done = rewrite(baselines, "Tests", found_at(tmp_path / "c.json"), {"author": "Ann"}, "v3")
    assert (done.version, done.notes) == ("v4", ("nothing is expected of case_004",))
    assert ids(baselines) == ["case_001", "case_004"], "neither 002 nor 003 comes back"
    assert detail(baselines, "Tests").meta["author"] == "Ann"
    (tmp_path / "c.csv").write_text("input,expected_output\n1 + 1,2\n")
    rewrite(baselines, "Tests", found_at(tmp_path / "c.csv"), {})
    assert ids(baselines) == ["case_001"], "without any id places count"
    assert not rewrite(baselines, "Tests", found_at(tmp_path / "c.csv"), {}).changed
    with pytest.raises(InvalidImport, match="input"):
        rewrite(baselines, "Tests", found_in([{"input": ""}]), {})
    with pytest.raises(UsageError, match="'version' cannot be set"):
        rewrite(baselines, "Tests", found_in([SUM]), {"version": "v9"})


def test_a_rubric_goes_only_with_the_whole_or_by_name(baselines: Library) -> None:
    rubric: JsonValue = {"dimensions": [{"name": "tone", "weight": 1}]}
    rewrite(baselines, "Tests", found_in({"cases": [SUM], "rubric": rubric}), {})
    assert detail(baselines, "Tests").rubric == rubric
    rewrite(baselines, "Tests", found_in([{**SUM, "input": "2"}]), {})
    assert detail(baselines, "Tests").rubric == rubric
    rewrite(baselines, "Tests", found_in({"cases": [SUM], "rubric": rubric}), {"rubric": "code"})
    assert detail(baselines, "Tests").rubric == "code"
    rewrite(baselines, "Tests", found_in([SUM]), {}, whole=True)
    assert detail(baselines, "Tests").rubric is None
