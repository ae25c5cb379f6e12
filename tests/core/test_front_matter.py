"""Reading names and descriptions of skills, and changing a description and nothing else."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whet.core.arm import SkillPackage
from whet.core.front_matter import HEAD, description_of, entries, name_of, with_description

PACKAGE = SkillPackage(name="From The Library", kind="package", digest="0" * 64, files=())


def skill(front: str) -> str:
    return f"---\n{front}\n---\n# Body\n\ndescription: not this one\n"


@pytest.mark.parametrize(
    ("front", "description"),
    [
        ("description: Plain words.", "Plain words."),
        ("description: Use when: a colon # a comment", "Use when: a colon"),
        ("description: C# and F#", "C# and F#"),
        ('description: "Quoted: \\"yes\\" \\u00e9"', 'Quoted: "yes" é'),
        ('description: "odd \\q escape"', "odd q escape"),
        ("description: 'It''s quoted'  # why", "It's quoted"),
        (
            "description: |\n  First\n  second # no comment\n\n  third",
            "First second # no comment third",
        ),
        ("description: >-\n  Folded\n  lines", "Folded lines"),
        ("description: goes\n  on here\nname: x", "goes on here"),
        ('description: "goes\n  on"\nname: x', "goes on"),
        ("description:\n  all below", "all below"),
        ("'description': key in quotes", "key in quotes"),
        ("description: first\ndescription: second", "first"),
        ("# description: commented out\nname: x", ""),
        ("meta:\n  description: not at the margin", ""),
        ("description:", ""),
        ("name: x", ""),
    ],
)
def test_a_description_is_read_as_agents_read_it(front: str, description: str) -> None:
    for text in (skill(front), skill(front).replace("\n", "\r\n"), "\ufeff" + skill(front)):
        assert description_of(text) == description


@pytest.mark.parametrize("text", ["", "# Title\n", "---\nname: x\n", "text\n---\nname: x\n---\n"])
def test_without_front_matter_there_is_nothing(text: str) -> None:
    assert entries(text) is None
    assert description_of(text) == ""
    with pytest.raises(ValueError, match="no front matter"):
        with_description(text, "new")


def test_a_front_matter_that_never_ends_is_not_searched_for_ever() -> None:
    assert entries("---\n" + "a: b\n" * HEAD) is None


@pytest.mark.parametrize(
    ("front", "name"),
    [
        ("name: greet", "greet"),
        ("name: 'greet'", "greet"),
        ('description: d\nname: "greet-2.0"', "greet-2.0"),
        ("name: ../x", "from-the-library"),
        ("name: two words", "from-the-library"),
        ("name: " + "x" * 65, "from-the-library"),
        ("title: greet", "from-the-library"),
    ],
)
def test_a_name_is_its_own_if_it_can_be_a_folder(front: str, name: str) -> None:
    assert name_of(skill(front), PACKAGE) == name


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("name: x\ndescription: old\nlicense: MIT", 'name: x\ndescription: "new"\nlicense: MIT'),
        (
            "description: |\n  old\n\n  older\n\n# why\nname: x",
            'description: "new"\n\n# why\nname: x',
        ),
        ("description: >\n  a\n\n  b\nname: x", 'description: "new"\nname: x'),
        ("name: x\nallowed-tools:\n- Read", 'name: x\nallowed-tools:\n- Read\ndescription: "new"'),
    ],
)
def test_only_the_description_changes(before: str, after: str) -> None:
    assert with_description(skill(before), "new") == skill(after)
    windows = with_description(skill(before).replace("\n", "\r\n"), "new")
    assert windows == skill(after).replace("\n", "\r\n")


@given(st.text(min_size=1), st.binary(max_size=30), st.sampled_from(["\n", "\r\n"]))
def test_what_is_written_is_what_is_read(new: str, rest: bytes, newline: str) -> None:
    body = rest.decode(errors="surrogateescape")
    old = f"---{newline}name: x{newline}description: old{newline}other: [1, 2]{newline}---{newline}"
    changed = with_description(old + body, new)
    assert description_of(changed) == " ".join(new.split())
    assert changed.endswith(f"other: [1, 2]{newline}---{newline}{body}")
    assert changed.startswith(f"---{newline}name: x{newline}description: ")
    # A JSON string is a YAML string, whatever is in it.
    line = changed.split("description: ", 1)[1].split(f"{newline}other:", 1)[0]
    assert json.loads(line) == " ".join(new.split())
