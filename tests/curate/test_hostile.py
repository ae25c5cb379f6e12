"""What somebody hands in to get out of the workspace, or to be somebody else: one clear line, and
everything stays as it was."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.curate.assets import ABOUT, LATER, NOW, baseline, case, package_skill, text_skill
from tests.curate.intake.zips import zipped
from tests.curate.test_segments import HOSTILE
from whet.core.errors import InvalidImport, UsageError, WhetError
from whet.curate import outgo
from whet.curate.change import BaselineChange, SkillChange
from whet.curate.draft import About, BaselineDraft, SkillDraft
from whet.curate.intake.baseline_files import baseline_from_csv, baseline_from_json
from whet.curate.intake.found import skills_from
from whet.curate.intake.given import Given
from whet.curate.intake.skill_text import skill_from_json, skill_from_text
from whet.curate.intake.skill_zip import skills_from_zip
from whet.curate.library import Asset, skills
from whet.curate.snapshot import AnyAsset
from whet.curate.versions import adopt, create, edit, rollback, versions
from whet.documents.assets import SkillMeta

OURS: dict[str, JsonValue] = {
    "id": "mine",
    "version": "v9",
    "version_count": 9,
    "status": "archived",
    "created_at": "1999",
    "updated_at": "1999",
    "content_file": "/etc/passwd",
}
"""What only the library says."""


def image(root: Path) -> dict[str, bytes | None]:
    """Everything below a folder, empty folders and links included."""
    return {
        str(path.relative_to(root)): path.read_bytes() if path.is_file() else None
        for path in sorted(root.rglob("*"))
    }


def refused(root: Path, attempt: Callable[[], object]) -> str:
    """The one line with which it is refused; nothing below *root* has changed."""
    before = image(root)
    with pytest.raises(UsageError) as caught:
        attempt()
    said = str(caught.value)
    assert len(said.splitlines()) == 1
    assert len(said) < 500
    assert image(root) == before
    return said


@pytest.mark.slow
@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("field", ["purpose", "provider"])
def test_no_edit_leads_outside(tmp_path: Path, field: str, text: str) -> None:
    skill, tests = text_skill(tmp_path / "w"), baseline(tmp_path / "w")
    change = replace(SkillChange(content="x"), **{field: text})
    said = refused(tmp_path, lambda: edit(tmp_path / "w", skill.meta.id, "v1", change, LATER))
    assert said.startswith(field)
    other = replace(BaselineChange(), **{field: text})
    refused(tmp_path, lambda: edit(tmp_path / "w", tests.meta.id, "v1", other, LATER))


@pytest.mark.parametrize("text", [text for text in HOSTILE if text.isprintable() and text])
def test_what_somebody_wrote_into_the_files_leads_nowhere(tmp_path: Path, text: str) -> None:
    first = text_skill(tmp_path / "w")
    edit(tmp_path / "w", first.meta.id, "v1", SkillChange(content="x"), LATER)
    for asset in versions(tmp_path / "w", first.meta.id).versions:
        path = asset.folder / "meta.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), "purpose": text}))
    for attempt in (
        lambda: edit(tmp_path / "w", first.meta.id, "v2", SkillChange(name="x"), LATER),
        lambda: rollback(tmp_path / "w", first.meta.id, "v1", "v2", LATER),
    ):
        assert "purpose" in refused(tmp_path, attempt)
    path = tmp_path / "w" / "skills/code/me" / f"skill_{first.meta.id[:8]}_v2/content.txt"
    path.write_text("by hand")
    assert "purpose" in refused(tmp_path, lambda: adopt(tmp_path / "w", first.meta.id, "v2", LATER))


@pytest.mark.parametrize("text", [text for text in HOSTILE if text])
def test_no_case_leads_outside(tmp_path: Path, text: str) -> None:
    first = baseline(tmp_path / "w", case("fine"))
    cases = (case("fine"), case(text))
    draft = BaselineDraft(ABOUT, cases)
    refused(tmp_path, lambda: create(tmp_path / "w", draft, NOW))
    change = BaselineChange(cases=cases)
    refused(tmp_path, lambda: edit(tmp_path / "w", first.meta.id, "v1", change, LATER))


@pytest.mark.parametrize(
    ("one", "other"), [("a.md", "A.md"), ("é", "e\u0301"), ("A/x", "a"), ("SKILL.md", "skill.md")]
)
def test_two_files_at_one_place_are_refused(tmp_path: Path, one: str, other: str) -> None:
    """On some systems the second would be written over the first."""
    first = package_skill(tmp_path / "w")
    files = {"SKILL.md": b"x", one: b"1", other: b"2"}
    refused(tmp_path, lambda: create(tmp_path / "w", SkillDraft(ABOUT, package=files), NOW))
    change = SkillChange(package=files)
    refused(tmp_path, lambda: edit(tmp_path / "w", first.meta.id, "v1", change, LATER))


def test_case_ids_that_differ_in_case_only_are_refused_unless_they_are_there(
    tmp_path: Path,
) -> None:
    twins = (case("One"), case("one"))
    said = refused(tmp_path, lambda: create(tmp_path / "w", BaselineDraft(ABOUT, twins), NOW))
    assert said == "case ids 'One' and 'one' differ in case only"
    first = baseline(tmp_path / "w", case("One"))
    path = first.folder / "cases.json"
    document = json.loads(path.read_text())
    document["cases"].append({**document["cases"][0], "id": "one"})
    path.write_text(json.dumps(document))
    change = BaselineChange(cases=(*twins, case("three")))
    assert edit(tmp_path / "w", first.meta.id, "v1", change, LATER).meta.case_count == 3
    more = BaselineChange(cases=(*twins, case("ONE")))
    refused(tmp_path, lambda: edit(tmp_path / "w", first.meta.id, "v2", more, LATER))


@pytest.mark.parametrize(
    ("purpose", "provider", "what"),
    [("Code", "me", "purpose"), ("CODE", "you", "purpose"), ("code", "Me", "provider")],
)
def test_a_purpose_is_written_in_one_way(
    tmp_path: Path, purpose: str, provider: str, what: str
) -> None:
    """On some systems both would be one folder."""
    first, tests = text_skill(tmp_path), baseline(tmp_path)
    draft = SkillDraft(About("N", purpose, provider), content="x")
    said = refused(tmp_path, lambda: create(tmp_path, draft, NOW))
    assert said.startswith(what)
    assert "here; use that" in said
    change = SkillChange(purpose=purpose, provider=provider)
    refused(tmp_path, lambda: edit(tmp_path, first.meta.id, "v1", change, LATER))
    aside = BaselineChange(purpose="Code")  # baselines have purposes of their own
    assert edit(tmp_path, tests.meta.id, "v1", aside, LATER).meta.purpose == "Code"


def test_a_purpose_that_is_there_in_two_ways_stays(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    second = edit(tmp_path, first.meta.id, "v1", SkillChange(purpose="docs"), LATER)
    meta = second.folder / "meta.json"
    meta.write_text(meta.read_text().replace('"docs"', '"Code"'))
    (tmp_path / "skills/docs").rename(tmp_path / "skills/Code")
    third = edit(tmp_path, first.meta.id, "v2", SkillChange(name="x"), LATER)
    assert third.folder.parent == tmp_path / "skills/Code/me"
    fourth = rollback(tmp_path, first.meta.id, "v1", "v3", LATER)
    assert fourth.folder.parent == first.folder.parent


@pytest.mark.parametrize("expected", ["", "1", "v1\nv2", "v" * 10_000, "v1/../..", "v٣", "\0"])
def test_what_is_no_version_is_no_conflict(tmp_path: Path, expected: str) -> None:
    first = text_skill(tmp_path)
    change = SkillChange(name="x")
    for attempt in (
        lambda: edit(tmp_path, first.meta.id, expected, change, LATER),
        lambda: rollback(tmp_path, first.meta.id, "v1", expected, LATER),
        lambda: adopt(tmp_path, first.meta.id, expected, LATER),
    ):
        assert "is no version" in refused(tmp_path, attempt)
    refused(tmp_path, lambda: rollback(tmp_path, first.meta.id, expected, "v1", LATER))


def from_json() -> SkillDraft:
    return skill_from_json({"name": "N", "content": "x", **OURS}, Given()).draft


def from_front_matter() -> SkillDraft:
    front = "".join(f"{name}: {value}\n" for name, value in OURS.items())
    return skill_from_text(f"---\nname: N\n{front}---\nx", Given()).draft


def from_zip() -> SkillDraft:
    meta = json.dumps(OURS).encode()
    data = zipped(("a/SKILL.md", b"x"), ("a/meta.json", meta), ("a/history/x.json", b"{}"))
    return skills_from_zip(data, "a.zip", Given())[0].draft


def from_version() -> SkillDraft:
    meta = json.dumps(OURS).encode()
    data = zipped(("s/meta.json", meta), ("s/content.txt", b"y"), ("s/package/SKILL.md", b"x"))
    return skills_from_zip(data, "a.zip", Given(name="N"))[0].draft


def from_cases() -> BaselineDraft:
    data: JsonValue = {
        **OURS,
        "baseline_id": "mine",
        "name": "N",
        "cases": [{"input": "x", **OURS}],
    }
    return baseline_from_json(data, Given(), NOW).draft


def from_table() -> BaselineDraft:
    table = f"input,{','.join(OURS)}\nx,{','.join(map(str, OURS.values()))}\n"
    return baseline_from_csv(table, Given(name="N"), NOW).draft


@pytest.mark.parametrize(
    "read", [from_json, from_front_matter, from_zip, from_version, from_cases, from_table]
)
def test_nobody_sets_what_is_the_librarys(
    tmp_path: Path, read: Callable[[], SkillDraft | BaselineDraft]
) -> None:
    draft = read()
    if isinstance(draft, SkillDraft):
        made: AnyAsset = create(tmp_path, draft, NOW)
    else:
        made = create(tmp_path, draft, NOW)
    written = json.loads((made.folder / "meta.json").read_text())
    assert written.pop("id") == made.meta.id != "mine"
    assert (written["version"], written["version_count"]) == ("v1", 1)
    assert written["status"] == "active"
    assert written["created_at"] == written["updated_at"] == "2024-01-01T12:00:00Z"
    assert "mine" not in written.values()
    assert written.get("content_file", "content.txt") == "content.txt"
    assert made.folder.name.endswith(f"{made.meta.id[:8]}_v1")
    assert not list((made.folder / "history").iterdir())


NAMES = ["../../x.zip", "a\nb.zip", "\u202egpj.zip", "x" * 10_000, "\0", "", "\ud800", "CON", ".."]


@pytest.mark.parametrize("name", NAMES)
def test_the_name_of_an_upload_is_a_name_and_no_path(tmp_path: Path, name: str) -> None:
    (found,) = skills_from_zip(zipped(("SKILL.md", b"x")), name, Given())
    made = create(tmp_path / "w", found.draft, NOW)
    assert made.folder.parent == tmp_path / "w/skills/general/local"
    assert made.meta.name.isprintable()
    refused(tmp_path, lambda: skills_from_zip(zipped(("../x", b"")), name, Given()))
    refused(tmp_path, lambda: skills_from_zip(zipped(("x", b"")), name, Given()))


def test_a_file_whose_name_is_no_text_can_be_imported(tmp_path: Path) -> None:
    path = tmp_path / "a\udcff.md"
    path.write_text("x")
    (found,) = skills_from(path, Given()).skills
    assert create(tmp_path / "w", found.draft, NOW).meta.source == "a .md"


@pytest.mark.parametrize("purpose", ["../up", "a/b", "CON", "x" * 200])
def test_an_import_that_leads_outside_writes_nothing(tmp_path: Path, purpose: str) -> None:
    file: JsonValue = {"name": "N", "content": "x", "purpose": purpose}
    said = skill_from_json(file, Given()).draft
    refused(tmp_path, lambda: create(tmp_path / "w", said, NOW))
    given = skill_from_text("x", Given(name="N", purpose=purpose)).draft
    refused(tmp_path, lambda: create(tmp_path / "w", given, NOW))
    cases: JsonValue = {"name": "N", "cases": [{"input": "x"}], "provider": purpose}
    other = baseline_from_json(cases, Given(), NOW).draft
    refused(tmp_path, lambda: create(tmp_path / "w", other, NOW))


@pytest.mark.parametrize(
    "name", ["file", "folder", "link", "new/a\0b", "new/\ud800", "x" * 300, "file/inside"]
)
def test_a_skill_is_put_only_where_nothing_is(tmp_path: Path, name: str) -> None:
    draft = outgo.skill_draft(text_skill(tmp_path / "w"))
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    before = image(tmp_path)
    with pytest.raises(WhetError, match=r"nothing there|cannot (write|be)") as caught:
        outgo.skill_folder(draft, tmp_path / name)
    assert len(str(caught.value).splitlines()) == 1
    assert image(tmp_path) == before


@pytest.mark.parametrize("name", ["../../up", "CON", "a/b", "..", "\\\\host", "nul.txt", "．．"])
def test_an_exported_folder_is_called_by_a_harmless_name(tmp_path: Path, name: str) -> None:
    made: Asset[SkillMeta] = create(tmp_path, SkillDraft(About(name, "code", "me")), NOW)
    draft = outgo.skill_draft(made)
    top = outgo.folder_name(draft)
    assert (tmp_path / top).parent == tmp_path
    (found,) = skills_from_zip(outgo.skill_zip(draft).data, "a.zip", Given())
    assert set(found.draft.package or {}) == {"SKILL.md"}


def test_a_package_that_elsewhere_is_none_is_not_exported(tmp_path: Path) -> None:
    first = package_skill(tmp_path)
    (first.folder / "package/DATA.bin").touch()
    draft = outgo.skill_draft(first)
    for attempt in (
        lambda: outgo.skill_zip(draft),
        lambda: outgo.skill_folder(draft, tmp_path / "out"),
    ):
        with pytest.raises(InvalidImport, match="differs in case only"):
            attempt()
    assert not (tmp_path / "out").exists()
    assert skills(tmp_path).problems == ()
