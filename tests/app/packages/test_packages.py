"""Packages are installed, updated, rolled back and removed."""

import json
import re
from pathlib import Path

import pytest

from tests.app.packages.making import assets, content, packed, release, unfolded
from tests.curate.runner.making import EXAMPLE
from whet.app.packages.packages import Packages
from whet.core.errors import InvalidImport, InvalidSkill, NotFound, NotHigher, UsageError
from whet.curate.change import SkillChange
from whet.curate.library import skills


def test_a_package_is_a_skill_of_the_library(shelf: Packages) -> None:
    done = shelf.install(EXAMPLE)
    assert (done.skill_id, done.version, done.library_version, done.action) == (
        "text-report",
        "1.0.0",
        "v1",
        "install",
    )
    [asset] = skills(shelf.library.workspace).assets
    meta = asset.meta
    assert (meta.id, meta.name, meta.purpose, meta.provider) == (
        done.id,
        "text-report",
        "packages",
        "local",
    )
    assert (meta.package_id, meta.package_version) == ("text-report", "1.0.0")
    assert meta.description == "A short report on a text: what it says, and how long it is."
    assert (asset.folder / "package/assets/runner.json").is_file()


def test_what_is_not_used_is_told(shelf: Packages) -> None:
    assert shelf.install(EXAMPLE).notes == ()
    release = content()
    runner = json.loads(release["assets/runner.json"])
    runner |= {
        "version": "1.1.0",
        "runtime": {"dependencies": ["numpy"]},
        "mcp": {"required_servers": ["files"]},
        "engine_configs": {"codex": "assets/codex.toml"},
        "entrypoint": {"result_json_filename": "result.json"},
    }
    release["assets/runner.json"] = json.dumps(runner).encode()
    notes = shelf.install_bytes(packed(release), "x.zip").notes
    assert [note.split(":")[1].strip() for note in notes] == [
        "runtime.dependencies",
        "mcp.required_servers",
        "engine_configs",
        "entrypoint.result_json_filename",
    ]
    assert [f"not used: {each}" for each in shelf.detail("text-report").unused] == [*notes]


def test_a_zip_has_one_folder_or_none(shelf: Packages) -> None:
    assert shelf.install_bytes(packed(content(), None), "x.zip").action == "install"
    assert shelf.install_bytes(packed(content()), "x.zip").action == "unchanged"
    assert len(assets(shelf.library.workspace)) == 1


def test_what_programs_leave_behind_is_no_part_of_it(shelf: Packages) -> None:
    files = {**content(), ".git/config": b"[core]", ".DS_Store": b"x", "evals/evals.json": b"{}"}
    data = packed({**{f"text-report/{p}": d for p, d in files.items()}, "__MACOSX/._x": b"x"}, None)
    done = shelf.install_bytes(data, "x.zip")
    assert done.notes == ("left out: 3 files",)
    paths = {file.path for file in shelf.detail("text-report").files}
    assert paths == set(content()), "agents do not get the tests either"
    [asset] = skills(shelf.library.workspace).assets
    assert (asset.folder / "package/evals/evals.json").is_file()
    assert not list(asset.folder.glob("package/.*"))


def test_the_same_again_is_no_new_version(shelf: Packages) -> None:
    first = shelf.install_bytes(release(), "x.zip")
    again = shelf.install_bytes(release(), "other.zip")
    assert (again.action, again.id, again.library_version) == ("unchanged", first.id, "v1")


def test_an_update_needs_a_higher_version(shelf: Packages) -> None:
    first = shelf.install_bytes(release("1.0.0"), "x.zip")
    done = shelf.install_bytes(release("1.10.0", more=b"x"), "x.zip")
    assert (done.action, done.id, done.library_version) == ("update", first.id, "v2")
    for version in ("1.10.0", "1.9.0", "1.10", "1.10.0rc1", "0.1"):
        with pytest.raises(NotHigher) as caught:
            shelf.install_bytes(release(version, more=b"y"), "x.zip")
        assert f"installed=1.10.0, uploaded={version}" in str(caught.value)
    assert shelf.detail("text-report").version == "1.10.0"
    assert assets(shelf.library.workspace) == {first.id: [("v1", "1.0.0"), ("v2", "1.10.0")]}


@pytest.mark.parametrize(
    ("version", "is_higher"),
    [("1.0.0.post1", True), ("1.0.1.dev1", True), ("1!0", True), ("1.0.0.dev1", False)],
)
def test_versions_are_compared_as_python_does(
    shelf: Packages, version: str, *, is_higher: bool
) -> None:
    shelf.install_bytes(release("1.0.0"), "x.zip")
    if is_higher:
        assert shelf.install_bytes(release(version), "x.zip").action == "update"
    else:
        with pytest.raises(NotHigher):
            shelf.install_bytes(release(version), "x.zip")


MINIMAL = {
    "id": "text-report",
    "execution_modes": ["auto", "interactive"],
    "schemas": {key: f"assets/{key}.schema.json" for key in ("input", "parameter", "output")},
}
"""The least that the format asks of a runner.json."""


def _minimal(more: bytes = b"x") -> bytes:
    runner = json.dumps(MINIMAL).encode()
    return packed({**content(more=more), "assets/runner.json": runner})


def test_a_package_without_a_version_has_one_from_its_digest(shelf: Packages) -> None:
    first = shelf.install_bytes(_minimal(), "x.zip")
    assert first.action == "install"
    assert re.fullmatch(r"0\.0\.0\+sha256\.[0-9a-f]{12}", first.version)
    says = f"runner.json says no version; it is {first.version}, from its digest"
    assert first.notes == (says,)
    again = shelf.install_bytes(_minimal(), "x.zip")
    assert (again.action, again.version, again.notes) == ("unchanged", first.version, (says,))
    assert shelf.detail("text-report").version == first.version
    assert shelf.resolve(f"text-report@{first.version}").asset.meta.version == "v1"
    others = {first.version}
    for number in range(2, 6):
        done = shelf.install_bytes(_minimal(str(number).encode()), "x.zip")
        assert (done.action, done.library_version) == ("update", f"v{number}")
        others.add(done.version)
    assert len(others) == 5


@pytest.mark.parametrize("version", ["0.0.0.dev1", "0.0.0", "2.0"])
def test_a_version_of_its_own_follows_one_from_a_digest(shelf: Packages, version: str) -> None:
    shelf.install_bytes(_minimal(), "x.zip")
    assert shelf.install_bytes(release(version), "x.zip").action == "update"
    with pytest.raises(NotHigher, match=re.escape(f"installed={version}, uploaded=0.0.0+sha256.")):
        shelf.install_bytes(_minimal(), "x.zip")


def test_what_cannot_be_installed_leaves_nothing(shelf: Packages, tmp_path: Path) -> None:
    plain = {"SKILL.md": content()["SKILL.md"]}
    without = packed({**content(), "assets/runner.json": b'{"id": "text-report"}'})
    for data, says in (
        (packed(plain), "has no assets/runner.json; import it as a plain skill"),
        (without, "2 mistakes.*execution_modes: is required.*schemas: is missing"),
        (packed(content(runner={"engines": ["iflow"]})), "'iflow' is no engine here"),
        (packed(content(), "elsewhere"), "lies in a folder 'elsewhere'"),
    ):
        with pytest.raises(InvalidSkill, match=says) as caught:
            shelf.install_bytes(data, "mine.zip")
        assert str(caught.value).startswith("mine.zip has ")
    unfolded(content(), tmp_path / "copy")
    with pytest.raises(InvalidSkill, match=r"lies in a folder 'copy'"):
        shelf.install(tmp_path / "copy")
    with pytest.raises(NotFound, match=r"has no SKILL\.md"):
        shelf.install(EXAMPLE / "assets")
    with pytest.raises(NotFound, match="no file"):
        shelf.install(EXAMPLE / "gone.zip")
    with pytest.raises(InvalidImport, match="no zip that can be read"):
        shelf.install(EXAMPLE / "SKILL.md")
    assert assets(shelf.library.workspace) == {}
    assert not list(shelf.library.workspace.rglob(".new-*"))


def test_the_history_knows_both_versions(shelf: Packages) -> None:
    shelf.install_bytes(release("1.0"), "x.zip")
    shelf.install_bytes(release("1.1", more=b"x"), "x.zip")
    newest, first = shelf.history("text-report")
    assert (newest.version, newest.library_version) == ("1.1", "v2")
    assert (first.version, first.library_version, first.changed_fields) == ("1.0", "v1", ())
    assert {"meta.package_version", "package/assets/runner.json", "package/references/more.md"} <= {
        *newest.changed_fields
    }


@pytest.mark.parametrize("to", ["v1", "1.0", "1.0.0"])
def test_a_rollback_may_go_lower_and_is_the_next_version(shelf: Packages, to: str) -> None:
    shelf.install_bytes(release("1.0"), "x.zip")
    shelf.install_bytes(release("2.0", more=b"x"), "x.zip")
    done = shelf.rollback("text-report", to)
    assert (done.version, done.library_version, done.action) == ("1.0", "v3", "rollback")
    found = shelf.resolve("text-report")
    assert (found.asset.meta.package_version, found.asset.meta.version) == ("1.0", "v3")
    assert found.content == content("1.0")
    assert shelf.rollback("text-report", to).action == "unchanged"
    assert shelf.install_bytes(release("1.5", more=b"y"), "x.zip").library_version == "v4"
    assert [one.version for one in shelf.history("text-report")] == ["1.5", "1.0", "2.0", "1.0"]


def test_of_two_versions_of_one_number_the_newest_is_meant(shelf: Packages) -> None:
    shelf.install_bytes(release("1.0"), "x.zip")
    shelf.install_bytes(release("2.0"), "x.zip")
    shelf.rollback("text-report", "v1")
    assert shelf.resolve("text-report@2.0").asset.meta.version == "v2"
    assert shelf.resolve("text-report", "1.0").asset.meta.version == "v3"


def test_a_rollback_to_nothing(shelf: Packages) -> None:
    shelf.install_bytes(release("1.0"), "x.zip")
    for wanted in ("v2", "2.0", "", "latest"):
        with pytest.raises(NotFound, match=r"it has v1 \(1.0\)"):
            shelf.rollback("text-report", wanted)
    with pytest.raises(NotFound, match="no package 'nobody' is installed"):
        shelf.rollback("nobody", "v1")


def test_a_package_that_was_removed_is_not_deleted(shelf: Packages) -> None:
    first = shelf.install_bytes(release(), "x.zip")
    done = shelf.uninstall("text-report")
    assert (done.action, done.id, done.version) == ("uninstall", first.id, "1.0.0")
    assert shelf.items() == ()
    assert [item.status for item in shelf.items(status=None)] == ["archived"]
    for attempt in (shelf.detail, shelf.history, shelf.uninstall):
        with pytest.raises(NotFound, match="is installed any more"):
            attempt("text-report")
    assert shelf.detail(first.id[:8]).status == "archived"
    with pytest.raises(UsageError, match="was removed; install it again"):
        shelf.rollback(first.id, "v1")
    for reference in ("text-report", first.id, "text-report@v1"):
        with pytest.raises(NotFound, match="was removed; install it again"):
            shelf.resolve(reference)


def test_what_was_removed_comes_back_as_the_same_skill(shelf: Packages) -> None:
    first = shelf.install_bytes(release("1.1"), "x.zip")
    shelf.uninstall("text-report")
    with pytest.raises(NotHigher, match=r"installed=1.1, uploaded=1.0"):
        shelf.install_bytes(release("1.0"), "x.zip")
    again = shelf.install_bytes(release("1.1"), "x.zip")
    assert (again.id, again.action, again.notes) == (
        first.id,
        "unchanged",
        ("it had been removed, and is back",),
    )
    shelf.uninstall("text-report")
    done = shelf.install_bytes(release("1.2"), "x.zip")
    assert (done.id, done.action, done.library_version) == (first.id, "update", "v2")
    assert [item.version for item in shelf.items()] == ["1.2"]
    assert len(assets(shelf.library.workspace)) == 1


def test_a_package_stays_one_whatever_people_call_it(shelf: Packages) -> None:
    """Renamed and moved to another purpose, it is still the one that is updated."""
    first = shelf.install_bytes(release("1.0"), "x.zip")
    shelf.library.edit(first.id, {"name": "Reporter", "purpose": "text"})
    for reference in ("text-report", "Reporter", first.id, first.id[:6]):
        assert shelf.detail(reference).id == first.id
        assert shelf.resolve(reference).asset.meta.id == first.id
    assert shelf.detail("text-report").name == "Reporter"
    done = shelf.install_bytes(release("1.1"), "x.zip")
    assert (done.id, done.action, done.library_version) == (first.id, "update", "v3")
    assert shelf.detail("text-report").name == "Reporter"


def test_packages_are_listed_with_what_is_wrong_with_them(shelf: Packages) -> None:
    first = shelf.install_bytes(release(), "x.zip")
    other = packed(
        {
            path: data.replace(b"text-report", b"a-copy")
            for path, data in content(runner={"engines": ["codex"]}).items()
        },
        "a-copy",
    )
    shelf.install_bytes(other, "x.zip")
    copy, example = shelf.items()
    assert (copy.skill_id, copy.engines, copy.problems) == ("a-copy", ("codex",), ())
    assert (example.name, example.execution_modes) == ("Text report", ("auto", "interactive"))
    place = Path(shelf.library.version(first.id).folder) / "package/assets/runner.json"
    place.write_text("{")
    [_, broken] = shelf.items()
    assert (broken.skill_id, broken.engines) == ("text-report", ())
    assert "broken JSON" in broken.problems[0]
    assert shelf.detail("text-report").output is None


def test_an_edit_by_hand_is_no_way_around_the_version(shelf: Packages) -> None:
    first = shelf.install_bytes(release("1.0"), "x.zip")
    shelf.library.change(first.id, SkillChange(package=content("1.0", more=b"mine")), "v1")
    with pytest.raises(NotHigher):
        shelf.install_bytes(release("1.0"), "x.zip")
    assert shelf.install_bytes(release("1.1"), "x.zip").library_version == "v3"


def test_the_contract_is_shown(shelf: Packages) -> None:
    shelf.install(EXAMPLE)
    found = shelf.detail("text-report")
    assert found.input is not None
    assert found.parameter is not None
    assert [rule.model_dump() for rule in found.artifacts] == [
        {
            "pattern": "report.md",
            "role": "output",
            "required": True,
            "mime": None,
            "field": "report",
        }
    ]
    assert [file.path for file in found.files] == sorted(content())
