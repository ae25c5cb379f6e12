"""Logs of calls to a model: written twice, never over another's, and never for ever running."""

from pathlib import Path
from typing import Literal

import pytest

from tests.curate.assets import NOW, text_skill, tree
from tests.curate.test_tags import NAME, log, proposal
from whet.core.errors import UsageError
from whet.curate import tags
from whet.curate.change import SkillChange
from whet.curate.library import Asset
from whet.curate.tag_logs import ABANDONED
from whet.curate.versions import edit
from whet.documents.assets import AutoTag, AutoTagLog, SkillMeta, Tags

SESSION = log().session_id


def made(skill: Asset[SkillMeta], status: Literal["running", "completed", "failed"]) -> AutoTagLog:
    change = {"status": status, "target_id": skill.meta.id}
    running = {"raw_output": "", "parsed_tags": ()} if status == "running" else {}
    return log().model_copy(update={**change, **running})


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "auto_tag_log").iterdir())


def kept(folder: Path, name: str = NAME) -> AutoTagLog:
    return AutoTagLog.load(folder / name)


@pytest.fixture
def skill(tmp_path: Path) -> Asset[SkillMeta]:
    return text_skill(tmp_path)


def test_a_log_is_written_twice_and_then_stays(tmp_path: Path, skill: Asset[SkillMeta]) -> None:
    identity, over = skill.meta.id, made(skill, "completed")
    tags.keep_log(tmp_path, identity, NAME, made(skill, "running"))
    assert kept(skill.folder).status == "running"
    [new] = tags.propose(tmp_path, identity, NAME, over, [proposal("a", "a")])
    assert new.log_ref == NAME
    assert kept(skill.folder) == over
    before = tree(skill.folder)
    tags.keep_log(tmp_path, identity, NAME, made(skill, "failed"))
    assert tree(skill.folder) == before


def test_who_edits_meanwhile_finds_the_tags_in_the_newest_version(
    tmp_path: Path, skill: Asset[SkillMeta]
) -> None:
    identity, over = skill.meta.id, made(skill, "completed")
    tags.keep_log(tmp_path, identity, NAME, made(skill, "running"))
    newest = edit(tmp_path, identity, "v1", SkillChange(purpose="docs", content="New."), NOW)
    tags.propose(tmp_path, identity, NAME, over, [proposal("a", "a")])
    assert [tag.value for tag in tags.load(newest.folder).auto] == ["a"]
    assert tags.load(skill.folder).auto == ()
    assert kept(newest.folder) == kept(skill.folder) == over, "no version has one that runs"


@pytest.mark.parametrize("content", ["{}", "broken", log().to_json()])
def test_what_others_wrote_is_not_overwritten(
    content: str, tmp_path: Path, skill: Asset[SkillMeta]
) -> None:
    path = skill.folder / NAME
    path.write_text(content)
    tags.keep_log(tmp_path, skill.meta.id, NAME, made(skill, "running"))
    [new] = tags.propose(
        tmp_path, skill.meta.id, NAME, made(skill, "completed"), [proposal("a", "a")]
    )
    assert path.read_text() == content
    assert new.log_ref == NAME.replace(".json", "_2.json")
    assert names(skill.folder) == ["session_20240101121000.json", "session_20240101121000_2.json"]
    tags.keep_log(tmp_path, skill.meta.id, NAME, made(skill, "failed"))
    assert kept(skill.folder, new.log_ref).status == "completed"


def test_a_link_in_place_of_a_log_leads_nowhere(tmp_path: Path, skill: Asset[SkillMeta]) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text(made(skill, "running").to_json())
    before = outside.read_bytes()
    (skill.folder / NAME).symlink_to(outside)
    tags.propose(tmp_path, skill.meta.id, NAME, made(skill, "completed"), [proposal("a", "a")])
    tags.end_log(tmp_path, skill.meta.id, SESSION)
    assert outside.read_bytes() == before
    assert kept(skill.folder, NAME.replace(".json", "_2.json")).status == "completed"


@pytest.mark.slow
def test_tags_that_cannot_be_leave_everything_as_it_was(
    tmp_path: Path, skill: Asset[SkillMeta]
) -> None:
    many = [proposal(f"{number}", f"{number}") for number in range(tags.MOST_TAGS)]
    tags.keep_log(tmp_path, skill.meta.id, NAME, made(skill, "running"))
    full = Tags(manual=(), auto=tuple(many))
    (skill.folder / "tags.json").write_text(full.to_json())
    with pytest.raises(UsageError, match="at most"):
        tags.propose(tmp_path, skill.meta.id, NAME, made(skill, "completed"), [proposal("x", "x")])
    assert kept(skill.folder).status == "running"
    assert tags.load(skill.folder) == full


def with_tag(folder: Path, tag: AutoTag) -> None:
    found = tags.load(folder).model_copy(update={"auto": (tag,)})
    (folder / "tags.json").write_text(found.to_json())


def test_a_log_whose_process_is_gone_tells_how_it_ended(
    tmp_path: Path, skill: Asset[SkillMeta]
) -> None:
    """The log comes first, then the tags, then the log says that it is complete."""
    answered = made(skill, "completed").model_copy(update={"status": "running"})
    folder = skill.folder
    (folder / NAME).write_text(answered.to_json())
    tags.end_log(tmp_path, skill.meta.id, "another")
    assert kept(folder) == answered
    with_tag(folder, proposal("a", "a").model_copy(update={"log_ref": NAME}))
    tags.end_log(tmp_path, skill.meta.id, SESSION)
    assert kept(folder) == made(skill, "completed")


@pytest.mark.parametrize("said", ["", "函数生成"])
def test_one_that_left_no_tags_has_failed(
    said: str, tmp_path: Path, skill: Asset[SkillMeta]
) -> None:
    begun = made(skill, "running").model_copy(update={"raw_output": said})
    stranger = begun.model_copy(update={"target_id": "another"})
    other = NAME.replace("121000", "121001")
    (skill.folder / NAME).write_text(begun.to_json())
    (skill.folder / other).write_text(stranger.to_json())
    tags.end_log(tmp_path, skill.meta.id, SESSION)
    found = kept(skill.folder)
    assert (found.status, found.error, found.parsed_tags) == ("failed", ABANDONED, ())
    assert found.raw_output == (said or ABANDONED)
    assert kept(skill.folder, other) == stranger
