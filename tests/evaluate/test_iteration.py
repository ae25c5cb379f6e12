"""Iterations: a folder for every plan, found again, and never somebody else's."""

from pathlib import Path

import pytest

from whet.core.errors import EnvironmentProblem
from whet.evaluate.iteration import IterationMark, begin, find, iterations


def mark(digest: str) -> IterationMark:
    return IterationMark(
        plan_digest=digest, eval_id="eval_1", created_at="2024-01-01T00:00:00Z", skill_digest="s"
    )


def test_one_folder_for_each_plan(tmp_path: Path) -> None:
    root = tmp_path / "not/there/yet"
    names = [begin(root, mark(digest)).folder.name for digest in ("a", "b", "a", "c", "b")]
    assert names == ["iteration-1", "iteration-2", "iteration-1", "iteration-3", "iteration-2"]
    assert [(each.number, each.mark.plan_digest) for each in iterations(root)] == [
        *[(1, "a"), (2, "b"), (3, "c")]
    ]
    found = find(root, "b")
    assert found is not None
    assert found.number == 2
    assert find(root, "z") is None
    assert find(tmp_path / "nowhere", "a") is None


def test_the_tenth_comes_after_the_ninth(tmp_path: Path) -> None:
    for number in range(1, 12):
        begin(tmp_path, mark(str(number)))
    assert [each.number for each in iterations(tmp_path)] == list(range(1, 12))


@pytest.mark.parametrize("text", [None, "", "{", "[]", '{"plan_digest": 5}'])
def test_a_folder_without_its_mark_is_left_alone(tmp_path: Path, text: str | None) -> None:
    """A process may have died between the two, or a person made it."""
    folder = tmp_path / "iteration-4"
    folder.mkdir()
    (folder / "mine").write_text("mine")
    if text is not None:
        (folder / "iteration.json").write_text(text)
    assert begin(tmp_path, mark("a")).number == 5
    assert [each.number for each in iterations(tmp_path)] == [5]
    assert (folder / "mine").read_text() == "mine"


@pytest.mark.parametrize("name", ["iteration-x", "iteration-", "iteration-1234567", "iteration-1a"])
def test_other_names_count_for_nothing(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    assert begin(tmp_path, mark("a")).number == 1


def test_a_number_that_a_file_has_is_taken(tmp_path: Path) -> None:
    (tmp_path / "iteration-1").write_text("a file")
    assert begin(tmp_path, mark("a")).number == 2


def test_where_no_folder_can_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentProblem, match="cannot write in"):
        begin(tmp_path / "file", mark("a"))
