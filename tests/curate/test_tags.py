"""Tags: who may do what to which, and what holds in the end."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.curate.assets import LATER, NOW, baseline, text_skill, tree
from whet.core.errors import Conflict, NotFound, UsageError
from whet.curate import tags
from whet.curate.change import SkillChange
from whet.curate.tags import Review, added, proposed, removed, renamed, reviewed
from whet.curate.versions import edit, history, versions
from whet.documents.assets import AutoTag, AutoTagLog, ProposedTag, Tags

SECOND = "2024-01-01T13:00:00Z"
NAME = "auto_tag_log/session_20240101121000.json"


def proposal(
    identity: str, value: str, status: Literal["pending", "approved", "rejected"] = "pending"
) -> AutoTag:
    return AutoTag(
        id=identity, value=value, status=status, generated_at="2024-01-01T12:00:00Z", log_ref=""
    )


def waiting(*values: str) -> Tags:
    return proposed(tags.NONE, [proposal(value, value) for value in values])


def log() -> AutoTagLog:
    return AutoTagLog(
        session_id="tmp_sess_20240101121000",
        triggered_at="2024-01-01T12:10:00Z",
        triggered_by="user",
        target_type="skill",
        target_id="x",
        status="completed",
        duration_ms=1,
        cli_version="1",
        model_version="m",
        raw_output="函数生成",
        parsed_tags=(ProposedTag(value="函数生成"),),
        error=None,
    )


def test_tags_of_people_are_added_renamed_and_removed() -> None:
    found = added(added(tags.NONE, " Python ", NOW), "代码生成", LATER)
    assert [(tag.value, tag.created_at) for tag in found.manual] == [
        ("Python", "2024-01-01T12:00:00Z"),
        ("代码生成", SECOND),
    ]
    first, second = found.manual
    assert first.id != second.id
    found = renamed(found, first.id, "python")
    assert found.effective == ("python", "代码生成")
    assert found.manual[0].model_copy(update={"value": "Python"}) == first
    assert removed(found, first.id).effective == ("代码生成",)


@pytest.mark.parametrize("value", ["Python", "python", "ＰＹＴＨＯＮ", " Python"])
def test_a_tag_is_there_once(value: str) -> None:
    found = added(added(tags.NONE, "Python", NOW), "Other", NOW)
    with pytest.raises(UsageError, match="there already"):
        added(found, value, NOW)
    with pytest.raises(UsageError, match="there already"):
        renamed(found, found.manual[1].id, value)
    both = waiting(value).model_copy(update={"manual": found.manual})
    with pytest.raises(UsageError, match="there already"):
        reviewed(both, [Review(value, "approve")], NOW)


@pytest.mark.parametrize("value", ["", "  ", "a\nb", "\0", "\ud800", "x" * 101, "\u202e"])
def test_a_tag_that_cannot_be_read_is_refused(value: str) -> None:
    found = added(tags.NONE, "fine", NOW)
    with pytest.raises(UsageError):
        added(found, value, NOW)
    with pytest.raises(UsageError):
        renamed(found, found.manual[0].id, value)
    with pytest.raises(UsageError):
        proposed(found, [proposal("p", value)])
    with pytest.raises(UsageError):
        reviewed(waiting("a"), [Review("a", "modify", value)], NOW)


def test_proposals_wait_and_those_that_hold_or_wait_are_left_out() -> None:
    found = added(tags.NONE, "Python", NOW)
    found = proposed(found, [proposal("1", "python"), proposal("2", "new"), proposal("3", "New")])
    assert [(tag.id, tag.status) for tag in found.auto] == [("2", "pending")]
    assert found.effective == ("Python",)
    again = proposed(found, [proposal("4", "NEW"), proposal("5", "more")])
    assert [tag.id for tag in again.auto] == ["2", "5"]


def test_a_person_approves_rejects_or_puts_it_better() -> None:
    reviews = [Review("a", "approve"), Review("b", "reject"), Review("c", "modify", "better")]
    found = reviewed(waiting("a", "b", "c", "d"), reviews, LATER)
    assert [(t.value, t.status, t.approved_at, t.rejected_at) for t in found.auto] == [
        ("a", "approved", SECOND, None),
        ("b", "rejected", None, SECOND),
        ("better", "approved", SECOND, None),
        ("d", "pending", None, None),
    ]
    assert found.effective == ("a", "better")


@pytest.mark.parametrize("action", ["approve", "reject", "modify"])
@pytest.mark.parametrize("before", ["approve", "reject"])
def test_what_was_decided_is_changed_only_on_purpose(
    before: Literal["approve", "reject"], action: Literal["approve", "reject", "modify"]
) -> None:
    decided = reviewed(waiting("a"), [Review("a", before)], NOW)
    value = "better" if action == "modify" else None
    with pytest.raises(Conflict, match="expected pending") as caught:
        reviewed(decided, [Review("a", action, value)], LATER)
    assert caught.value.actual == decided.auto[0].status
    found = reviewed(decided, [Review("a", action, value, again=True)], LATER).auto[0]
    if action == "reject":
        assert (found.status, found.approved_at, found.rejected_at) == ("rejected", None, SECOND)
    else:
        assert (found.status, found.approved_at, found.rejected_at) == ("approved", SECOND, None)
        assert found.value == (value or "a")


def test_reviews_are_taken_whole_or_not_at_all(tmp_path: Path) -> None:
    made = text_skill(tmp_path)
    tags.propose(tmp_path, made.meta.id, NAME, log(), [proposal("a", "a"), proposal("b", "b")])
    before = tree(tmp_path)
    for bad in (
        Review("unknown", "approve"),
        Review("b", "modify"),
        Review("b", "approve", "value"),
        Review("a", "reject"),
    ):
        with pytest.raises(UsageError):
            tags.review(tmp_path, made.meta.id, [Review("a", "approve"), bad], NOW)
    assert tree(tmp_path) == before


def test_only_what_holds_is_renamed_and_only_tags_of_people_are_removed() -> None:
    found = reviewed(waiting("a", "b"), [Review("a", "approve")], NOW)
    assert renamed(found, "a", "A").effective == ("A",)
    with pytest.raises(UsageError, match="'b' is pending"):
        renamed(found, "b", "c")
    with pytest.raises(UsageError, match="reject it instead"):
        removed(found, "a")
    for attempt in (lambda: removed(found, "x"), lambda: renamed(found, "x", "y")):
        with pytest.raises(NotFound):
            attempt()


def test_there_is_an_end_to_tags() -> None:
    many = proposed(tags.NONE, [proposal(f"{n}", f"{n}") for n in range(tags.MOST_TAGS)])
    with pytest.raises(UsageError, match="at most"):
        added(many, "one more", NOW)
    with pytest.raises(UsageError, match="at most"):
        proposed(many, [proposal("more", "more")])


def test_tags_change_in_the_newest_version_only_and_go_with_it(tmp_path: Path) -> None:
    made = text_skill(tmp_path)
    tags.add(tmp_path, made.meta.id, "first", NOW)
    second = edit(tmp_path, made.meta.id, "v1", SkillChange(purpose="docs"), NOW)
    before = tree(made.folder)
    tags.add(tmp_path, made.meta.id, "second", NOW)
    assert tree(made.folder) == before
    assert tags.load(second.folder).effective == ("first", "second")
    found = tags.tags_of(tmp_path, made.meta.id)
    tags.rename(tmp_path, made.meta.id, found.manual[0].id, "1st")
    tags.remove(tmp_path, made.meta.id, found.manual[1].id)
    assert tags.tags_of(tmp_path, made.meta.id).effective == ("1st",)
    assert len(versions(tmp_path, made.meta.id).versions) == 2
    assert len(history(tmp_path, made.meta.id).records) == 1


def test_a_log_is_kept_under_a_name_of_its_own(tmp_path: Path) -> None:
    made = baseline(tmp_path)
    for value in ("a", "b"):
        [new] = tags.propose(tmp_path, made.meta.id, NAME, log(), [proposal(value, value)])
        assert new.value == value
    tags.propose(tmp_path, made.meta.id, "auto_tag_log/session_20240101121001.json", log(), [])
    assert sorted(path.name for path in made.folder.glob("auto_tag_log/*")) == [
        "session_20240101121000.json",
        "session_20240101121000_2.json",
        "session_20240101121001.json",
    ]
    found = tags.tags_of(tmp_path, made.meta.id)
    assert [tag.log_ref for tag in found.auto] == [
        "auto_tag_log/session_20240101121000.json",
        "auto_tag_log/session_20240101121000_2.json",
    ]
    for tag in found.auto:
        assert json.loads((made.folder / tag.log_ref).read_text()) == log().to_data()


def test_a_version_without_tags_has_none_and_broken_ones_are_named(tmp_path: Path) -> None:
    made = text_skill(tmp_path)
    (made.folder / "tags.json").unlink()
    assert tags.tags_of(tmp_path, made.meta.id) == tags.NONE
    tags.add(tmp_path, made.meta.id, "a", NOW)
    (made.folder / "tags.json").write_text("{")
    with pytest.raises(UsageError, match=r"tags\.json"):
        tags.add(tmp_path, made.meta.id, "b", NOW)


ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["add", "remove", "rename", "approve", "reject", "modify", "again"]),
        st.integers(0, 5),
        st.sampled_from("abAB12"),
    ),
    max_size=30,
)


@given(ACTIONS)
def test_whatever_is_done_no_tag_holds_twice(actions: list[tuple[str, int, str]]) -> None:
    found = proposed(tags.NONE, [proposal(f"p{n}", value) for n, value in enumerate("ab12")])
    for step, (action, number, value) in enumerate(actions):
        ids = [tag.id for tag in (*found.auto, *found.manual)]
        one = ids[number % len(ids)]
        moment = NOW + timedelta(seconds=step)
        try:
            match action:
                case "add":
                    found = added(found, value, moment)
                case "remove":
                    found = removed(found, one)
                case "rename":
                    found = renamed(found, one, value)
                case "again":
                    found = reviewed(found, [Review(one, "modify", value, again=True)], moment)
                case "modify":
                    found = reviewed(found, [Review(one, "modify", value)], moment)
                case _:
                    verb = "approve" if action == "approve" else "reject"
                    found = reviewed(found, [Review(one, verb)], moment)
        except UsageError:
            continue
    approved = [tag.value for tag in found.auto if tag.status == "approved"]
    holding = [value.casefold() for value in (*(t.value for t in found.manual), *approved)]
    assert len(holding) == len(set(holding)) == len(found.effective)
    for tag in found.auto:
        assert (tag.approved_at is not None) == (tag.status == "approved")
        assert (tag.rejected_at is not None) == (tag.status == "rejected")
