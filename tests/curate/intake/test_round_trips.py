"""What goes out comes in again as it was."""

import csv
import io
import json
import os
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from tests.curate.intake.test_baselines import EVALS
from whet.core.errors import Conflict, InvalidImport
from whet.core.naming import slug
from whet.curate import outgo
from whet.curate.archive import path_problems
from whet.curate.draft import About, BaselineDraft, SkillDraft
from whet.curate.intake.baseline_files import baseline_from_csv, baseline_from_json
from whet.curate.intake.given import Given, decoded
from whet.curate.intake.skill_folder import skill_from_folder
from whet.curate.intake.skill_text import skill_from_json, skill_from_text
from whet.curate.intake.skill_zip import skills_from_zip
from whet.curate.library import skills
from whet.curate.versions import create
from whet.documents.cases import BaselineCase, BaselineCases

NOW = datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)
LATER = datetime(2025, 1, 1, tzinfo=UTC)

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
words = texts.filter(lambda text: text.strip("\ufeff \n\r\t\x1c\x1d\x1e\x1f\x85\xa0"))
filled = words.filter(lambda text: text.strip("\ufeff").strip() != "")
printable = st.text("aB =9'é读-", min_size=1).filter(lambda t: t == " ".join(t.split()) and t)
abouts = st.builds(
    About, printable, st.just("code"), st.just("me"), printable, printable, printable
)
parts = st.text("abc._9", min_size=1, max_size=5).map(lambda part: f"f{part}z")
paths = st.lists(parts, min_size=1, max_size=3).map("/".join)


def said(about: About, kind: str = "skill") -> Given:
    return Given(
        about.name,
        about.purpose,
        about.provider,
        about.description,
        about.author,
        about.source,
        "agent" if kind == "agent" else "skill",
    )


@st.composite
def packages(draw: st.DrawFn) -> SkillDraft:
    files = draw(st.dictionaries(paths, st.binary(max_size=30), max_size=4))
    content = draw(texts)
    package = {**files, "SKILL.md": content.encode()}
    assume(not list(path_problems(list(package))))
    executables = frozenset(draw(st.sets(st.sampled_from(sorted(package)))))
    return SkillDraft(draw(abouts), "agent", content, package, executables)


numbers = st.integers(0, 99) | st.floats(0, 99, allow_nan=False)


@st.composite
def extras(draw: st.DrawFn) -> dict[str, JsonValue]:
    dimension: JsonValue = {"name": draw(texts), "weight": draw(numbers)}
    every: dict[str, JsonValue] = {
        "weight": draw(numbers),
        "timeout_seconds": draw(numbers),
        "checks": [{"type": "contains", "expected": draw(texts)}],
        "files": [draw(texts)],
        "rubric": {"dimensions": [dimension]},
    }
    chosen = draw(st.sets(st.sampled_from(sorted(every))))
    return {key: every[key] for key in sorted(chosen)}


@st.composite
def cases(draw: st.DrawFn) -> tuple[BaselineCase, ...]:
    known = st.sampled_from(["1", "02", "case_001", "x-y", "中"])
    ids = draw(st.lists(known, unique=True, min_size=1))  # one without cases is refused
    return tuple(
        BaselineCase.parse(
            {
                "id": identity,
                "name": draw(words),
                "category": draw(st.sampled_from(["standard", "boundary", "exception"])),
                "input": draw(filled),
                "expected_output": draw(texts),
                "description": draw(texts),
                "created_at": "2024-01-01T00:00:00Z",
                "updated_at": "2024-01-02T00:00:00Z",
                **draw(extras()),
            },
            "x",
        )
        for identity in ids
    )


@settings(max_examples=50, deadline=None)
@given(packages())
def test_a_package_by_zip(draft: SkillDraft) -> None:
    packed = outgo.skill_zip(draft)
    (found,) = skills_from_zip(packed.data, "x.zip", said(draft.about, "agent"))
    assert found.draft == draft
    assert outgo.skill_zip(found.draft).data == packed.data


@settings(max_examples=30, deadline=None)
@given(packages())
def test_a_package_by_folder(draft: SkillDraft) -> None:
    with TemporaryDirectory() as temporary:
        folder = outgo.skill_folder(draft, Path(temporary) / "deep/down")
        assert skill_from_folder(folder, said(draft.about, "agent")).draft == draft
        assert [path.name for path in folder.parent.iterdir()] == ["down"]


@settings(max_examples=50, deadline=None)
@given(abouts, filled)
def test_a_text_by_text_and_by_json(about: About, text: str) -> None:
    draft = SkillDraft(about, "agent", text.lstrip("\ufeff"))
    again = decoded(outgo.skill_text(draft).data, "x")
    assert skill_from_text(again, said(about, "agent")).draft == draft
    assert skill_from_json(json.loads(outgo.skill_json(draft).data), Given()).draft == draft


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(abouts, cases(), st.none() | st.just("code"))
def test_a_baseline_by_json(
    about: About, given_cases: tuple[BaselineCase, ...], rubric: str | None
) -> None:
    draft = BaselineDraft(about, given_cases, rubric)
    data = json.loads(outgo.baseline_json(draft, "b1", "v2").data)
    assert baseline_from_json(data, Given(), LATER).draft == draft
    cases = BaselineCases.parse(data, "x")
    assert (cases.baseline_id, cases.version, cases.cases) == ("b1", "v2", given_cases)


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(abouts, cases())
def test_a_baseline_by_table(about: About, given_cases: tuple[BaselineCase, ...]) -> None:
    draft = BaselineDraft(about, given_cases)
    exported = outgo.baseline_csv(draft)
    assert all(note.startswith("left out: ") for note in exported.notes)
    text = decoded(exported.data, "x")
    assert baseline_from_csv(text, said(about), LATER).draft == draft


@settings(max_examples=50, deadline=None)
@given(abouts, cases())
def test_a_baseline_by_evals(about: About, given_cases: tuple[BaselineCase, ...]) -> None:
    draft = BaselineDraft(about, given_cases)
    exported = outgo.baseline_evals(draft)
    assert all(note.startswith("left out: ") for note in exported.notes)
    assert baseline_from_json(json.loads(exported.data), said(about), LATER).draft == draft


def test_evals_by_a_baseline() -> None:
    draft = baseline_from_json(EVALS, Given(name="pdf"), NOW).draft
    (first, second) = json.loads(outgo.baseline_evals(draft).data)["evals"]
    assert isinstance(EVALS, dict)
    raws = EVALS["evals"]
    assert isinstance(raws, list)
    assert isinstance(raws[0], dict)
    assert {key: first[key] for key in raws[0]} == raws[0]
    assert (second["id"], second["prompt"], second["expected_output"]) == ("b", "Write it.", "")
    assert second["expectations"] == ["It is there."]


@settings(max_examples=50, deadline=None)
@given(st.text("=+-@\t\r'\"a,\n", max_size=8).filter(str.strip))
def test_no_cell_is_a_formula(text: str) -> None:
    case = BaselineCase.parse(
        {
            "id": "c",
            "name": "n",
            "category": "standard",
            "input": text,
            "expected_output": text,
            "created_at": "1",
            "updated_at": "1",
        },
        "x",
    )
    draft = BaselineDraft(About("n", "p", "q"), (case,))
    exported = decoded(outgo.baseline_csv(draft).data, "x")
    rows = list(csv.reader(io.StringIO(exported, newline="")))
    assert not any(cell[:1] in tuple("=+-@\t\r") for row in rows for cell in row if cell)
    assert baseline_from_csv(exported, Given(name="n"), NOW).draft.cases == (case,)


def test_what_a_table_cannot_hold_is_named() -> None:
    rows: JsonValue = [{"input": "x", "expected_output": "y", "colour": "red"}]
    draft = baseline_from_json({"cases": rows, "rubric": "code"}, Given(name="n"), NOW).draft
    notes = outgo.baseline_csv(draft).notes
    assert len(notes) == 2
    assert "'colour'" in notes[1]
    assert outgo.baseline_evals(draft).notes == (
        "left out: name",
        "an eval cannot name a rubric, so 'code' is left out",
    )


@settings(max_examples=50, deadline=None)
@given(abouts, st.sampled_from(["skill", "agent"]), filled)
def test_metadata_come_back_or_are_said_to_be_left_out(
    about: About, kind: Literal["skill", "agent"], text: str
) -> None:
    draft = SkillDraft(about, kind, text.lstrip("\ufeff"))
    name = slug(about.name, "skill", "-")
    packed = outgo.skill_zip(draft)
    (unpacked,) = skills_from_zip(packed.data, "x.zip", Given())
    plain = outgo.skill_text(draft)
    read = skill_from_text(decoded(plain.data, "x"), Given(), fallback=name)
    for exported, found in ((packed, unpacked.draft), (plain, read.draft)):
        told = {**vars(found.about), "type": found.type}
        given = {**vars(about), "type": kind}
        lost = [key for key in told if key != "source" and told[key] != given[key]]
        assert sorted(lost) == sorted(_left_out(exported.notes))


def test_evals_are_called_the_same_however_often_they_go_out_and_in() -> None:
    draft = baseline_from_json(EVALS, Given(), NOW).draft
    exported = outgo.baseline_evals(draft)
    assert exported.notes == ()
    again = baseline_from_json(json.loads(exported.data), Given(), NOW).draft
    assert again.about.name == draft.about.name == "pdf evals"


def _left_out(notes: tuple[str, ...]) -> list[str]:
    return [name for note in notes for name in note.removeprefix("left out: ").split(", ")]


def test_a_text_becomes_a_folder_that_agents_can_read(tmp_path: Path) -> None:
    draft = SkillDraft(About("My Skill!", "p", "q", 'Says "hi".'), content="Do it.\n")
    folder = outgo.skill_folder(draft, tmp_path / "x")
    found = skill_from_folder(folder, Given()).draft
    assert (found.about.name, found.about.description) == ("my-skill", 'Says "hi".')
    assert found.content.endswith("---\n\nDo it.\n")
    plain = SkillDraft(draft.about, content="---\nname: own\n---\nx")
    assert outgo.skill_folder(plain, tmp_path / "y").joinpath("SKILL.md").read_text() == (
        plain.content
    )


def test_nothing_is_written_over(tmp_path: Path) -> None:
    draft = SkillDraft(About("n", "p", "q"), content="x")
    (tmp_path / "x").symlink_to(tmp_path / "nowhere")
    with pytest.raises(Conflict):
        outgo.skill_folder(draft, tmp_path / "x")


@pytest.mark.parametrize("path", ["../out", "/abs", "a/../../b", "con", "a\\b"])
def test_no_package_leads_out(tmp_path: Path, path: str) -> None:
    draft = SkillDraft(About("n", "p", "q"), content="x", package={"SKILL.md": b"x", path: b""})
    with pytest.raises(InvalidImport):
        outgo.skill_folder(draft, tmp_path / "in/x")
    with pytest.raises(InvalidImport):
        outgo.skill_zip(draft)
    assert list(tmp_path.iterdir()) == []


def test_zips_do_not_depend_on_the_machine(tmp_path: Path) -> None:
    draft = SkillDraft(
        About("n", "p", "q"),
        content="x",
        package={"b.sh": b"1", "SKILL.md": b"x"},
        executables=frozenset({"b.sh"}),
    )
    first = outgo.skill_zip(draft).data
    before = os.umask(0o077)
    try:
        folder = outgo.skill_folder(draft, tmp_path / "x")
    finally:
        os.umask(before)
    again = skill_from_folder(folder, said(draft.about)).draft
    assert outgo.skill_zip(again).data == first


@pytest.mark.parametrize("name", ["con", "…", "读 文件"])
def test_any_name_gives_a_folder(name: str) -> None:
    draft = SkillDraft(About(name, "p", "q"), content="x")
    (found,) = skills_from_zip(outgo.skill_zip(draft).data, "x.zip", Given())
    assert found.draft.package


def test_a_version_in_the_library_goes_out_as_it_came_in(tmp_path: Path) -> None:
    package = {"SKILL.md": b"---\nname: a\n---\n", "evals/evals.json": b"{}", "run.sh": b"#!"}
    content = package["SKILL.md"].decode()
    executables = frozenset({"run.sh"})
    about = About("a", "p", "q", "d", "e", "f")
    draft = SkillDraft(about, "agent", content, package, executables)
    asset = create(tmp_path, draft, NOW)
    assert outgo.skill_draft(asset) == draft
    assert skills(tmp_path).problems == ()
    cases_draft = baseline_from_json(
        {"rubric": "code", "cases": [{"id": "a", "input": "x", "expected_output": "y"}]},
        said(about),
        NOW,
    ).draft
    assert outgo.baseline_draft(create(tmp_path, cases_draft, NOW)) == cases_draft
