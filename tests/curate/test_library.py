"""The shelf: what is found, under which names, and what is said about broken folders."""

import json
from pathlib import Path

import pytest

from tests.curate.shelves import add_baseline, add_skill, identity, write, write_cases
from whet.core.errors import InvalidDocument, NotFound, UsageError
from whet.curate.library import baselines, cases, skills

HOSTILE = ["../../../../out", "a/b", "..", "", "back\\slash", "nul\0", "\ud800"]


@pytest.mark.parametrize(
    "reference", [identity("Writer"), identity("Writer")[:8], "Writer", "Writer@v1"]
)
def test_an_asset_is_found_by_id_short_id_and_name(tmp_path: Path, reference: str) -> None:
    folder = add_skill(tmp_path)
    add_skill(tmp_path, "Another")
    assert skills(tmp_path).find(reference).folder == folder


def test_the_newest_version_is_the_highest_number(tmp_path: Path) -> None:
    for version in ("v9", "v10", "v2"):
        add_skill(tmp_path, version=version)
    shelf = skills(tmp_path)
    assert shelf.find("Writer").meta.version == "v10"
    assert shelf.find("Writer@v2").meta.version == "v2"
    assert shelf.find(f"{identity('Writer')}@v9").meta.version == "v9"


def test_an_old_name_leads_to_the_newest_version(tmp_path: Path) -> None:
    add_skill(tmp_path)
    add_skill(tmp_path, version="v2", name="Author", id=identity("Writer"))
    assert skills(tmp_path).find("Writer").meta.name == "Author"


def test_a_name_may_have_an_at_sign(tmp_path: Path) -> None:
    add_skill(tmp_path, "me@home")
    assert skills(tmp_path).find("me@home").meta.name == "me@home"
    assert skills(tmp_path).find("me@home@v1").meta.name == "me@home"


def test_a_name_of_two_assets_is_refused_with_their_ids(tmp_path: Path) -> None:
    add_skill(tmp_path)
    add_skill(tmp_path, "Other", id="other-id")
    write_name(tmp_path, "Other", "Writer")
    with pytest.raises(UsageError, match="several assets") as caught:
        skills(tmp_path).find("Writer")
    assert "other-id" in str(caught.value)
    assert identity("Writer") in str(caught.value)
    assert skills(tmp_path).find("other-id").meta.id == "other-id"


@pytest.mark.parametrize("length", [4, 7, 8, 9, 13, 35])
def test_an_asset_is_found_by_the_beginning_of_its_id(tmp_path: Path, length: int) -> None:
    folder = add_skill(tmp_path)
    add_skill(tmp_path, "Another")
    beginning = identity("Writer")[:length]
    assert skills(tmp_path).find(beginning).folder == folder
    assert skills(tmp_path).find(f"{beginning}@v1").folder == folder


def test_too_short_a_beginning_is_none(tmp_path: Path) -> None:
    add_skill(tmp_path)
    with pytest.raises(NotFound):
        skills(tmp_path).find(identity("Writer")[:3])


def test_a_beginning_of_several_ids_is_refused(tmp_path: Path) -> None:
    for name, one in (("One", "mock-iter-1"), ("Two", "mock-iter-2"), ("Three", "mock-iter")):
        add_skill(tmp_path, name, id=one)
    shelf = skills(tmp_path)
    with pytest.raises(UsageError, match="use an id: mock-iter, mock-iter-1, mock-iter-2"):
        shelf.find("mock-ite")
    assert shelf.find("mock-iter").meta.name == "Three"


def test_a_name_that_is_the_beginning_of_another_id_is_refused(tmp_path: Path) -> None:
    beginning = identity("Writer")[:8]
    add_skill(tmp_path)
    add_skill(tmp_path, beginning)
    with pytest.raises(UsageError, match="several assets"):
        skills(tmp_path).find(beginning)


def add_called(
    name: str, workspace: Path, old: str, version: str = "v1", status: str = "active"
) -> None:
    """A skill with the id of *old*."""
    folder = add_skill(workspace, old, version, status=status)
    meta = json.loads((folder / "meta.json").read_text())
    write(folder / "meta.json", {**meta, "name": name})


def test_an_archived_asset_gives_way_to_an_active_one_of_its_name(tmp_path: Path) -> None:
    add_called("Writer", tmp_path, "Old", status="archived")
    old = identity("Old")
    shelf = skills(tmp_path)
    assert {shelf.find(one).meta.id for one in ("Writer", old, old[:8], old[:4])} == {old}
    add_skill(tmp_path)
    shelf = skills(tmp_path)
    assert shelf.find("Writer").meta.id == identity("Writer")
    assert shelf.find("Writer@v1").meta.id == identity("Writer")
    assert {shelf.find(one).meta.id for one in (old, old[:8], old[:4])} == {old}


def test_an_asset_is_archived_if_its_newest_version_is(tmp_path: Path) -> None:
    """Older versions still say that they were active."""
    add_called("Writer", tmp_path, "Old")
    add_called("Writer", tmp_path, "Old", "v2", "archived")
    add_skill(tmp_path)
    assert skills(tmp_path).find("Writer").meta.id == identity("Writer")


def test_several_archived_ones_are_refused(tmp_path: Path) -> None:
    for name in ("A", "B"):
        add_called("Writer", tmp_path, name, status="archived")
    with pytest.raises(UsageError, match="several assets"):
        skills(tmp_path).find("Writer")


def test_a_present_name_goes_before_an_old_one(tmp_path: Path) -> None:
    add_called("Writer", tmp_path, "Old")
    add_called("Author", tmp_path, "Old", "v2")
    assert skills(tmp_path).find("Writer").meta.name == "Author"
    add_skill(tmp_path)
    assert skills(tmp_path).find("Writer").meta.id == identity("Writer")


def write_name(workspace: Path, old: str, new: str) -> None:
    path = next(workspace.glob(f"skills/*/*/skill_{identity(old)[:8]}_v1")) / "meta.json"
    path.write_text(path.read_text().replace(f'"{old}"', f'"{new}"'))


@pytest.mark.parametrize("reference", ["Nobody", "Writer@v2", "writer", "@v1", "@", ""])
def test_what_is_not_there_is_named_with_what_is(tmp_path: Path, reference: str) -> None:
    add_skill(tmp_path)
    with pytest.raises(NotFound) as caught:
        skills(tmp_path).find(reference)
    assert repr(reference) in str(caught.value)
    assert "it has Writer" in str(caught.value)


def test_what_is_not_there_may_be_what_is_broken(tmp_path: Path) -> None:
    add_skill(tmp_path, content_file="SKILL.md")
    with pytest.raises(NotFound, match=r"not readable: .*meta\.json: content_file"):
        skills(tmp_path).find("Writer")


def test_an_empty_library_says_so(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="which is empty"):
        baselines(tmp_path / "not made yet").find("Tests")


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"id": 1}', "null", "\ufeff"])
def test_a_broken_asset_is_reported_by_name_and_hides_no_other(tmp_path: Path, text: str) -> None:
    broken = add_skill(tmp_path, "Broken")
    (broken / "meta.json").write_text(text)
    add_skill(tmp_path)
    shelf = skills(tmp_path)
    assert [asset.meta.name for asset in shelf.assets] == ["Writer"]
    assert len(shelf.problems) == 1
    assert str(broken / "meta.json") in shelf.problems[0]


def test_a_folder_without_a_readable_meta_is_reported(tmp_path: Path) -> None:
    (add_skill(tmp_path, "Gone") / "meta.json").unlink()
    unreadable = add_skill(tmp_path, "Folder") / "meta.json"
    unreadable.unlink()
    unreadable.mkdir()
    add_skill(tmp_path)
    shelf = skills(tmp_path)
    assert [asset.meta.name for asset in shelf.assets] == ["Writer"]
    assert sorted(problem.rpartition(": ")[2] for problem in shelf.problems) == [
        "Is a directory",
        "no such file",
    ]


@pytest.mark.parametrize("version", ["latest", "1", "v", "v-1", "v1/../..", "v٣", "v" + "9" * 5000])
def test_a_version_that_is_no_number_is_reported(tmp_path: Path, version: str) -> None:
    write(
        tmp_path / "skills/code/me/skill_x/meta.json",
        {**META, "version": version},
    )
    add_skill(tmp_path)
    shelf = skills(tmp_path)
    assert shelf.find("Writer").meta.version == "v1"
    assert "meta.json: version: must be v1" in shelf.problems[0]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_an_id_that_is_no_file_name_is_reported(tmp_path: Path, hostile: str) -> None:
    write(tmp_path / "skills/code/me/skill_x/meta.json", {**META, "id": hostile})
    shelf = skills(tmp_path)
    assert not shelf.assets
    assert "meta.json: id:" in shelf.problems[0]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_other_fields_cannot_lead_anywhere(tmp_path: Path, hostile: str) -> None:
    """Where an asset lies is where it was found, whatever it says about itself."""
    folder = tmp_path / "skills/code/me/skill_x"
    write(folder / "meta.json", {**META, "purpose": hostile, "provider": hostile})
    assert skills(tmp_path).find("X").folder == folder


META = {
    "id": "x",
    "name": "X",
    "purpose": "code",
    "provider": "me",
    "version": "v1",
    "version_count": 1,
    "content_file": "content.txt",
    "status": "active",
    "created_at": "",
    "updated_at": "",
}


def test_a_baseline_is_found_like_a_skill(tmp_path: Path) -> None:
    folder = add_baseline(tmp_path, count=3)
    found = baselines(tmp_path).find("Tests")
    assert found.folder == folder
    assert [case.id for case in cases(found.folder).cases] == ["case_001", "case_002", "case_003"]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_case_id_that_is_no_file_name_is_refused(tmp_path: Path, hostile: str) -> None:
    folder = add_baseline(tmp_path)
    write_cases(folder, "fine", hostile)
    with pytest.raises(InvalidDocument, match="is no file name") as caught:
        cases(folder)
    assert caught.value.field == "cases[1].id"


def test_two_cases_of_one_id_are_refused(tmp_path: Path) -> None:
    folder = add_baseline(tmp_path)
    write_cases(folder, "one", "two", "one")
    with pytest.raises(InvalidDocument, match="there twice") as caught:
        cases(folder)
    assert caught.value.field == "cases[2].id"


def test_a_case_may_not_be_called_like_the_repeat_of_another(tmp_path: Path) -> None:
    folder = add_baseline(tmp_path)
    write_cases(folder, "one", "one.run-2")
    with pytest.raises(InvalidDocument, match="repeat"):
        cases(folder)


def test_foreign_case_ids_are_kept(tmp_path: Path) -> None:
    folder = add_baseline(tmp_path)
    write_cases(folder, "排序", "Case 1 (easy).v2", ".hidden")
    assert [case.id for case in cases(folder).cases] == ["排序", "Case 1 (easy).v2", ".hidden"]
