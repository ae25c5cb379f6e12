"""What an import comes to: something new, the next version, or nothing."""

import json
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.curate.assets import tree
from whet.app.library.intake import Intake
from whet.app.library.library import Library
from whet.app.library.views import detail, page
from whet.core.asset_query import LARGEST_PAGE, AssetQuery
from whet.core.errors import Conflict, InvalidImport, NotFound, UsageError
from whet.curate.draft import About, SkillDraft
from whet.curate.intake.given import Given

RUBRIC = {"dimensions": [{"name": "tone", "weight": 1}]}


def text(name: str = "Writer", body: str = "Write well.") -> str:
    return f"---\nname: {name}\ndescription: Writes.\n---\n{body}\n"


def folder(path: Path, body: str = "Write well.") -> Path:
    (path / "scripts").mkdir(parents=True)
    (path / "SKILL.md").write_text(text(body=body))
    (path / "scripts/run.sh").write_text("#!/bin/sh\n")
    return path


def taken(intake: Intake, *given: str) -> list[tuple[str, str]]:
    return [(one.outcome, one.version) for each in given for one in intake.text(each).assets]


def test_the_same_is_taken_in_once(skills: Library) -> None:
    intake = Intake(skills, Given())
    assert taken(intake, text(), text()) == [("created", "v1"), ("unchanged", "v1")]
    again = intake.text(text()).assets[0]
    assert not again.changed
    assert again.notes == ("it is in the library already",)
    assert page(skills, AssetQuery()).total == 1


def test_an_empty_purpose_or_provider_says_nothing(skills: Library) -> None:
    first = Intake(skills, Given(provider="me")).text(text()).assets[0]
    for blank in (Given(purpose="", provider=""), Given(name="", purpose="")):
        for update in (False, True):
            again = Intake(skills, blank, update).text(text()).assets[0]
            assert (again.outcome, again.id) == ("unchanged", first.id)
    assert page(skills, AssetQuery()).total == 1


def test_another_content_of_the_same_name(skills: Library) -> None:
    first = Intake(skills, Given()).text(text()).assets[0]
    other = Intake(skills, Given()).text(text(body="Other.")).assets[0]
    assert (other.outcome, other.version) == ("created", "v1")
    assert other.notes == (f"another of this name is there: {first.id}",)
    with pytest.raises(UsageError, match="several assets") as refused:
        Intake(skills, Given(), update=True).text(text(body="Third."))
    assert first.id in str(refused.value)
    assert other.id in str(refused.value)


def test_with_update_it_is_the_next_version(skills: Library) -> None:
    intake = Intake(skills, Given(), update=True)
    assert taken(intake, text(), text(body="Better."), text(body="Better.")) == [
        ("created", "v1"),
        ("updated", "v2"),
        ("unchanged", "v2"),
    ]
    assert detail(skills, "Writer").content == text(body="Better.")


def test_what_a_person_says_is_taken_over_also_where_the_content_is_the_same(
    skills: Library,
) -> None:
    Intake(skills, Given(description="Mine.")).text(text())
    same = Intake(skills, Given(), update=True).text(text()).assets[0]
    assert (same.outcome, same.version) == ("unchanged", "v1"), "the file's words are no edit"
    said = Intake(skills, Given(author="Ann"), update=True).text(text()).assets[0]
    assert (said.outcome, said.version) == ("updated", "v2")
    meta = detail(skills, "Writer").meta
    assert (meta["author"], meta["description"]) == ("Ann", "Mine.")


def test_an_update_that_changes_nothing_says_so(skills: Library, tmp_path: Path) -> None:
    Intake(skills, Given(type="agent")).text(text())
    done = Intake(skills, Given(), update=True).text(text()).assets[0]
    assert (done.outcome, done.version, done.changed) == ("unchanged", "v1", False)
    (tmp_path / "a.json").write_text(json.dumps({"name": "Other", "content": "x"}))
    (tmp_path / "b.json").write_text(
        json.dumps({"name": "Other", "content": "x", "type": "agent", "source": "a.json"})
    )
    Intake(skills, Given()).path(tmp_path / "a.json")
    said = Intake(skills, Given(), update=True).path(tmp_path / "b.json").assets[0]
    assert (said.outcome, detail(skills, "Other").asset.type) == ("updated", "agent")


def test_namesakes_are_those_of_the_purpose_that_is_named(skills: Library) -> None:
    intake = Intake(skills, Given(purpose="code"), update=True)
    assert taken(intake, text()) == [("created", "v1")]
    elsewhere = Intake(skills, Given(purpose="prose"), update=True)
    assert taken(elsewhere, text(body="Prose.")) == [("created", "v1")]
    assert taken(intake, text(body="Code.")) == [("updated", "v2")]


def test_an_archived_one_is_no_namesake(skills: Library) -> None:
    made = Intake(skills, Given()).text(text()).assets[0]
    skills.set_status(made.id, "archived")
    assert taken(Intake(skills, Given(), update=True), text()) == [("created", "v1")]


@pytest.mark.slow
def test_a_namesake_is_found_behind_a_page_of_others(skills: Library) -> None:
    for number in range(LARGEST_PAGE):
        about = About(f"A a {number:03}", "code", "me")
        skills.create(SkillDraft(about, content="x"))
    made = Intake(skills, Given(name="a")).text("The one.\n").assets[0]
    again = Intake(skills, Given(name="a")).text("The one.\n").assets[0]
    assert (again.outcome, again.id) == ("unchanged", made.id)


def test_a_package_is_compared_with_all_its_files(skills: Library, tmp_path: Path) -> None:
    made = folder(tmp_path / "one")
    intake = Intake(skills, Given(), update=True)
    assert intake.path(made).assets[0].outcome == "created"
    assert intake.path(made).assets[0].outcome == "unchanged"
    (made / "scripts/run.sh").chmod(0o755)
    assert intake.path(made).assets[0].version == "v2"
    (made / "more.md").write_text("More.\n")
    assert intake.path(made).assets[0].version == "v3"
    assert {file.path for file in detail(skills, "Writer").files or ()} == {
        "SKILL.md",
        "more.md",
        "scripts/run.sh",
    }


def test_one_that_cannot_be_hides_no_other(skills: Library, tmp_path: Path) -> None:
    folder(tmp_path / "all/good")
    (folder(tmp_path / "all/binary") / "SKILL.md").write_bytes(b"\xff\xff")
    for body in ("One.", "Two."):
        Intake(skills, Given()).text(text("Twin", body))
    (folder(tmp_path / "all/twin") / "SKILL.md").write_text(text("Twin", "Three."))
    found = Intake(skills, Given(), update=True).path(tmp_path / "all")
    assert [one.name for one in found.assets] == ["Writer"]
    assert [problem.partition(" ")[0] for problem in found.problems] == ["binary", "twin:"]
    with pytest.raises(UsageError, match="purpose"):
        Intake(skills, Given(purpose="../out")).path(tmp_path / "all/good")


def test_only_skills_are_installed(skills: Library, baselines: Library, tmp_path: Path) -> None:
    folder(tmp_path / "home/.claude/skills/writer")
    found = Intake(skills, Given()).installed([tmp_path / "home"])
    assert [one.name for one in found.assets] == ["Writer"]
    with pytest.raises(UsageError, match="not baselines"):
        Intake(baselines, Given()).installed([tmp_path / "home"])


@pytest.mark.parametrize(
    "filename",
    [
        "../../etc/cron.d/evil.md",
        "..\\..\\evil.md",
        "/etc/passwd.md",
        "a\0b.md",
        ".md",
        "\ud800.md",
        "x" * 5000 + ".md",
        "con.md",
        "a\nb\x1b[31m.md",
        "..",
        "",
        "evil.\ud800",
        "evil." + "y" * 5000,
    ],
)
def test_the_name_of_an_upload_leads_nowhere(
    skills: Library, tmp_path: Path, filename: str
) -> None:
    beside = {path.name for path in tmp_path.parent.iterdir()}
    before = tree(tmp_path)
    intake = Intake(skills, Given(name="Sent"))
    if filename.endswith(".md") and filename != ".md":
        (made,) = intake.upload(filename, text().encode()).assets
        assert Path(made.path).is_relative_to(skills.workspace)
    else:
        with pytest.raises(UsageError, match="is no skill"):
            intake.upload(filename, text().encode())
    inside = skills.workspace.relative_to(tmp_path).as_posix()
    after = tree(tmp_path)
    assert [path for path in after if path not in before and not path.startswith(inside)] == []
    assert {path.name for path in tmp_path.parent.iterdir()} == beside


def test_whoever_uploads_is_not_told_of_our_folders(skills: Library, baselines: Library) -> None:
    for shelf, filename, data in (
        (skills, "a.exe", b"x"),
        (skills, "a.md", b"\xff\xff\xff"),
        (skills, "a.json", b"{"),
        (skills, "a.zip", b"no zip"),
        (baselines, "a.csv", b"\xff\xff\xff"),
        (baselines, "a.json", b"[{}]"),
        (baselines, "a.md", b"x"),
    ):
        with pytest.raises(UsageError) as refused:
            Intake(shelf, Given()).upload(filename, data)
        assert "/" not in str(refused.value).partition(" ")[0], refused.value
        assert filename in str(refused.value)


def test_a_skill_gets_new_content_whatever_its_name(skills: Library, tmp_path: Path) -> None:
    made = skills.create(SkillDraft(About("Mine", "code", "me", "Kept."), content="Old.\n"))
    other = folder(tmp_path / "other")
    done = Intake(skills, Given(author="Ann")).onto("Mine", other, "v1")
    assert (done.id, done.version, done.outcome) == (made.id, "v2", "updated")
    found = detail(skills, "Mine")
    assert found.content == text()
    assert {file.path for file in found.files or ()} == {"SKILL.md", "scripts/run.sh"}
    assert (found.meta["description"], found.meta["author"]) == ("Kept.", "Ann")
    assert Intake(skills, Given()).onto("Mine", other).outcome == "unchanged"
    with pytest.raises(Conflict, match="expected v1, found v2"):
        Intake(skills, Given()).onto("Mine", other, "v1")
    (tmp_path / "alone.md").write_text("Only the text.\n")
    alone = Intake(skills, Given()).onto("Mine", tmp_path / "alone.md")
    assert alone.version == "v3"
    found = detail(skills, "Mine")
    assert found.content == "Only the text.\n"
    assert len(found.files or ()) == 2, "the other files of the package stay"


def test_only_one_skill_can_be_put_onto_another(skills: Library, tmp_path: Path) -> None:
    skills.create(SkillDraft(About("Mine", "code", "me"), content="Old.\n"))
    folder(tmp_path / "two/a")
    folder(tmp_path / "two/b", body="Another.")
    with pytest.raises(UsageError, match="not one skill"):
        Intake(skills, Given()).onto("Mine", tmp_path / "two")
    with pytest.raises(NotFound):
        Intake(skills, Given()).onto("Mine", tmp_path / "gone.md")
    with pytest.raises(InvalidImport, match="is empty"):
        Intake(skills, Given()).upload_onto("Mine", "a.md", b" \n")
    sent = Intake(skills, Given()).upload_onto("Mine", "../a.md", b"Sent.\n", "v1")
    assert (sent.version, detail(skills, "Mine").content) == ("v2", "Sent.\n")


def test_a_table_over_a_baseline_leaves_its_rubric(baselines: Library, tmp_path: Path) -> None:
    rows = [{"input": "1 + 1", "expected_output": "2"}]
    (tmp_path / "sums.json").write_text(json.dumps({"cases": rows, "rubric": RUBRIC}))
    (tmp_path / "sums.csv").write_text("input,expected_output\n1 + 1,2\n")
    (tmp_path / "more/sums.csv").parent.mkdir()
    (tmp_path / "more/sums.csv").write_text("input,expected_output\n1 + 1,2\n2 + 2,4\n")
    intake = Intake(baselines, Given(source="a"), update=True)
    assert intake.path(tmp_path / "sums.json").assets[0].outcome == "created"
    assert intake.path(tmp_path / "sums.json").assets[0].outcome == "unchanged"
    assert intake.path(tmp_path / "sums.csv").assets[0].outcome == "unchanged"
    assert intake.path(tmp_path / "more/sums.csv").assets[0].version == "v2"
    found = detail(baselines, "sums")
    assert found.rubric == RUBRIC
    assert [case["id"] for case in found.cases or ()] == ["case_001", "case_002"]


def test_the_same_cases_are_the_same_whenever_they_are_imported(baselines: Library) -> None:
    intake = Intake(baselines, Given(name="Sums"))
    row: dict[str, JsonValue] = {"input": "1 + 1", "expected_output": "2", "weight": 3}
    assert intake.by_hand([row]).assets[0].outcome == "created"
    assert intake.by_hand([row]).assets[0].outcome == "unchanged"
    assert intake.by_hand([{**row, "weight": 4}]).assets[0].outcome == "created"
