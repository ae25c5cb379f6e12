"""What needs no person is put right once; all else stays as it is, to the byte."""

import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.curate.lint.samples import GOOD, make, rules, with_front, write
from whet.core.errors import UsageError
from whet.curate.lint.fix import fix
from whet.curate.lint.registry import RULES, lint

DESCRIBED = "description: Says hello. Use when somebody comes in."


def test_everything_mechanical_at_once(tmp_path: Path) -> None:
    text = "\ufeff" + GOOD.replace("greet", "Welcome").replace("in.\n", "in. \t\n")
    skill = write(
        tmp_path / "greet",
        {
            "SKILL.md": text.replace("\n", "\r\n"),
            "scripts/run.sh": "\ufeff#!/bin/sh\r\nls\r\n",
            "a.md": "x\ufeffy\n",
            "data.bin": b"\r\n\xff",
            "run.bat": "dir\r\n",
        },
    )
    before = rules(skill)
    repairs = fix(skill)
    assert {repair.rule for repair in repairs} == {
        "SK008", "SK102", "SK401", "SK701", "SK702", "SK703",
    }  # fmt: skip
    assert rules(skill) == {"SK501"}
    assert before > {"SK501"}
    assert (skill / "SKILL.md").read_text() == GOOD
    assert (skill / "scripts/run.sh").read_bytes() == b"#!/bin/sh\nls\n"
    assert (skill / "a.md").read_text() == "xy\n"
    assert (skill / "data.bin").read_bytes() == b"\r\n\xff"
    assert (skill / "run.bat").read_bytes() == b"dir\r\n"
    assert fix(skill) == ()


@pytest.mark.parametrize(
    ("folder", "more", "fixable"),
    [("greet", "", True), ("Greet_2", "", False), ("greet", "\nlicense: MIT\nlicense: MIT", False)],
)
def test_what_is_called_fixable_is_fixed(
    tmp_path: Path, folder: str, more: str, *, fixable: bool
) -> None:
    text = f"---\nname: Other\n{DESCRIBED}{more}\n---\n# Hello\n"
    skill = write(tmp_path / folder, {"SKILL.md": text})
    found = [one for one in lint(skill).findings if one.rule.id in ("SK102", "SK103")]
    assert [one.is_fixable for one in found] == [fixable, fixable]
    fix(skill)
    assert {"SK102", "SK103"}.isdisjoint(rules(skill)) is fixable


def test_only_rules_that_say_so_are_fixed(tmp_path: Path) -> None:
    mechanical = {rule.id for rule in RULES if rule.is_mechanical}
    assert mechanical == {"SK008", "SK101", "SK102", "SK103", "SK401", "SK701", "SK702", "SK703"}
    skill = make(tmp_path, a_md="[gone](gone.md)", b_md=b"\xff", _env="A=1")
    before = {path: path.read_bytes() for path in skill.rglob("*") if path.is_file()}
    assert fix(skill) == ()
    assert {path: path.read_bytes() for path in skill.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("front", "after"),
    [
        (f"name: Other\n{DESCRIBED}", f"name: greet\n{DESCRIBED}"),
        (f"{DESCRIBED}\nname: x # why\nlicense: MIT", f"{DESCRIBED}\nname: greet\nlicense: MIT"),
        (f"name: >\n  two\n  words\n\n{DESCRIBED}", f"name: greet\n{DESCRIBED}"),
        (f"name:\n{DESCRIBED}", f"name: greet\n{DESCRIBED}"),
        (DESCRIBED, f"name: greet\n{DESCRIBED}"),
        (f"name: [other]\n{DESCRIBED}", f"name: [other]\n{DESCRIBED}"),
        (f"name: other\n{DESCRIBED}: more", f"name: other\n{DESCRIBED}: more"),
        (f"name: other\nname: another\n{DESCRIBED}", f"name: other\nname: another\n{DESCRIBED}"),
    ],
)  # fmt: skip
def test_a_name_is_that_of_the_folder(tmp_path: Path, front: str, after: str) -> None:
    skill = with_front(tmp_path, front, "name: no\n---\n")
    fix(skill)
    assert (skill / "SKILL.md").read_text() == f"---\n{after}\n---\nname: no\n---\n"
    assert fix(skill) == ()


def test_a_name_that_yaml_takes_for_a_number_is_quoted(tmp_path: Path) -> None:
    skill = with_front(tmp_path, DESCRIBED).rename(tmp_path / "2024")
    fix(skill)
    assert 'name: "2024"\n' in (skill / "SKILL.md").read_text()
    assert rules(skill) == set()


def test_a_folder_that_cannot_be_a_name_gives_none(tmp_path: Path) -> None:
    skill = make(tmp_path).rename(tmp_path / "My Skill")
    assert fix(skill) == ()
    assert rules(skill) == {"SK103"}


def test_modes_stay_and_execution_follows_reading(tmp_path: Path) -> None:
    skill = make(tmp_path, run_sh="#!/bin/sh\r\n", other_sh="#!/bin/sh\n", text_md="x\r\n")
    for name, mode in (("run.sh", 0o640), ("other.sh", 0o600), ("text.md", 0o604)):
        (skill / name).chmod(mode)
    fix(skill)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in skill.glob("*.*")}
    assert modes.items() >= {"run.sh": 0o750, "other.sh": 0o700, "text.md": 0o604}.items()


def test_what_a_link_leads_to_stays(tmp_path: Path) -> None:
    other = write(tmp_path / "other", {"a.md": "x\r\n"})
    skill = make(tmp_path)
    (skill / "a.md").symlink_to(other / "a.md")
    assert fix(skill) == ()
    assert (other / "a.md").read_bytes() == b"x\r\n"


def test_a_version_of_the_library_is_never_changed(tmp_path: Path) -> None:
    package = make(tmp_path, a_md="x\r\n").rename(tmp_path / "package")
    (tmp_path / "meta.json").write_text("{}")
    with pytest.raises(UsageError, match="never changes"):
        fix(package)
    assert (package / "a.md").read_bytes() == b"x\r\n"


PIECES = ["---\n", "name: x", "description: y", " ", "\t", "\r\n", "\n", "\ufeff", "'", ": "]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_a_second_time_changes_nothing(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    skill = write(tmp_path_factory.mktemp("x") / "greet", {"SKILL.md": f"---\n{text}"})
    fix(skill)
    once = (skill / "SKILL.md").read_bytes()
    assert fix(skill) == ()
    assert (skill / "SKILL.md").read_bytes() == once
