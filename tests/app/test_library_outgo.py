"""Every form of an asset can be taken in again."""

import json
import stat
from pathlib import Path

import pytest
from pydantic import JsonValue

from whet.app.library.intake import Intake
from whet.app.library.library import Library, library
from whet.app.library.outgo import MEDIA_TYPES, folder, parcel
from whet.app.library.views import detail
from whet.core.errors import Conflict, NotFound, UsageError
from whet.curate.draft import About, SkillDraft
from whet.curate.intake.given import Given

ABOUT = About("Writer 写手", "code", "me", "Writes.", "Ann", "here")
SAID = Given("Writer 写手", "code", "me", "Writes.", "Ann", "here")
TEXT = "---\nname: writer\ndescription: Writes.\n---\nWrite well. 好\n"
FILES = {"SKILL.md": TEXT.encode(), "scripts/run.sh": b"#!/bin/sh\n", "a.bin": bytes(range(256))}
CASES: list[JsonValue] = [
    {"id": "1", "input": "=1 + 1", "expected_output": "2", "weight": 2},
    {"id": "2", "input": "说\n好", "expected_output": "", "checks": [{"type": "no_errors"}]},
]


@pytest.fixture
def package(skills: Library) -> Library:
    executables = frozenset({"scripts/run.sh"})
    skills.create(SkillDraft(ABOUT, "agent", package=FILES, executables=executables))
    return skills


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_text_comes_back(skills: Library, tmp_path: Path, form: str) -> None:
    skills.create(SkillDraft(ABOUT, content=TEXT))
    sent = parcel(skills, "Writer 写手", form)
    assert sent.media_type == MEDIA_TYPES[form]
    lost = ("left out: name, purpose, provider, author",)
    assert sent.notes == (() if form == "json" else lost)
    same = Intake(skills, SAID).upload(sent.filename, sent.data).assets[0]
    assert same.outcome == "unchanged"
    with library(tmp_path / "other", "skill") as other:
        given = Given() if form == "json" else SAID
        Intake(other, given).upload(sent.filename, sent.data)
        here, there = detail(skills, "Writer 写手"), detail(other, "Writer 写手")
        ours = ("id", "created_at", "updated_at")
        for meta in (here.meta, there.meta):
            for name in ours:
                del meta[name]
        assert (here.meta, here.content) == (there.meta, there.content)


def test_a_package_comes_back_by_zip_and_by_folder(package: Library, tmp_path: Path) -> None:
    given = Given(name="Writer 写手", type="agent")
    sent = parcel(package, "Writer 写手", "zip")
    assert sent.filename == "writer-写手.zip"
    assert Intake(package, given).upload(sent.filename, sent.data).assets[0].outcome == "unchanged"
    made = folder(package, "Writer 写手", tmp_path / "out")
    assert {path: (made / path).read_bytes() for path in FILES} == FILES
    assert made.joinpath("scripts/run.sh").stat().st_mode & stat.S_IXUSR
    assert Intake(package, given).path(made).assets[0].outcome == "unchanged"
    with pytest.raises(Conflict):
        folder(package, "Writer 写手", tmp_path / "out")


def test_what_a_form_cannot_hold_is_said(package: Library) -> None:
    files = "left out: 2 other files of the package"
    metadata = "left out: name, purpose, provider, author, type"
    assert parcel(package, "Writer 写手", "json").notes == (files,)
    assert parcel(package, "Writer 写手", "text").notes == (files, metadata)
    assert parcel(package, "Writer 写手", "zip").notes == (metadata,)


@pytest.mark.parametrize("form", ["json", "csv", "evals"])
def test_a_baseline_comes_back(baselines: Library, form: str) -> None:
    intake = Intake(baselines, Given(name="Sums"))
    intake.by_hand(CASES)
    sent = parcel(baselines, "Sums", form)
    assert sent.notes == (() if form == "json" else ("left out: name",))
    assert sent.filename.startswith("sums.")
    assert intake.upload(sent.filename, sent.data).assets[0].outcome == "unchanged"


def test_a_named_rubric_is_named_where_it_is_lost(baselines: Library) -> None:
    Intake(baselines, Given(name="Sums")).by_hand(CASES)
    baselines.edit("Sums", {"rubric": "code"})
    assert json.loads(parcel(baselines, "Sums", "json").data)["rubric"] == "code"
    assert "rubric" in parcel(baselines, "Sums", "csv").notes[1]
    assert parcel(baselines, "Sums", "evals").notes[1:] == (
        "an eval cannot name a rubric, so 'code' is left out",
    )


def test_an_older_version_goes_out_as_it_was(skills: Library, tmp_path: Path) -> None:
    skills.create(SkillDraft(ABOUT, content=TEXT))
    skills.edit("Writer 写手", {"content": "New."})
    assert parcel(skills, "Writer 写手", "text").data == b"New."
    assert parcel(skills, "Writer 写手", "text", "v1").data == TEXT.encode()
    made = folder(skills, "Writer 写手", tmp_path / "out", "v1")
    assert made.joinpath("SKILL.md").read_text() == TEXT
    with pytest.raises(NotFound, match="'v9'"):
        parcel(skills, "Writer 写手", "text", "v9")


def test_a_form_that_there_is_not(skills: Library, baselines: Library, tmp_path: Path) -> None:
    skills.create(SkillDraft(ABOUT, content=TEXT))
    Intake(baselines, Given(name="Sums")).by_hand(CASES)
    for form in ("csv", "", "../x"):
        with pytest.raises(UsageError, match="text, json, zip"):
            parcel(skills, "Writer 写手", form)
    with pytest.raises(UsageError, match="json, csv, evals"):
        parcel(baselines, "Sums", "zip")
    with pytest.raises(UsageError, match="is no skill"):
        folder(baselines, "Sums", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_name_of_a_file_is_no_path(skills: Library) -> None:
    skills.create(SkillDraft(About("../../etc/passwd", "code", "me"), content=TEXT))
    assert parcel(skills, "../../etc/passwd", "text").filename == "etc-passwd.md"
    made = skills.create(SkillDraft(About("???", "code", "me"), content=TEXT))
    assert parcel(skills, made.id, "text").filename == f"{made.id}.md"
