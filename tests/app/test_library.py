"""The library as a person uses it."""

from collections.abc import Generator
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.repo.tree import ROOT
from whet.app.library.intake import Intake
from whet.app.library.library import Library, library
from whet.app.library.requests import SearchRequest
from whet.app.library.views import detail, hits, page
from whet.core.asset_query import AssetQuery
from whet.core.errors import Conflict, NotFound, UsageError
from whet.curate.draft import About, BaselineDraft, SkillDraft
from whet.curate.intake.given import Given
from whet.ports.listing import Status

DRAFT = SkillDraft(About(name="Writer", purpose="code", provider="me"), content="Write well.")


@pytest.fixture
def skills(tmp_path: Path) -> Generator[Library]:
    with library(tmp_path / "workspace", "skill") as made:
        yield made


@pytest.fixture
def baselines(tmp_path: Path) -> Generator[Library]:
    with library(tmp_path / "workspace", "baseline") as made:
        yield made


def names(shelf: Library, status: Status = "active") -> list[str]:
    return [item.name for item in page(shelf, AssetQuery(status=status)).items]


def test_an_asset_is_found_by_any_of_its_names(skills: Library) -> None:
    made = skills.create(DRAFT)
    for reference in (made.id, made.id[:6], "Writer"):
        assert skills.id_of(reference) == made.id
    assert detail(skills, "Writer").content == "Write well."
    with pytest.raises(NotFound):
        skills.entry("nobody")


def test_an_edit_is_the_next_version_and_can_be_taken_back(skills: Library) -> None:
    skills.create(DRAFT)
    second = skills.edit("Writer", {"content": "Write better.", "author": "A."}, "v1")
    assert second.version == "v2"
    assert skills.edit("Writer", {"author": "A."}, None).version == "v2", "nothing changed"
    with pytest.raises(Conflict, match="expected v1, found v2"):
        skills.edit("Writer", {"content": "Mine."}, "v1")
    assert "-Write well." in skills.difference("Writer", "v1", "v2").unified
    assert skills.rollback("Writer", "v1", "v2").version == "v3"
    assert detail(skills, "Writer").content == "Write well."
    assert [record.to_version for record in skills.history("Writer").records] == ["v2", "v3"]


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"id": "x"}, "'id' cannot be set"),
        ({"version": "v9"}, "'version' cannot be set"),
        ({"created_at": "now"}, "cannot be set"),
        ({"name": 3}, "name: must be a text"),
        ({"type": "robot"}, "must be skill or agent"),
        ({"purpose": "../out"}, "purpose"),
    ],
)
def test_what_belongs_to_the_library_cannot_be_set(
    skills: Library, fields: dict[str, str | int], says: str
) -> None:
    skills.create(DRAFT)
    with pytest.raises(UsageError, match=says):
        skills.edit("Writer", dict(fields), None)
    assert skills.version("Writer").meta.version == "v1"


def test_archived_assets_are_out_of_the_way_and_not_gone(skills: Library) -> None:
    skills.create(DRAFT)
    skills.set_status("Writer", "archived")
    assert names(skills) == []
    assert names(skills, status="archived") == ["Writer"]
    skills.set_status("Writer", "active")
    assert names(skills) == ["Writer"]


def test_a_folder_is_taken_in_and_found_by_its_words(skills: Library) -> None:
    found = Intake(skills, Given(purpose="code")).path(ROOT / "examples/careful-python")
    assert [made.name for made in found.assets] == ["careful-python"]
    found_in = hits(skills, SearchRequest(q="docstring"))
    assert [hit.asset.name for hit in found_in.items] == ["careful-python"]


def test_only_what_was_edited_outside_can_be_adopted(skills: Library) -> None:
    made = skills.create(DRAFT)
    with pytest.raises(UsageError, match="nothing to adopt"):
        skills.adopt("Writer")
    (Path(made.path) / "content.txt").write_text("By hand.")
    skills.index.refresh()
    assert skills.adopt("Writer").version == "v2"
    assert detail(skills, "Writer").content == "By hand."


def test_an_edit_of_what_was_edited_outside_says_so(skills: Library) -> None:
    made = skills.create(DRAFT)
    (Path(made.path) / "content.txt").write_text("By hand.")
    skills.index.refresh()
    second = skills.edit("Writer", {"author": "A."})
    assert second.notes == ("v1 was edited outside, and this has that edit in it",)
    assert skills.edit("Writer", {"author": "B."}).notes == ()
    (skills.workspace / skills.entry("Writer").folder / "content.txt").write_text("Again.")
    skills.index.refresh()
    assert skills.edit("Writer", {"content": "Mine."}).notes == (), "nothing of it is left"


def test_cases_of_a_baseline_are_edited_as_a_whole(baselines: Library) -> None:
    draft = BaselineDraft(About(name="Tests", purpose="code", provider="me"))
    baselines.create(draft)
    case: dict[str, JsonValue] = {
        "id": "",
        "name": "Sum",
        "category": "standard",
        "input": "1 + 1",
        "expected_output": "2",
        "created_at": "2026-01-01T00:00:00Z",
        "updated_at": "2026-01-01T00:00:00Z",
    }
    assert baselines.edit("Tests", {"cases": [case]}, "v1").version == "v2"
    assert [one["id"] for one in detail(baselines, "Tests").cases or ()] == ["case_001"]
    with pytest.raises(UsageError, match="must be a list"):
        baselines.edit("Tests", {"cases": "all"}, None)


def test_what_was_written_is_no_failure_where_the_index_cannot_follow(
    skills: Library, tmp_path: Path
) -> None:
    (tmp_path / "workspace/index.db").unlink()
    (tmp_path / "workspace/index.db").mkdir()
    made = skills.create(DRAFT)
    assert Path(made.path, "content.txt").read_text() == "Write well."
    (note,) = made.notes
    assert note.startswith(f"lists do not show it yet: cannot use {tmp_path}")


def test_what_was_edited_this_very_moment_can_be_adopted(skills: Library) -> None:
    made = skills.create(DRAFT)
    (Path(made.path) / "content.txt").write_text("By hand.")
    assert skills.adopt("Writer").version == "v2"


def test_a_change_of_status_is_told_by_the_files(skills: Library) -> None:
    made = skills.create(DRAFT)
    path = Path(made.path) / "meta.json"
    path.write_text(path.read_text().replace('"active"', '"archived"'))
    assert not skills.set_status("Writer", "archived").changed
    assert skills.set_status("Writer", "active").changed


def test_names_that_look_the_same_are_namesakes(skills: Library) -> None:
    intake = Intake(skills, Given(name="Caf\u00e9"))
    first = intake.text("One.").assets[0]
    second = Intake(skills, Given(name=" Cafe\u0301"), update=True).text("Two.").assets[0]
    assert (second.id, second.version, second.name) == (first.id, "v2", "Caf\u00e9")


BAD_CASES: list[tuple[JsonValue, str]] = [
    ({"id": "a"}, "input: must not be empty"),
    ({"id": "a", "input": "a\0b"}, "has a NUL or half a character"),
    ({"id": "a", "input": "x", "more": "\ud800"}, "has a NUL or half a character"),
    ({"id": "a", "input": "x", "weight": -1}, "must not be negative"),
    ({"id": "../a", "input": "x"}, "case id '../a'"),
    ("a", "must be an object"),
]


@pytest.mark.parametrize(("case", "says"), BAD_CASES)
def test_all_cases_at_once_are_checked_as_each_of_them_is(
    baselines: Library, case: JsonValue, says: str
) -> None:
    baselines.create(BaselineDraft(About(name="Tests", purpose="code", provider="me")))
    with pytest.raises(UsageError, match=says):
        baselines.edit("Tests", {"cases": [case]}, "v1")
    deep: JsonValue = "x"
    for _ in range(150):
        deep = [deep]
    with pytest.raises(UsageError, match="nested"):
        baselines.edit("Tests", {"cases": [{"input": "x", "more": deep}]}, "v1")
    assert baselines.version("Tests").meta.version == "v1"
