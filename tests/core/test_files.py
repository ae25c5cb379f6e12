"""Paths stay inside their folder; names become safe parts of a path."""

from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from whet.core.files import FileRef, inside
from whet.core.naming import LONGEST, short, slug


@pytest.mark.parametrize(
    "path",
    [
        "",
        ".",
        "..",
        "../a",
        "a/../b",
        "a/..",
        "/etc/passwd",
        "//a",
        "a//b",
        "a/",
        "./a",
        "a/./b",
        "a\\b",
        "..\\a",
        "C:\\a",
        "a\0b",
    ],
)
def test_a_path_that_leaves_its_folder_or_is_not_normal_is_refused(path: str) -> None:
    with pytest.raises(ValidationError):
        FileRef(path=path, digest="d", size=0)


@pytest.mark.parametrize("path", ["a", "a/b.txt", ".hidden", "a b", "...", "a..b", "磨/刀.md"])
def test_a_clean_relative_path_is_kept_as_it_is(path: str) -> None:
    assert FileRef(path=path, digest="d", size=0).path == path


@settings(max_examples=200)
@given(st.lists(st.sampled_from(["..", ".", "", "a", "b", "\\", "\0", "/"]), max_size=5))
def test_whatever_is_accepted_stays_inside(parts: list[str]) -> None:
    path = "/".join(parts)
    try:
        accepted = inside(path)
    except ValueError:
        return
    root = Path("/folder")
    assert root in (root / accepted).resolve().parents
    assert str(PurePosixPath(accepted)) == accepted


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Code Review", "code_review"),
        ("磨刀 Skill", "磨刀_skill"),
        ("ＡＢＣ１２", "abc12"),
        ("ﬁne", "fine"),
        ("Größe/Überblick", "größe_überblick"),
        ("a__b--c..d", "a_b_c_d"),
        ("  ../../etc/passwd ", "etc_passwd"),
        ("***", "short-id"),
        ("", "short-id"),
        ("_", "short-id"),
        ("🔪", "short-id"),
        ("x" * 60, "x" * 48),
        ("磨" * 60, "磨" * 48),
        ("x" * 47 + " yz", "x" * 47),
    ],
)
def test_a_slug_keeps_letters_and_digits_of_any_script(name: str, expected: str) -> None:
    assert slug(name, "short-id") == expected


def test_session_names_are_joined_by_hyphens() -> None:
    assert slug("Fix the_build 磨", "id", joint="-") == "fix-the-build-磨"


@settings(max_examples=200)
@given(st.text(max_size=80))
def test_a_slug_is_one_short_part_of_a_path_and_stable(name: str) -> None:
    made = slug(name, "fallback")
    assert 0 < len(made) <= LONGEST
    assert all(character.isalnum() or character == "_" for character in made)
    assert not made.startswith("_")
    assert not made.endswith("_")
    assert slug(made, "fallback") == made


def test_a_short_id_is_eight_characters() -> None:
    assert short("0b5c9a52-6a2e-4a57") == "0b5c9a52"
