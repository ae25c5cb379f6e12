"""Assets as every door shows them."""

import shutil
from pathlib import Path

import pytest
from pydantic import JsonValue

from whet.app.library import tags
from whet.app.library.cases import add_cases
from whet.app.library.library import Library
from whet.app.library.requests import SearchRequest
from whet.app.library.views import detail, hits, page, versions
from whet.core.asset_query import AssetQuery
from whet.core.errors import NotFound
from whet.curate.draft import About, BaselineDraft, SkillDraft

ABOUT = About("Writer", "code", "me", "Writes.")
PACKAGE = {"SKILL.md": b"Write well.\n", "run.sh": b"#!/bin/sh\n"}


def test_a_text_in_all_its_parts(skills: Library) -> None:
    made = skills.create(SkillDraft(ABOUT, content="Write well."))
    tags.add(skills, made.id, ["mine"])
    found = detail(skills, "Writer")
    assert (found.content, found.files, found.cases, found.rubric) == (
        "Write well.",
        None,
        None,
        None,
    )
    assert (found.version, found.path, found.problems) == ("v1", made.path, ())
    assert found.labels.tags == found.asset.tags == ("mine",)
    assert (found.asset.case_count, found.asset.is_package) == (None, False)
    assert (found.meta["id"], found.provenance) == (made.id, None)
    assert found.asset.model_dump(by_alias=True)["testSummary"] is None


def test_a_package_with_its_files(skills: Library) -> None:
    skills.create(SkillDraft(ABOUT, package=PACKAGE, executables=frozenset({"run.sh"})))
    found = detail(skills, "Writer")
    assert found.content == "Write well.\n"
    assert [(one.path, one.size, one.is_executable) for one in found.files or ()] == [
        ("SKILL.md", 12, False),
        ("run.sh", 10, True),
    ]
    assert found.asset.is_package


def test_a_baseline_with_its_cases(baselines: Library) -> None:
    baselines.create(BaselineDraft(About("Tests", "code", "me"), rubric="code"))
    case: JsonValue = {"input": "1 + 1", "mine": [1]}
    add_cases(baselines, "Tests", [case])
    found = detail(baselines, "Tests")
    assert [(one["id"], one["mine"]) for one in found.cases or ()] == [("case_001", [1])]
    assert (found.rubric, found.content, found.asset.case_count) == ("code", None, 1)
    assert detail(baselines, "Tests", "v1").cases == ()


def test_an_older_version_beside_the_newest(skills: Library) -> None:
    skills.create(SkillDraft(ABOUT, content="Old."))
    skills.edit("Writer", {"content": "New.", "author": "Ann"})
    old = detail(skills, "Writer", "v1")
    assert (old.version, old.content, old.meta["author"]) == ("v1", "Old.", "")
    assert (old.asset.version, old.asset.author) == ("v2", "Ann")
    with pytest.raises(NotFound, match="it has v1, v2"):
        detail(skills, "Writer", "v3")


def test_versions_say_what_changed_and_who_was_at_them(skills: Library) -> None:
    first = skills.create(SkillDraft(ABOUT, content="Old."))
    skills.edit("Writer", {"content": "New.", "author": "Ann"})
    skills.edit("Writer", {"purpose": "prose"})
    (Path(first.path) / "content.txt").write_text("By hand.")
    (broken,) = (skills.version("Writer").folder / "history").glob("*.json")
    broken.write_text("{")
    skills.index.refresh()
    found = versions(skills, "Writer")
    listed, problems = found.versions, found.problems
    assert [(one.version, one.changed_fields, one.edited_outside) for one in listed] == [
        ("v3", (), False),
        ("v2", ("content", "meta.author"), False),
        ("v1", (), True),
    ]
    assert all(Path(one.path).is_dir() for one in listed)
    assert [str(broken) in problem for problem in problems] == [True]
    assert detail(skills, "Writer").problems == problems


def test_what_cannot_be_read_hides_nothing_else(skills: Library) -> None:
    made = skills.create(SkillDraft(ABOUT, content="Old."))
    (Path(made.path) / "provenance.json").write_text('{"mode": 3}')
    found = detail(skills, "Writer")
    assert (found.content, found.provenance) == ("Old.", None)
    assert "provenance.json" in found.problems[0]
    (Path(made.path) / "provenance.json").unlink()
    (Path(made.path) / "provenance.json").symlink_to("/etc/hostname")
    assert detail(skills, "Writer").problems == ()


def test_bytes_that_are_no_text_are_shown_all_the_same(skills: Library) -> None:
    made = skills.create(SkillDraft(ABOUT, content="Old."))
    (Path(made.path) / "content.txt").write_bytes(b"a\xffb")
    skills.index.refresh()
    found = detail(skills, "Writer")
    assert (found.content, found.asset.edited_outside) == ("a\ufffdb", True)


def test_pages_and_hits_have_the_same_items(skills: Library) -> None:
    for name in ("One", "Two", "Three"):
        skills.create(SkillDraft(About(name, "code", "me"), content=f"Write {name}."))
    found = page(skills, AssetQuery(sort="name", order="asc", page=2, page_size=2))
    assert ([item.name for item in found.items], found.total) == (["Two"], 3)
    looked_for = hits(skills, SearchRequest(q="write two"))
    assert [hit.asset for hit in looked_for.items] == list(found.items)
    assert looked_for.items[0].matched_in == ("name", "content")
    assert hits(skills, SearchRequest(q="nothing of that")).total == 0


def test_a_version_that_another_program_wrote_is_shown_as_a_whole(skills: Library) -> None:
    made = Path(skills.create(SkillDraft(ABOUT, content="One.")).path)
    second = made.with_name(made.name.replace("_v1", "_v2"))
    shutil.copytree(made, second)
    text = (second / "meta.json").read_text()
    (second / "meta.json").write_text(text.replace('"v1"', '"v2"').replace("Writer", "Other"))
    found = detail(skills, made.name.split("_")[1])
    assert (found.version, found.asset.version, found.asset.name) == ("v2", "v2", "Other")
    assert [one.version for one in found.versions] == ["v2", "v1"]
