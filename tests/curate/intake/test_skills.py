"""Skills from texts, files, folders and zips."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.curate.intake.zips import SCRIPT, zipped
from whet.core.errors import InvalidDocument, InvalidImport, NotFound, UsageError
from whet.curate.draft import About
from whet.curate.intake import skill_folder
from whet.curate.intake.found import installed_skills, skills_from
from whet.curate.intake.given import Given
from whet.curate.intake.skill_folder import skill_from_folder
from whet.curate.intake.skill_text import skill_from_text, skill_from_text_file
from whet.curate.intake.skill_zip import skills_from_zip

FRONT = "---\nname: pdf\ndescription: >\n  Reads\n  PDFs.\n---\nDo it.\n"


def put(root: Path, files: dict[str, str]) -> Path:
    """These files below a folder."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def test_a_text_speaks_for_itself() -> None:
    draft = skill_from_text(FRONT, Given()).draft
    assert draft.about == About("pdf", "general", "local", "Reads PDFs.")
    assert (draft.type, draft.content, draft.package) == ("skill", FRONT, None)


def test_what_a_person_says_goes_first() -> None:
    said = Given("Mine", "docs", "me", "Good.", "Ada", "net", "agent")
    draft = skill_from_text(FRONT, said).draft
    assert draft.about == About("Mine", "docs", "me", "Good.", "Ada", "net")
    assert draft.type == "agent"


@pytest.mark.parametrize("text", ["", " \n", "\ufeff", "a\0b", "a\ud83d"])
def test_what_is_no_text_is_refused(text: str) -> None:
    with pytest.raises(InvalidImport):
        skill_from_text(text, Given(name="x"))


def test_a_text_without_a_name_needs_one() -> None:
    with pytest.raises(InvalidImport, match="name"):
        skill_from_text("Do it.", Given())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_gives_its_name(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "Häuser bauen.txt"
    path.write_bytes("Baue.\r\n".encode(encoding))
    draft = skill_from_text_file(path, Given()).draft
    assert (draft.about.name, draft.about.source) == ("Häuser bauen", "Häuser bauen.txt")
    assert draft.content == "Baue.\r\n"


def test_other_encodings_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("你好".encode("gbk"))
    with pytest.raises(InvalidImport, match="UTF-8"):
        skill_from_text_file(tmp_path / "a.txt", Given())


def test_a_json_file_has_text_and_metadata(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(
        json.dumps({"content": "Do it.", "description": "D", "type": "agent", "rating": 5})
    )
    found = skill_from_text_file(path, Given(author="Ada"))
    assert found.draft.about == About("x", "general", "local", "D", "Ada", "x.json")
    assert found.draft.type == "agent"
    assert found.notes == ("not taken: 'rating'",)


def test_every_mistake_of_a_json_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"name": 3, "type": "tool"}')
    with pytest.raises(InvalidImport) as caught:
        skill_from_text_file(path, Given())
    assert {problem.partition(":")[0] for problem in caught.value.problems} == {
        "name",
        "type",
        "content",
    }
    assert caught.value.code == "invalid_import"
    path.write_text("{")
    with pytest.raises(InvalidDocument):
        skill_from_text_file(path, Given())


def test_a_folder_keeps_its_tests_and_not_its_histories(tmp_path: Path) -> None:
    names = ("node_modules/x", ".git/config", "workspace/y", "sub/__pycache__/z", ".DS_Store")
    folder = put(tmp_path / "reader", dict.fromkeys(names, ""))
    put(folder, {"SKILL.md": "Read.", "evals/evals.json": "{}", "scripts/run.sh": "#!/bin/sh"})
    (folder / "scripts/run.sh").chmod(0o755)
    (folder / "link").symlink_to("/etc/passwd")
    (folder / "linked").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe")
    found = skill_from_folder(folder, Given())
    assert set(found.draft.package or {}) == {"SKILL.md", "evals/evals.json", "scripts/run.sh"}
    assert found.draft.executables == {"scripts/run.sh"}
    assert found.draft.about.name == "reader"
    assert found.notes[0] == "links are not followed: 'link', 'linked'"
    assert "'.git'" in found.notes[1]
    assert "'pipe'" in found.notes[1]


def test_bytes_of_a_folder_stay_as_they_are(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    folder.mkdir()
    (folder / "SKILL.md").write_bytes(b"\xef\xbb\xbf---\r\nname: x\r\n---\r\n")
    draft = skill_from_folder(folder, Given()).draft
    assert draft.content.encode() == (draft.package or {})["SKILL.md"]
    assert draft.content.startswith("\ufeff")
    assert draft.about.name == "x"


def test_a_linked_skill_is_none(tmp_path: Path) -> None:
    put(tmp_path / "real", {"SKILL.md": "x"})
    (tmp_path / "fake").mkdir()
    (tmp_path / "fake/SKILL.md").symlink_to(tmp_path / "real/SKILL.md")
    with pytest.raises(NotFound):
        skill_from_folder(tmp_path / "fake", Given())


def test_a_folder_that_is_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = put(tmp_path / "a", {"SKILL.md": "x", "b": "y" * 100})
    monkeypatch.setattr(skill_folder, "MOST_IN_ONE", 50)
    with pytest.raises(InvalidImport, match="'b' is larger"):
        skill_from_folder(folder, Given())
    monkeypatch.setattr(skill_folder, "MOST_IN_ONE", 500)
    monkeypatch.setattr(skill_folder, "MOST_FILES", 1)
    with pytest.raises(InvalidImport, match="more than"):
        skill_from_folder(folder, Given())


def test_a_checkout_has_several_skills(tmp_path: Path) -> None:
    put(
        tmp_path,
        {
            "skills/a/SKILL.md": "A",
            "skills/a/inner/SKILL.md": "part of a",
            "skills/b/SKILL.md": "B",
            "node_modules/c/SKILL.md": "C",
            "README.md": "not one",
        },
    )
    harvest = skills_from(tmp_path, Given())
    assert [s.draft.about.name for s in harvest.skills] == ["a", "b"]
    assert [s.draft.about.source for s in harvest.skills] == ["skills/a", "skills/b"]
    with pytest.raises(UsageError, match="2 skills"):
        skills_from(tmp_path, Given(name="One"))


def test_one_broken_skill_hides_no_other(tmp_path: Path) -> None:
    put(tmp_path, {"a/SKILL.md": "A", "b/SKILL.md": "B"})
    (tmp_path / "a/SKILL.md").write_bytes(b"\xff\xff")
    harvest = skills_from(tmp_path, Given())
    assert [s.draft.about.name for s in harvest.skills] == ["b"]
    assert "UTF-8" in harvest.problems[0]


def test_skills_are_found_where_agents_keep_them(tmp_path: Path) -> None:
    project, home = tmp_path / "project", tmp_path / "home"
    for root, place, name, text in (
        (project, ".claude/skills", "a", "A"),
        (project, ".agents/skills", "b", "B"),
        (project, ".codex/skills", "a", "A"),
        (project, ".gemini/skills", "a", "another A"),
        (home, ".opencode/skills", "c", "C"),
        (home, ".other/skills", "d", "D"),
        (home, "skills", "e", "E"),
    ):
        put(root / place / name, {"SKILL.md": text})
    (home / ".claude").mkdir()
    (home / ".claude/skills").symlink_to(project / ".claude/skills")
    harvest = installed_skills([project, home, tmp_path / "gone"], Given(name="ignored"))
    found = [(s.draft.about.name, s.draft.content) for s in harvest.skills]
    assert sorted(found) == [("a", "A"), ("a", "another A"), ("b", "B"), ("c", "C")]
    assert [s.notes for s in harvest.skills if s.draft.content == "A"] == [
        (".codex/skills/a is the same skill",)
    ]


HOME_PLACES = (
    ".claude/skills",
    ".agents/skills",
    ".codex/skills",
    ".gemini/skills",
    ".gemini/extensions/maps/skills",
    ".opencode/skills",
    ".opencode/skill",
    ".config/opencode/skills",
    ".config/opencode/skill",
)
"""As the agents themselves list what they find in a home."""

AGENT_PLACES = (".claude/agents", ".gemini/agents", ".config/opencode/agent", ".opencode/agents")


def test_every_place_that_an_agent_reads_is_looked_into(tmp_path: Path) -> None:
    for number, place in enumerate(HOME_PLACES):
        put(tmp_path / place / f"s{number}", {"SKILL.md": f"Skill {number}"})
    for number, place in enumerate(AGENT_PLACES):
        text = f"---\nname: a{number}\ndescription: Looks.\n---\nLook at {number}.\n"
        put(tmp_path / place, {"one.md": text, "README.md": "About these.", "x.txt": text})
    harvest = installed_skills([tmp_path], Given())
    found = {s.draft.about.source: s.draft.type for s in harvest.skills}
    skills = {f"{place}/s{number}": "skill" for number, place in enumerate(HOME_PLACES)}
    assert found == {**skills, **{f"{place}/one.md": "agent" for place in AGENT_PLACES}}
    assert harvest.problems == ()


def test_subagents_of_one_name_are_different_and_equal_ones_come_once(tmp_path: Path) -> None:
    texts = ("Look.", "Look well.", "Look.")
    for place, text in zip(AGENT_PLACES, texts, strict=False):
        put(tmp_path / place, {"a.md": f"---\nname: a\ndescription: d\n---\n{text}\n"})
    away = tmp_path / "away.md"
    away.write_text("---\nname: b\n---\nx\n")
    (tmp_path / AGENT_PLACES[0] / "b.md").symlink_to(away)
    (tmp_path / AGENT_PLACES[0] / "c.md").write_bytes(b"---\nname: \xff\n---\n")
    harvest = installed_skills([tmp_path], Given())
    assert [(s.draft.about.name, len(s.notes)) for s in harvest.skills] == [("a", 1), ("a", 0)]
    assert len(harvest.problems) == 2
    assert "b.md lies behind one" in harvest.problems[0]


def test_variables_say_where_agents_keep_their_skills(tmp_path: Path) -> None:
    home = tmp_path / "home"
    put(home / ".codex/skills/a", {"SKILL.md": "A"})
    put(tmp_path / "codex/skills/b", {"SKILL.md": "B"})
    put(tmp_path / "config/opencode/skills/c", {"SKILL.md": "C"})
    put(tmp_path / "claude", {"skills/d/SKILL.md": "D", "agents/e.md": "---\nname: e\n---\nE\n"})
    put(tmp_path / "google/.gemini/skills/f", {"SKILL.md": "F"})
    put(tmp_path / "opencode", {"skills/g/SKILL.md": "G", "agents/h.md": "---\nname: h\n---\nH\n"})
    given = {
        "CODEX_HOME": str(tmp_path / "codex"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "CLAUDE_CONFIG_DIR": str(tmp_path / "claude"),
        "GEMINI_CLI_HOME": str(tmp_path / "google"),
        "OPENCODE_CONFIG_DIR": str(tmp_path / "opencode"),
        "CLAUDE_HOME": "",
    }
    found = installed_skills([home, home], Given(), given).skills
    assert sorted(s.draft.about.source for s in found) == [
        ".claude/agents/e.md",
        ".claude/skills/d",
        ".codex/skills/a",
        ".codex/skills/b",
        ".config/opencode/agents/h.md",
        ".config/opencode/skills/c",
        ".config/opencode/skills/g",
        ".gemini/skills/f",
    ]
    again = installed_skills([home], Given(), {"CODEX_HOME": str(home / ".codex")}).skills
    assert [s.notes for s in again] == [()]


def test_skills_inside_a_skill_are_named(tmp_path: Path) -> None:
    put(tmp_path / "a", {"SKILL.md": "A", "skills/b/SKILL.md": "B", "skills/c/SKILL.md": "C"})
    (found,) = skills_from(tmp_path / "a", Given()).skills
    assert found.notes == ("part of it, and no skills of their own: 'skills/b', 'skills/c'",)
    data = zipped(("SKILL.md", b"A"), ("b/SKILL.md", b"B"))
    (packed,) = skills_from_zip(data, "a.zip", Given())
    assert packed.notes == ("part of it, and no skills of their own: 'b'",)


def test_skills_behind_links_are_named(tmp_path: Path) -> None:
    home, away = tmp_path / "home", tmp_path / "away"
    put(home / ".agents/skills/a", {"SKILL.md": "A"})
    put(away, {"b/SKILL.md": "B", "skills/c/SKILL.md": "C", "none/README.md": "x"})
    (home / ".claude/skills").mkdir(parents=True)
    for name, target in (
        ("a", home / ".agents/skills/a"),
        ("b", away / "b"),
        ("none", away / "none"),
        ("loop", home / ".claude/skills/loop"),
    ):
        (home / ".claude/skills" / name).symlink_to(target)
    (home / ".codex").symlink_to(away)
    harvest = installed_skills([home], Given())
    assert [s.draft.about.name for s in harvest.skills] == ["a"]
    assert [problem.partition("and ")[2] for problem in harvest.problems] == [
        f"{home}/.claude/skills/b lies behind one; import it by its own path",
        f"{home}/.codex/skills/c lies behind one; import it by its own path",
    ]
    (found,) = skills_from(home / ".claude/skills/b", Given()).skills
    assert found.draft.content == "B"
    with pytest.raises(NotFound, match=r"no folder in it has a SKILL\.md; links .*skills/a lies"):
        skills_from(home / ".claude/skills", Given())


def test_a_zip_holds_a_skill_below_one_folder(tmp_path: Path) -> None:
    data = zipped(
        ("pdf/SKILL.md", b"Read."),
        ("pdf/scripts/a.sh", b"#!"),
        ("pdf/.git/config", b""),
        ("__MACOSX/pdf/._SKILL.md", b""),
        modes={"pdf/scripts/a.sh": SCRIPT},
    )
    (tmp_path / "x.skill").write_bytes(data)
    (found,) = skills_from(tmp_path / "x.skill", Given()).skills
    assert found.draft.package == {"SKILL.md": b"Read.", "scripts/a.sh": b"#!"}
    assert found.draft.executables == {"scripts/a.sh"}
    assert found.draft.about.name == "pdf"
    assert found.notes == ("left out: 2 files",)


def test_a_zip_of_a_repository_holds_several() -> None:
    data = zipped(("repo/README.md", b""), ("repo/a/SKILL.md", b"A"), ("repo/b/c/SKILL.md", b"C"))
    found = skills_from_zip(data, "repo.zip", Given())
    assert [s.draft.about.name for s in found] == ["a", "c"]
    assert [s.draft.about.source for s in found] == ["repo.zip: a", "repo.zip: b/c"]
    with pytest.raises(InvalidImport, match=r"no SKILL\.md"):
        skills_from_zip(zipped(("a/readme.md", b"")), "x.zip", Given())


@pytest.mark.parametrize("name", ["gone.txt", "gone", "x" * 5000, "a\0b"])
def test_what_is_not_there_is_said(tmp_path: Path, name: str) -> None:
    with pytest.raises(Exception, match=r"no file|cannot read"):
        skills_from(tmp_path / name, Given())


def test_other_files_are_no_skills(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").touch()
    with pytest.raises(UsageError, match=r"\.skill"):
        skills_from(tmp_path / "a.pdf", Given())
    with pytest.raises(NotFound, match=r"SKILL\.md"):
        skills_from(tmp_path, Given())


def test_a_skill_md_alone_says_that_its_folder_was_not_taken(tmp_path: Path) -> None:
    put(tmp_path, {"SKILL.md": FRONT})
    (found,) = skills_from(tmp_path / "SKILL.md", Given()).skills
    assert found.draft.package is None
    assert "import the folder" in found.notes[0]


@settings(deadline=None)
@given(st.text(max_size=300))
def test_any_file_name_gives_a_name_or_a_clear_refusal(fallback: str) -> None:
    try:
        draft = skill_from_text("x", Given(), fallback=fallback).draft
    except InvalidImport:
        assert not any(c.isprintable() and not c.isspace() for c in fallback)
        return
    assert 0 < len(draft.about.name) <= 200
    assert draft.about.name.isprintable()
