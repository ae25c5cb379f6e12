"""Versions: what an edit makes, what it leaves alone, and what it refuses."""

import json
import os
import shutil
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.curate.assets import ABOUT, LATER, NOW, baseline, case, package_skill, text_skill, tree
from tests.curate.shelves import add_baseline, add_skill, identity
from whet.core.errors import Conflict, EnvironmentProblem, NotFound, UsageError
from whet.curate import revise
from whet.curate.change import BaselineChange, SkillChange
from whet.curate.draft import BaselineDraft, SkillDraft
from whet.curate.library import cases
from whet.curate.snapshot import read
from whet.curate.versions import archive, create, edit, history, restore, rollback, versions
from whet.documents.rubrics import QualityRubric

FIRST = "2024-01-01T12:00:00Z"
SECOND = "2024-01-01T13:00:00Z"


def test_a_new_skill_is_as_the_format_says(tmp_path: Path) -> None:
    made = text_skill(tmp_path)
    assert uuid.UUID(made.meta.id).version == 4
    assert made.folder == tmp_path / f"skills/code/me/skill_{made.meta.id[:8]}_v1"
    assert json.loads((made.folder / "meta.json").read_text()) == {
        "id": made.meta.id,
        "name": "Writer",
        "description": "Writes.",
        "author": "Zhang",
        "source": "here",
        "purpose": "code",
        "provider": "me",
        "type": "skill",
        "version": "v1",
        "version_count": 1,
        "content_file": "content.txt",
        "status": "active",
        "created_at": FIRST,
        "updated_at": FIRST,
    }
    assert json.loads((made.folder / "tags.json").read_text()) == {"manual": [], "auto": []}
    assert sorted(path.name for path in made.folder.iterdir()) == [
        "auto_tag_log",
        "content.txt",
        "history",
        "meta.json",
        "tags.json",
    ]
    assert (made.folder / "content.txt").read_bytes() == b"Be careful.\n"


def test_a_new_baseline_is_as_the_format_says(tmp_path: Path) -> None:
    made = baseline(tmp_path)
    assert json.loads((made.folder / "meta.json").read_text()) == {
        "id": made.meta.id,
        "name": "Tests",
        "description": "",
        "author": "",
        "source": "",
        "purpose": "code_test",
        "provider": "me",
        "version": "v1",
        "version_count": 1,
        "case_count": 2,
        "status": "active",
        "created_at": FIRST,
        "updated_at": FIRST,
    }
    document = json.loads((made.folder / "cases.json").read_text())
    assert list(document) == ["baseline_id", "version", "cases"]
    assert document["baseline_id"] == made.meta.id
    assert document["cases"][1] == {
        "id": "case_002",
        "name": "Sorting",
        "category": "standard",
        "input": "Sort a list.",
        "expected_output": "A sorted list.",
        "description": "",
        "created_at": FIRST,
        "updated_at": FIRST,
    }


def test_a_package_is_written_whole_with_its_entry_as_content(tmp_path: Path) -> None:
    made = package_skill(tmp_path)
    files = tree(made.folder / "package")
    assert list(files) == ["SKILL.md", "data.bin", "evals/evals.json", "scripts/run.sh"]
    assert (made.folder / "content.txt").read_bytes() == files["SKILL.md"]
    executable = [p.name for p in made.folder.rglob("*") if p.is_file() and os.access(p, os.X_OK)]
    assert executable == ["run.sh"]
    read_back = read(made)
    assert read_back.package == files
    assert read_back.executables == {"scripts/run.sh"}


def test_an_edit_is_the_next_version_and_leaves_the_old_one_alone(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    before = tree(first.folder)
    second = edit(tmp_path, first.meta.id, "v1", SkillChange(content="Be bold.\n"), LATER)
    assert tree(first.folder) == before
    assert second.folder == first.folder.with_name(f"skill_{first.meta.id[:8]}_v2")
    assert (second.folder / "content.txt").read_text() == "Be bold.\n"
    assert second.meta == first.meta.model_copy(
        update={"version": "v2", "version_count": 2, "updated_at": SECOND}
    )
    assert [asset.folder for asset in versions(tmp_path, first.meta.id).versions] == [
        first.folder,
        second.folder,
    ]
    path = second.folder / "history/v1_to_v2_20240101130000.json"
    assert json.loads(path.read_text()) == {
        "from_version": "v1",
        "to_version": "v2",
        "timestamp": SECOND,
        "changed_fields": ["content"],
        "diff": {"content": {"before": "Be careful.\n", "after": "Be bold.\n"}},
    }


def test_a_new_text_of_a_package_keeps_the_other_files(tmp_path: Path) -> None:
    first = package_skill(tmp_path)
    second = edit(tmp_path, first.meta.id, "v1", SkillChange(content="New.\n"), LATER)
    package = {**tree(first.folder / "package"), "SKILL.md": b"New.\n"}
    assert tree(second.folder / "package") == package
    assert (second.folder / "content.txt").read_bytes() == b"New.\n"
    assert read(second).executables == {"scripts/run.sh"}
    assert history(tmp_path, first.meta.id).records[0].changed_fields == ("content",)


def test_a_package_may_be_replaced_and_a_text_become_one(tmp_path: Path) -> None:
    text = text_skill(tmp_path)
    change = SkillChange(package={"SKILL.md": b"Be careful.\n", "a.sh": b"a", "b.sh": b"b"})
    second = edit(tmp_path, text.meta.id, "v1", change, LATER)
    change = SkillChange(executables=frozenset({"a.sh", "b.sh"}))
    edit(tmp_path, text.meta.id, second.meta.version, change, LATER)
    change = SkillChange(package={"SKILL.md": b"Be careful.\n", "b.sh": b"c"})
    fourth = edit(tmp_path, text.meta.id, "v3", change, LATER)
    assert read(fourth).executables == {"b.sh"}
    assert [record.changed_fields for record in history(tmp_path, text.meta.id).records] == [
        ("package/SKILL.md", "package/a.sh", "package/b.sh"),
        ("executables",),
        ("package/a.sh", "package/b.sh", "executables"),
    ]


def test_a_change_of_purpose_is_the_next_version_under_the_new_path(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    change = SkillChange(purpose="docs", provider="you")
    second = edit(tmp_path, first.meta.id, "v1", change, LATER)
    assert second.folder == tmp_path / f"skills/docs/you/skill_{first.meta.id[:8]}_v2"
    third = edit(tmp_path, first.meta.id, "v2", SkillChange(name="Author"), LATER)
    assert third.folder.parent == second.folder.parent
    assert [a.meta.version for a in versions(tmp_path, first.meta.id).versions] == [
        "v1",
        "v2",
        "v3",
    ]
    assert [r.changed_fields for r in history(tmp_path, first.meta.id).records] == [
        ("meta.purpose", "meta.provider"),
        ("meta.name",),
    ]


@pytest.mark.parametrize(
    "change",
    [
        SkillChange(),
        SkillChange(name="Writer", purpose="code", provider="me", description="Writes."),
        SkillChange(type="skill"),
        SkillChange(content="Be careful.\n"),
    ],
)
def test_an_edit_that_changes_nothing_makes_nothing(tmp_path: Path, change: SkillChange) -> None:
    first = text_skill(tmp_path)
    before = tree(tmp_path)
    assert edit(tmp_path, first.meta.id, "v1", change, LATER) == first
    assert tree(tmp_path) == before
    with pytest.raises(Conflict):
        edit(tmp_path, first.meta.id, "v2", change, LATER)


def test_the_same_package_or_cases_change_nothing(tmp_path: Path) -> None:
    skill, tests = package_skill(tmp_path), baseline(tmp_path)
    files = tree(skill.folder / "package")
    assert edit(tmp_path, skill.meta.id, "v1", SkillChange(package=files), LATER) == skill
    again = tuple(case(one, moment="tomorrow") for one in ("case_001", "case_002"))
    change = BaselineChange(cases=again, rubric=None)
    assert edit(tmp_path, tests.meta.id, "v1", change, LATER) == tests


def test_whoever_comes_second_gets_the_conflict(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    edit(tmp_path, first.meta.id, "v1", SkillChange(purpose="docs"), LATER)
    before = tree(tmp_path)
    for attempt in (
        lambda: edit(tmp_path, first.meta.id, "v1", SkillChange(content="x"), LATER),
        lambda: rollback(tmp_path, first.meta.id, "v1", "v1", LATER),
    ):
        with pytest.raises(Conflict, match="expected v1, found v2") as caught:
            attempt()
        assert (caught.value.expected, caught.value.actual) == ("v1", "v2")
    assert tree(tmp_path) == before


def test_tags_logs_and_provenance_are_carried_over_byte_for_byte(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    kept = {
        "tags.json": b'{"manual": [], "auto": [], "ours": 1}',
        "provenance.json": b"{}",
        "auto_tag_log/session_20240101121000.json": b"not even JSON",
    }
    for name, data in kept.items():
        (first.folder / name).write_bytes(data)
    second = edit(tmp_path, first.meta.id, "v1", SkillChange(content="x"), LATER)
    assert {name: (second.folder / name).read_bytes() for name in kept} == kept
    third = edit(tmp_path, first.meta.id, "v2", SkillChange(content="y"), LATER)
    assert sorted(path.name for path in third.folder.glob("history/*")) == [
        "v2_to_v3_20240101130000.json"
    ]


def test_what_the_library_does_not_know_survives(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    path = first.folder / "meta.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "x-rank": [1], "odd": None}))
    edit(tmp_path, first.meta.id, "v1", SkillChange(content="x"), LATER)
    second = versions(tmp_path, first.meta.id).newest
    written = json.loads((second.folder / "meta.json").read_text())
    assert (written["x-rank"], written["odd"]) == ([1], None)
    assert list(written) == list(json.loads(path.read_text()))


def test_a_rollback_restores_everything_as_a_new_version(tmp_path: Path) -> None:
    first = package_skill(tmp_path)
    change = SkillChange(
        name="Author",
        purpose="docs",
        type="agent",
        package={"SKILL.md": b"other\n", "more.txt": b"more"},
    )
    edit(tmp_path, first.meta.id, "v1", change, LATER)
    third = rollback(tmp_path, first.meta.id, "v1", "v2", LATER)
    assert third.meta == first.meta.model_copy(
        update={"version": "v3", "version_count": 3, "updated_at": SECOND}
    )
    assert third.folder.parent == first.folder.parent
    assert read(third).facts() == read(first).facts()
    assert tree(third.folder / "package") == tree(first.folder / "package")
    assert rollback(tmp_path, first.meta.id, "v1", "v3", LATER) == third
    with pytest.raises(NotFound, match=r"no version 'v9'; it has v1, v2, v3"):
        rollback(tmp_path, first.meta.id, "v9", "v3", LATER)


def test_a_rollback_restores_the_cases_of_a_baseline(tmp_path: Path) -> None:
    first = baseline(tmp_path)
    one, two = cases(first.folder).cases
    changed = one.model_copy(update={"input": "Other."})
    change = BaselineChange(cases=(changed, case()), rubric="strict", description="new")
    second = edit(tmp_path, first.meta.id, "v1", change, LATER)
    assert [one.id for one in cases(second.folder).cases] == ["case_001", "case_003"]
    third = rollback(tmp_path, first.meta.id, "v1", "v2", LATER)
    document = cases(third.folder)
    assert document.cases == (one, two)
    assert (document.rubric, document.version, third.meta.version) == (None, "v3", "v3")
    assert (third.meta.case_count, third.meta.description) == (2, "")  # type: ignore[union-attr]


def test_cases_are_counted_dated_and_told(tmp_path: Path) -> None:
    first = baseline(tmp_path)
    one, two = cases(first.folder).cases
    changed = one.model_copy(update={"input": "Other.", "created_at": "x", "updated_at": "y"})
    change = BaselineChange(cases=(changed, two, case()))
    second = edit(tmp_path, first.meta.id, "v1", change, LATER)
    assert second.meta.case_count == 3
    document = cases(second.folder)
    assert (document.version, document.baseline_id) == ("v2", first.meta.id)
    assert [(c.id, c.created_at, c.updated_at) for c in document.cases] == [
        ("case_001", FIRST, SECOND),
        ("case_002", FIRST, FIRST),
        ("case_003", SECOND, SECOND),
    ]
    record = history(tmp_path, first.meta.id).records[0]
    assert record.changed_fields == ("cases.case_001", "cases.case_003")
    assert isinstance(record.diff.cases, dict)
    assert record.diff.cases["case_001"].before == one.to_data()
    assert record.diff.cases["case_003"].before is None
    assert record.diff.cases["case_003"].after == document.cases[2].to_data()


def test_another_order_of_cases_is_a_change(tmp_path: Path) -> None:
    first = baseline(tmp_path)
    one, two = cases(first.folder).cases
    second = edit(tmp_path, first.meta.id, "v1", BaselineChange(cases=(two, one)), LATER)
    assert second.meta.version == "v2"
    assert history(tmp_path, first.meta.id).records[0].changed_fields == ("case_order",)


def test_an_id_of_a_deleted_case_never_comes_back(tmp_path: Path) -> None:
    first = baseline(tmp_path, case(), case(), case())
    one, two, _ = cases(first.folder).cases
    edit(tmp_path, first.meta.id, "v1", BaselineChange(cases=(one, two)), LATER)
    third = edit(tmp_path, first.meta.id, "v2", BaselineChange(cases=(one, two, case())), LATER)
    assert [one.id for one in cases(third.folder).cases] == ["case_001", "case_002", "case_004"]
    edit(tmp_path, first.meta.id, "v3", BaselineChange(cases=()), LATER)
    shutil.rmtree(third.folder)  # but what it had is told by the history of the next version
    fifth = edit(tmp_path, first.meta.id, "v4", BaselineChange(cases=(case(),)), LATER)
    assert [one.id for one in cases(fifth.folder).cases] == ["case_005"]


def test_case_ids_have_four_digits_beyond_999_and_foreign_ones_stay(tmp_path: Path) -> None:
    made = baseline(tmp_path, case("case_999"), case(), case("排序 (easy)"), case())
    assert [one.id for one in cases(made.folder).cases] == [
        "case_999",
        "case_1000",
        "排序 (easy)",
        "case_1001",
    ]


@pytest.mark.parametrize("bad", ["../up", "a/b", "CON", "one.run-2", ".hidden", "x" * 101, "a\n"])
def test_a_case_id_that_is_no_file_name_is_refused(tmp_path: Path, bad: str) -> None:
    with pytest.raises(UsageError, match="^case id"):
        baseline(tmp_path, case("fine"), case(bad))
    with pytest.raises(UsageError, match="there twice"):
        baseline(tmp_path, case("fine"), case("fine"))
    assert not (tmp_path / "baselines").exists()


def test_unsafe_case_ids_that_are_there_already_stay(tmp_path: Path) -> None:
    folder = add_baseline(tmp_path)
    text = (folder / "cases.json").read_text().replace("case_001", ".hidden")
    (folder / "cases.json").write_text(text)
    own = cases(folder).cases
    second = edit(tmp_path, identity("Tests"), "v1", BaselineChange(cases=own[:1]), LATER)
    assert [one.id for one in cases(second.folder).cases] == [".hidden"]


def test_a_rubric_may_be_set_kept_and_taken_away(tmp_path: Path) -> None:
    first = baseline(tmp_path)
    rubric = QualityRubric.parse({"dimensions": []}, "rubric")
    edit(tmp_path, first.meta.id, "v1", BaselineChange(rubric=rubric), LATER)
    kept = edit(tmp_path, first.meta.id, "v2", BaselineChange(name="New"), LATER)
    assert cases(kept.folder).rubric == rubric
    gone = edit(tmp_path, first.meta.id, "v3", BaselineChange(rubric=None), LATER)
    assert list(json.loads((gone.folder / "cases.json").read_text())) == [
        "baseline_id",
        "version",
        "cases",
    ]
    assert [r.changed_fields for r in history(tmp_path, first.meta.id).records] == [
        ("rubric",),
        ("meta.name",),
        ("rubric",),
    ]


def test_only_the_status_of_the_newest_version_changes(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    second = edit(tmp_path, first.meta.id, "v1", SkillChange(content="x"), LATER)
    before = tree(tmp_path)
    archived = archive(tmp_path, first.meta.id)
    assert archived.meta == second.meta.model_copy(update={"status": "archived"})
    assert archive(tmp_path, first.meta.id) == archived
    name = str(second.folder.relative_to(tmp_path) / "meta.json")
    changed = {path for path, data in tree(tmp_path).items() if before[path] != data}
    assert changed == {name}
    assert restore(tmp_path, first.meta.id) == second
    assert tree(tmp_path) == before


def test_an_archived_asset_stays_so_when_it_is_edited_or_rolled_back(tmp_path: Path) -> None:
    first = baseline(tmp_path)
    archive(tmp_path, first.meta.id)
    second = edit(tmp_path, first.meta.id, "v1", BaselineChange(name="New"), LATER)
    assert second.meta.status == "archived"
    restore(tmp_path, first.meta.id)
    third = rollback(tmp_path, first.meta.id, "v1", "v2", LATER)
    assert (third.meta.status, third.meta.name) == ("active", "Tests")


@pytest.mark.parametrize(
    "change",
    [
        SkillChange(purpose="../up"),
        SkillChange(provider="a/b"),
        SkillChange(name=""),
        SkillChange(description="\ud800"),
        SkillChange(author="\0"),
        SkillChange(content="half \ud800"),
        SkillChange(content="x", package={"SKILL.md": b"y"}),
        SkillChange(package={"README.md": b"y"}),
        SkillChange(package={"SKILL.md": b"\xff"}),
        SkillChange(package={"SKILL.md": b"", "a": b"", "a/b": b""}),
        SkillChange(package={"SKILL.md": b""}, executables=frozenset({"gone"})),
        SkillChange(executables=frozenset({"content.txt"})),
        SkillChange(content="x" * (revise.MOST_TEXT + 1)),
        SkillChange(source="x" * (revise.LONGEST_REMARK + 1)),
    ],
    ids=range(14),
)
def test_what_cannot_be_is_refused_and_nothing_written(tmp_path: Path, change: SkillChange) -> None:
    first = text_skill(tmp_path)
    before = tree(tmp_path)
    with pytest.raises(UsageError):
        edit(tmp_path, first.meta.id, "v1", change, LATER)
    assert tree(tmp_path) == before
    assert sorted(path.name for path in (tmp_path / "skills").iterdir()) == ["code"]


def test_a_skill_is_no_baseline(tmp_path: Path) -> None:
    skill, tests = text_skill(tmp_path), baseline(tmp_path)
    with pytest.raises(UsageError, match="is no baseline"):
        edit(tmp_path, skill.meta.id, "v1", BaselineChange(name="x"), LATER)
    with pytest.raises(UsageError, match="is no skill"):
        edit(tmp_path, tests.meta.id, "v1", SkillChange(name="x"), LATER)


@pytest.mark.parametrize("wanted", ["nobody", "", "..", "../../etc/passwd", "*", "[a-z]", "\0"])
def test_an_unknown_id_leaves_no_trace(tmp_path: Path, wanted: str) -> None:
    first = text_skill(tmp_path)
    before = tree(tmp_path)
    attempts: list[Callable[[], object]] = [
        lambda: edit(tmp_path, wanted, "v1", SkillChange(name="x"), LATER),
        lambda: rollback(tmp_path, wanted, "v1", "v1", LATER),
        lambda: archive(tmp_path, wanted),
        lambda: history(tmp_path, wanted),
        lambda: versions(tmp_path, wanted),
        lambda: edit(tmp_path, first.meta.id[:8], "v1", SkillChange(name="x"), LATER),
    ]
    for attempt in attempts:
        with pytest.raises(NotFound):
            attempt()
    assert tree(tmp_path) == before


def test_links_lead_nowhere(tmp_path: Path) -> None:
    first = text_skill(tmp_path / "workspace")
    outside = tmp_path / "outside"
    (outside / "me").mkdir(parents=True)
    (tmp_path / "workspace/skills/docs").symlink_to(outside)
    for change in (SkillChange(purpose="docs"), SkillChange(purpose="docs", provider="new")):
        with pytest.raises(UsageError, match="leads elsewhere"):
            edit(tmp_path / "workspace", first.meta.id, "v1", change, LATER)
    assert list(tree(outside)) == []
    assert [path.name for path in outside.iterdir()] == ["me"]


def test_two_assets_may_have_short_ids_that_are_the_same(tmp_path: Path) -> None:
    add_skill(tmp_path, "One", id="mock-iter-1")
    other = add_skill(tmp_path, "Two", id="mock-iter-2")
    for folder, provider in ((add_skill(tmp_path, "One", id="mock-iter-1"), "me"), (other, "you")):
        target = tmp_path / f"skills/code/{provider}/skill_mock-ite_v1"
        target.parent.mkdir(parents=True, exist_ok=True)
        folder.rename(target)
    made = edit(tmp_path, "mock-iter-2", "v1", SkillChange(provider="you", name="2"), LATER)
    assert made.folder == tmp_path / "skills/code/you/skill_mock-ite_v2"
    assert len(versions(tmp_path, "mock-iter-1").versions) == 1
    with pytest.raises(UsageError, match="in the way"):
        edit(tmp_path, "mock-iter-1", "v1", SkillChange(provider="you"), LATER)
    assert [p.name for p in (tmp_path / "skills/code/you").iterdir() if p.name[0] == "."] == []


def test_a_foreign_folder_is_found_by_the_id_in_it(tmp_path: Path) -> None:
    folder = add_skill(tmp_path, version="v7")
    folder.rename(folder.with_name("skill_whatever_v1"))
    made = edit(tmp_path, identity("Writer"), "v7", SkillChange(content="x"), LATER)
    assert (made.meta.version, made.meta.version_count) == ("v8", 8)
    assert made.folder.name == f"skill_{identity('Writer')[:8]}_v8"


def test_a_newer_version_that_cannot_be_read_is_not_passed_over(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    second = edit(tmp_path, first.meta.id, "v1", SkillChange(purpose="docs"), LATER)
    edit(tmp_path, first.meta.id, "v2", SkillChange(purpose="code"), LATER)
    (second.folder / "meta.json").write_text("{")
    found = versions(tmp_path, first.meta.id)
    assert [asset.meta.version for asset in found.versions] == ["v1", "v3"]
    assert "broken JSON" in found.problems[0]
    edit(tmp_path, first.meta.id, "v3", SkillChange(name="fine"), LATER)
    (tmp_path / f"skills/code/me/skill_{first.meta.id[:8]}_v4/meta.json").unlink()
    before = tree(tmp_path)
    with pytest.raises(UsageError, match=r"_v4 cannot be read; repair it"):
        edit(tmp_path, first.meta.id, "v3", SkillChange(purpose="third"), LATER)
    assert tree(tmp_path) == before


def test_a_broken_asset_hurts_no_other(tmp_path: Path) -> None:
    (text_skill(tmp_path).folder / "meta.json").write_text("{")
    fine = text_skill(tmp_path)
    assert edit(tmp_path, fine.meta.id, "v1", SkillChange(name="x"), LATER).meta.name == "x"


def test_a_broken_record_of_history_is_reported_and_hides_no_other(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    for number in range(1, 12):
        change = SkillChange(content=f"{number}")
        edit(tmp_path, first.meta.id, f"v{number}", change, LATER)
    (next(tmp_path.glob("skills/*/*/*_v3/history/*"))).write_text("{")
    found = history(tmp_path, first.meta.id)
    assert [r.to_version for r in found.records] == ["v2", *(f"v{n}" for n in range(4, 13))]
    assert len(found.problems) == 1
    assert "v2_to_v3" in found.problems[0]


def test_a_stored_text_that_is_no_utf8_is_carried_over_as_it_is(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    (first.folder / "content.txt").write_bytes(b"\xff\xfe odd")
    second = edit(tmp_path, first.meta.id, "v1", SkillChange(name="x"), LATER)
    assert (second.folder / "content.txt").read_bytes() == b"\xff\xfe odd"
    third = edit(tmp_path, first.meta.id, "v2", SkillChange(content="good"), LATER)
    assert third.meta.version == "v3"
    record = history(tmp_path, first.meta.id).records[-1]
    assert record.diff.content
    assert str(record.diff.content.before).encode(errors="surrogateescape") == b"\xff\xfe odd"


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    (first.folder / "tags.json").unlink()
    (first.folder / "tags.json").mkdir()  # no file: carried over as none
    edit(tmp_path, first.meta.id, "v1", SkillChange(content="x"), LATER)
    (tmp_path / "skills/docs").write_text("a file where a folder should be")
    with pytest.raises(EnvironmentProblem, match="cannot write"):
        edit(tmp_path, first.meta.id, "v2", SkillChange(purpose="docs"), LATER)
    assert not list(tmp_path.rglob(".new-*"))


def test_what_killed_writers_left_is_swept_after_an_hour(tmp_path: Path) -> None:
    text_skill(tmp_path)
    above = tmp_path / "skills/code/me"
    names = [".new-0123456789abcdef", ".new-fedcba9876543210", ".git", ".new-mine"]
    for name in names:
        (above / name / "package").mkdir(parents=True)
    old = time.time() - 3700
    for name in (names[0], *names[2:]):
        os.utime(above / name, (old, old))
    create(tmp_path, SkillDraft(ABOUT, content="x"), NOW)
    assert sorted(p.name for p in above.iterdir() if p.name[0] == ".") == sorted(names[1:])


def test_an_empty_draft_is_fine(tmp_path: Path) -> None:
    assert baseline_count(create(tmp_path, BaselineDraft(ABOUT), NOW).folder) == 0
    made = create(tmp_path, SkillDraft(ABOUT), NOW)
    assert (made.folder / "content.txt").read_bytes() == b""


def baseline_count(folder: Path) -> int:
    return len(cases(folder).cases)
