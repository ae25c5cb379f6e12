"""Skills for jobs: which one is meant, and what is read of it how often."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.app.packages.making import ENGINES, content, release
from tests.curate.shelves import add_skill
from whet.app.library.intake import Intake
from whet.app.packages.cache import PackageCache
from whet.app.packages.packages import Packages, packages
from whet.core.errors import InvalidSkill, NotFound, UsageError
from whet.curate.intake.given import Given
from whet.curate.library import package


def written(shelf: Packages, text: str, name: str = "Writer") -> str:
    """A plain skill; returns its id."""
    return Intake(shelf.library, Given(name=name, purpose="code")).text(text).assets[0].id


def test_any_skill_can_be_meant(shelf: Packages) -> None:
    identity = written(shelf, "Write well.")
    for reference in (identity, identity[:8], "Writer", "Writer@v1", f"{identity}@v1"):
        found = shelf.resolve(reference)
        assert found.content == {"content.txt": b"Write well."}
        assert (found.package.kind, found.package.name) == ("text", "Writer")
    job = shelf.contract(shelf.resolve("Writer"))
    assert (job.is_plain, job.id, job.engines) == (True, "Writer", ENGINES)


def test_an_older_version_can_be_meant(shelf: Packages) -> None:
    written(shelf, "One.")
    shelf.library.edit("Writer", {"content": "Two."})
    wanted = {"Writer": b"Two.", "Writer@v1": b"One.", "Writer@v2": b"Two."}
    for reference, text in wanted.items():
        assert shelf.resolve(reference).content["content.txt"] == text
    assert shelf.resolve("Writer", "v1").asset.meta.version == "v1"
    for reference, version in (("Writer@v3", None), ("Writer", "v3"), ("Writer", "1.0")):
        with pytest.raises(NotFound, match="it has v2, v1"):
            shelf.resolve(reference, version)
    with pytest.raises(NotFound, match="no skill 'Nobody'"):
        shelf.resolve("Nobody@v1")
    with pytest.raises(NotFound):
        shelf.resolve("Writer@v1", "v1")


def test_a_name_may_have_an_at_in_it(shelf: Packages) -> None:
    written(shelf, "Mail.", "mail@v1")
    written(shelf, "Other.", "mail")
    assert shelf.resolve("mail@v1").content["content.txt"] == b"Mail."
    assert shelf.resolve("mail").content["content.txt"] == b"Other."
    assert shelf.resolve("mail@v1@v1").content["content.txt"] == b"Mail."


def test_a_package_goes_before_a_name(shelf: Packages) -> None:
    first, second = (written(shelf, text, "text-report") for text in ("One.", "Two."))
    assert first != second
    with pytest.raises(UsageError, match="is several skills; use an id"):
        shelf.resolve("text-report")
    with pytest.raises(UsageError, match="several"):
        shelf.detail("text-report")
    done = shelf.install_bytes(release(), "x.zip")
    assert shelf.resolve("text-report").asset.meta.id == done.id
    assert shelf.detail("text-report").id == done.id
    assert shelf.resolve(first).content == {"content.txt": b"One."}
    with pytest.raises(NotFound, match="is a skill of the library, and no package"):
        shelf.detail(first)


def test_a_library_skill_with_a_contract_is_held_to_it(shelf: Packages) -> None:
    """It was imported, not installed; jobs may use it all the same."""
    data = release()
    Intake(shelf.library, Given(name="Mine", purpose="text")).upload("x.zip", data)
    found = shelf.resolve("Mine")
    assert shelf.contract(found).required_files == ("document",)
    assert shelf.items() == ()
    place = found.asset.folder / "package/assets/runner.json"
    place.write_text('{"id": "x"}')
    with pytest.raises(InvalidSkill, match="Mine has 2 mistakes"):
        shelf.contract(shelf.resolve("Mine"))


def test_two_packages_of_one_name_are_never_guessed_between(shelf: Packages) -> None:
    """Only somebody who copies folders can make them."""
    first = shelf.install_bytes(release(), "x.zip")
    folder = Path(shelf.library.version(first.id).folder)
    copy = folder.with_name("skill_00000000_v1")
    shutil.copytree(folder, copy)
    meta = (copy / "meta.json").read_text()
    (copy / "meta.json").write_text(meta.replace(first.id, "00000000-0000-4000-8000-000000000000"))
    shelf.library.index.refresh()
    for attempt in (
        lambda: shelf.resolve("text-report"),
        lambda: shelf.detail("text-report"),
        lambda: shelf.install_bytes(release("2.0"), "x.zip"),
    ):
        with pytest.raises(UsageError, match="is several packages; archive all but one"):
            attempt()
    shelf.uninstall("0000")
    assert shelf.install_bytes(release("2.0"), "x.zip").id == first.id


def test_a_package_of_before_has_the_name_of_its_skill(tmp_path: Path) -> None:
    """It says a version, and not what it calls itself."""
    folder = add_skill(tmp_path / "workspace", "text-report", package_version="0.9")
    shutil.rmtree(folder / "package", ignore_errors=True)
    with packages(tmp_path / "workspace", ENGINES) as shelf:
        assert [item.skill_id for item in shelf.items()] == ["text-report"]
        assert shelf.install_bytes(release("1.0"), "x.zip").action == "update"
        assert shelf.detail("text-report").version == "1.0"


def test_what_moved_behind_the_index_is_found(shelf: Packages) -> None:
    written(shelf, "Write.")
    folder = shelf.resolve("Writer").asset.folder
    target = folder.parents[1] / "elsewhere" / folder.name
    target.parent.mkdir()
    folder.rename(target)
    assert shelf.resolve("Writer").asset.folder == target
    shutil.rmtree(target)
    with pytest.raises(NotFound):
        shelf.resolve("Writer")


CHANGES: dict[str, Callable[[Path], object]] = {
    "longer": lambda package: (package / "SKILL.md").write_bytes(content()["SKILL.md"] + b"More."),
    "as long": lambda package: (package / "SKILL.md").write_bytes(
        b"x" * len(content()["SKILL.md"])
    ),
    "new": lambda package: (package / "assets/new.md").write_bytes(b"New."),
    "gone": lambda package: (package / "assets/input.schema.json").unlink(),
    "linked": lambda package: (package / "assets/link").symlink_to("/etc/passwd"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_did_not_change_is_read_once(shelf: Packages, change: str) -> None:
    shelf = replace(shelf, cache=PackageCache(young_seconds=0))
    shelf.install_bytes(release(), "x.zip")
    first = shelf.resolve("text-report")
    assert shelf.resolve("text-report").content is first.content
    assert shelf.contract(first) is shelf.contract(shelf.resolve("text-report"))
    CHANGES[change](first.asset.folder / "package")
    after = shelf.resolve("text-report")
    assert after.content is not first.content
    assert after.content == package(first.asset.folder, "text-report")[1]
    assert (after.package.digest == first.package.digest) == (change == "linked")


def test_what_is_young_is_read_anew(shelf: Packages) -> None:
    """Within the tick of some clocks, a file can change and look the same."""
    shelf.install_bytes(release(), "x.zip")
    assert shelf.resolve("text-report").content is not shelf.resolve("text-report").content


def test_the_cache_has_an_end(tmp_path: Path) -> None:
    folders = [add_skill(tmp_path, f"S{n}", text="x" * 1000) for n in range(4)]
    cache = PackageCache(most_bytes=2500, young_seconds=0)
    first = cache.read(folders[0], "S0")[1]
    assert cache.read(folders[0], "S0")[1] is first
    second = cache.read(folders[1], "S1")[1]
    assert cache.read(folders[0], "S0")[1] is first
    cache.read(folders[2], "S2")
    assert cache.read(folders[0], "S0")[1] is first
    assert cache.read(folders[1], "S1")[1] is not second, "it was asked for longest ago"
    huge = PackageCache(most_bytes=10, young_seconds=0)
    assert huge.read(folders[3], "S3")[1] is not huge.read(folders[3], "S3")[1]


def test_a_contract_is_read_once_for_each_set_of_engines(shelf: Packages) -> None:
    shelf.install_bytes(release(), "x.zip")
    found = shelf.resolve("text-report")
    cache = shelf.cache
    one = cache.contract(found.package, found.content, ENGINES)
    assert cache.contract(found.package, found.content, tuple(reversed(ENGINES))) is one
    other = cache.contract(found.package, found.content, ("claude",))
    assert (one.engines, other.engines) == (ENGINES, ("claude",))
