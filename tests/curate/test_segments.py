"""What may become the name of a folder or a file."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.curate.assets import ABOUT, NOW
from whet.core.errors import UsageError
from whet.curate.draft import About, BaselineDraft, SkillDraft
from whet.curate.segments import asset_name, package_path, segment
from whet.curate.versions import create

HOSTILE = [
    "",
    " ",
    "\u3000",
    ".",
    "..",
    "...",
    "../up",
    "a/b",
    "/etc",
    "a\\b",
    "C:\\Windows",
    "\\\\host\\share",
    "．．",
    "․․",
    "‥",
    "a／b",
    "a∕b",
    "a⁄b",
    "a⧸b",
    "a＼b",
    "a∖b",
    "a﹨b",
    "nul\0",
    "a\0b",
    "line\nbreak",
    "tab\t",
    "\x7f",
    "\u2028",
    "right\u202eleft",
    "\ufeffmark",
    " leading",
    "trailing ",
    ".hidden",
    "dot.",
    "．hidden",
    "CON",
    "con",
    "Nul.txt",
    "com1",
    "COM¹",
    "LPT9.tar.gz",
    "aux .x",
    "ＣＯＮ",
    "conin$",
    "what?",
    "a*b",
    "a<b",
    'a"b',
    "a|b",
    "C:",
    "x" * 101,
    "字" * 34,
    "x" * 10_000,
    "\ud800",
    "half\udfff",
    "co\u200dde",
    "代\u200d码",
    "\u200dcode",
    "code\u200c",
    "code\u200b",
    "\u2060code",
    "code\u200f",
    "\u2066code\u2069",
    "code\ufe0f",
    "code\ufe00",
    "葛\U000e0100",
    "code\U000e0061",
    "\u3164",
    "\u2800",
    "a\u034fb",
    "a\u115f",
]

FINE = [
    "code_generate",
    "C++",
    "代码：生成",
    "a b",
    "console",
    "com10",
    "v1.2",
    "字" * 33,
    "👩‍💻",
    "👨🏽‍⚕️",
    "❤️",
    "می\u200cخواهم",
    "क्\u200dष",
    "র\u200d্য",
    "שלום",
    "～",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_could_lead_outside_or_is_no_folder_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"^purpose ") as caught:
        segment(text, "purpose")
    message = str(caught.value)
    assert len(message.encode()) < 500
    assert message.isprintable() or "\u3000" in message or "．" in message


@pytest.mark.parametrize("text", FINE)
def test_names_of_any_script_are_kept(text: str) -> None:
    assert segment(text, "purpose") == text


def test_one_name_is_one_folder_however_it_is_composed() -> None:
    assert segment("cafe\u0301", "purpose") == segment("caf\u00e9", "purpose") == "caf\u00e9"


@given(st.text(max_size=120))
def test_what_is_accepted_is_one_part_of_a_path(text: str) -> None:
    try:
        name = segment(text, "purpose")
    except UsageError:
        return
    assert (Path("/shelf") / name).parent == Path("/shelf")
    assert (Path("/shelf") / name).resolve() == Path("/shelf") / name
    assert segment(name, "purpose") == name


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("field", ["purpose", "provider"])
def test_nothing_is_written_for_a_hostile_name(tmp_path: Path, text: str, field: str) -> None:
    about = About("N", **{"purpose": "p", "provider": "q", field: text})
    for draft in (SkillDraft(about, content="x"), BaselineDraft(about)):
        with pytest.raises(UsageError):
            create(tmp_path / "workspace", draft, NOW)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 201, "\0", "\ud800", "\u202e"])
def test_a_name_that_cannot_be_read_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=r"^name "):
        asset_name(name)


@pytest.mark.parametrize("name", ["../../etc", "a/b", "CON", "Python代码生成助手", "字" * 200])
def test_a_name_is_no_path(tmp_path: Path, name: str) -> None:
    about = About(name, "code", "me")
    assert create(tmp_path, SkillDraft(about, content="x"), NOW).meta.name == name


@pytest.mark.parametrize(
    "path",
    [
        "../up",
        "/etc/passwd",
        "a//b",
        "a/./b",
        "a/../b",
        "./a",
        "a/",
        ".",
        "",
        "a\\b",
        "nul\0",
        "scripts/con",
        "NUL.txt",
        "dot./a",
        "space /a",
        "a:stream",
        "x" * 256,
        "a/" * 600 + "a",
        "\ud800",
        "a\nb",
    ],
)
def test_a_file_stays_in_its_package(tmp_path: Path, path: str) -> None:
    with pytest.raises(UsageError):
        package_path(path)
    files = {"SKILL.md": b"x", path: b"y"}
    with pytest.raises(UsageError):
        create(tmp_path / "workspace", SkillDraft(ABOUT, package=files), NOW)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", ["SKILL.md", ".gitignore", "evals/files/a b.txt", "指南 (1).md"])
def test_ordinary_files_are_kept(path: str) -> None:
    assert package_path(path) == path


def test_names_that_look_the_same_are_the_same() -> None:
    assert asset_name(" Cafe\u0301 \n") == asset_name("Caf\u00e9") == "Caf\u00e9"
    assert asset_name("x  y") == "x  y"
    with pytest.raises(UsageError, match="name is empty"):
        asset_name(" \u3000")
