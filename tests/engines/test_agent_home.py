"""The agent's home, also after an agent has been there."""

import os
from pathlib import Path

import pytest

from whet.core.arm import SkillPackage
from whet.core.case import Stimulus
from whet.core.errors import EngineFailure
from whet.core.trial import TrialSpec
from whet.engines.agent_cli.home import Home
from whet.engines.agent_cli.skill import place_package, skill_name
from whet.ports.workdir import Workdir


@pytest.fixture
def workdir(tmp_path: Path) -> Workdir:
    root = tmp_path / "root"
    for folder in ("work", "skill"):
        (root / folder).mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    return Workdir(root, root / "work", root / "skill")


def test_files_are_for_their_owner_and_may_be_written_again(workdir: Workdir) -> None:
    home = Home.below(workdir)
    home.write("config/a.json", "one")
    again = Home.below(workdir).write("config/a.json", "two")
    assert again.read_text() == "two"
    assert again.stat().st_mode & 0o777 == 0o600


def test_links_that_nobody_follows_are_fine(workdir: Workdir) -> None:
    home = Home.below(workdir)
    home.write("logs/1.txt", "log").with_name("latest").symlink_to("/usr/bin/env")
    assert Home.below(workdir) == home


@pytest.mark.parametrize("place", ["home", "tmp", "skill", "skill/deep", "skill/SKILL.md"])
def test_folders_of_ours_are_no_links(workdir: Workdir, place: str) -> None:
    link = workdir.root / place
    if link.is_dir():
        link.rmdir()
    link.symlink_to(workdir.root.parent / "outside")
    with pytest.raises(EngineFailure, match=place):
        Home.below(workdir)


def test_a_file_is_not_written_through_links(workdir: Workdir) -> None:
    home, outside = Home.below(workdir), workdir.root.parent / "outside"
    (home.folder / ".config").symlink_to(outside)
    with pytest.raises(EngineFailure, match="a link"):
        home.write(".config/new/a.json", "text")
    (home.folder / "b.json").symlink_to(outside / "b.json")
    home.write("b.json", "text")
    assert list(outside.iterdir()) == []
    assert (home.folder / "b.json").read_text() == "text"


def test_a_skill_is_not_copied_through_links(workdir: Workdir) -> None:
    package = SkillPackage(name="s", kind="package", digest="0" * 64, files=())
    stimulus = Stimulus(prompt="Do it.")
    spec = TrialSpec(skill=package, stimulus=stimulus, engine="e", engine_version="1", model="m")
    (workdir.root / "skill/SKILL.md").write_text("Do it well.")
    outside = workdir.root.parent / "outside"
    home = Home.below(workdir)
    place_package(spec, workdir, home.folder / "skills")
    assert (home.folder / "skills/s/SKILL.md").read_text() == "Do it well."
    (home.folder / "config").symlink_to(outside)
    with pytest.raises(EngineFailure, match="a link"):
        place_package(spec, workdir, home.folder / "config/skills")
    assert list(outside.iterdir()) == []


def test_pipes_do_not_hold_us_up(workdir: Workdir) -> None:
    home = Home.below(workdir)
    os.mkfifo(home.folder / "a.json")
    assert home.write("a.json", "text").read_text() == "text"
    os.mkfifo(workdir.root / "skill/SKILL.md")
    with pytest.raises(EngineFailure, match="no file"):
        Home.below(workdir)


def test_a_skill_has_its_name_from_its_front_matter_alone(workdir: Workdir) -> None:
    package = SkillPackage(name="s", kind="package", digest="0" * 64, files=())
    stimulus = Stimulus(prompt="Do it.")
    spec = TrialSpec(skill=package, stimulus=stimulus, engine="e", engine_version="1", model="m")
    file = workdir.root / "skill/SKILL.md"
    for text, name in (
        ("---\ndescription: d\nname: 'own'\n---\n", "own"),
        ("---\ndescription: d\n---\n\nname: other\n", "s"),
        ("---\nname: ../x\n---\n", "s"),
        ("---\nname: .\n---\n", "s"),
    ):
        file.write_text(text)
        assert skill_name(spec, workdir) == name
