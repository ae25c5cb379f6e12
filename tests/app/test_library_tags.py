"""Tags by any of their names, and what a person says to proposed ones."""

from typing import Literal

import pytest

from whet.app.library import tags
from whet.app.library.library import Library
from whet.app.library.tags import Labels, TagReview
from whet.app.library.views import page
from whet.core.asset_query import AssetQuery
from whet.core.errors import Conflict, NotFound, UsageError
from whet.curate.draft import About, SkillDraft
from whet.curate.tags import load
from whet.documents.assets import AutoTag, Tags

Status = Literal["pending", "approved", "rejected"]


@pytest.fixture(autouse=True)
def writer(skills: Library) -> Library:
    """A skill of that name."""
    skills.create(SkillDraft(About("Writer", "code", "me"), content="x"))
    return skills


def propose(shelf: Library, *proposed: tuple[str, str, Status]) -> None:
    """Tags as a model's proposals leave them: id, wording, what was said."""
    folder = shelf.version("Writer").folder
    made = tuple(
        AutoTag(id=identity, value=value, status=status, generated_at="2024", log_ref="")
        for identity, value, status in proposed
    )
    before = load(folder)
    after = Tags(manual=before.manual, auto=(*before.auto, *made))
    (folder / "tags.json").write_text(after.to_json())
    shelf.index.refresh()


def states(found: Labels) -> dict[str, str]:
    return {str(tag["id"]): str(tag["status"]) for tag in found.auto}


def listed(shelf: Library) -> tuple[tuple[str, ...], int]:
    """What a list shows: tags, and how many wait."""
    (item,) = page(shelf, AssetQuery()).items
    return item.tags, item.pending_tag_count


def test_tags_are_added_all_or_none(skills: Library) -> None:
    found = tags.add(skills, "Writer", ["Python", " 代码 "])
    assert found.tags == ("Python", "代码")
    assert listed(skills) == (("Python", "代码"), 0)
    for values, says in (
        ([], "no tag was given"),
        (["new", "PYTHON"], "there already"),
        (["new", "New"], "there already"),
        (["new", "a\nb"], "cannot be printed"),
        (["new", "x" * 101], "longer than 100"),
    ):
        with pytest.raises(UsageError, match=says):
            tags.add(skills, "Writer", values)
    assert tags.labels(skills, "Writer").tags == ("Python", "代码")


def test_a_tag_is_found_by_id_its_beginning_or_its_wording(skills: Library) -> None:
    found = tags.add(skills, "Writer", ["Python", "二", "three"])
    first, second, third = (str(tag["id"]) for tag in found.manual)
    assert tags.rename(skills, "Writer", first, "one").tags == ("one", "二", "three")
    assert tags.rename(skills, "Writer", second[:8], "two").tags == ("one", "two", "three")
    assert tags.rename(skills, "Writer", " ＴＨＲＥＥ ", "3").tags == ("one", "two", "3")
    for wanted in (third[:3], "nobody", "", "%"):
        with pytest.raises(NotFound, match="no tag"):
            tags.rename(skills, "Writer", wanted, "x")


def test_what_several_fit_has_to_be_named_by_its_id(skills: Library) -> None:
    propose(skills, ("aaaa-1", "x", "rejected"), ("aaaa-2", "X", "rejected"))
    for wanted in ("x", "aaaa"):
        with pytest.raises(UsageError, match="use an id: aaaa-1, aaaa-2"):
            tags.review(skills, "Writer", [TagReview(tag=wanted, action="approve", again=True)])
    done = tags.review(skills, "Writer", [TagReview(tag="aaaa-2", action="approve", again=True)])
    assert done.tags == ("X",)


def test_a_wording_goes_before_the_beginning_of_an_id(skills: Library) -> None:
    propose(skills, ("cafe-1", "other", "pending"), ("x-2", "cafe", "pending"))
    done = tags.review(skills, "Writer", [TagReview(tag="cafe", action="approve")])
    assert states(done) == {"cafe-1": "pending", "x-2": "approved"}


def test_of_twins_the_one_that_waits_is_meant(skills: Library) -> None:
    propose(skills, ("old", "fast", "rejected"), ("new", "fast", "pending"))
    done = tags.review(skills, "Writer", [TagReview(tag="fast", action="approve")])
    assert states(done) == {"old": "rejected", "new": "approved"}
    assert listed(skills) == (("fast",), 0)


def test_tags_are_taken_away_all_or_none(skills: Library) -> None:
    tags.add(skills, "Writer", ["mine", "other"])
    propose(skills, ("a", "approved", "approved"), ("b", "waiting", "pending"))
    with pytest.raises(NotFound, match="'waiting'"):
        tags.remove(skills, "Writer", "mine", "waiting")
    assert tags.labels(skills, "Writer").tags == ("mine", "other", "approved")
    done = tags.remove(skills, "Writer", "mine", "approved", "MINE")
    assert done.tags == ("other",)
    assert states(done) == {"a": "rejected", "b": "pending"}, "what was proposed is on record"
    assert listed(skills) == (("other",), 1)


def test_all_that_was_said_holds_or_none_of_it(skills: Library) -> None:
    tags.add(skills, "Writer", ["there"])
    proposals: list[tuple[str, str, Status]] = [
        ("a", "one", "pending"),
        ("b", "two", "pending"),
        ("c", "there", "pending"),
        ("d", "said", "rejected"),
    ]
    propose(skills, *proposals)
    yes = TagReview(tag="one", action="approve")
    refused: list[tuple[TagReview, type[UsageError]]] = [
        (TagReview(tag="gone", action="approve"), NotFound),
        (TagReview(tag="said", action="approve"), Conflict),
        (TagReview(tag="c", action="approve"), UsageError),
        (TagReview(tag="two", action="modify"), UsageError),
        (TagReview(tag="two", action="modify", value=""), UsageError),
    ]
    for second, error in refused:
        with pytest.raises(error):
            tags.review(skills, "Writer", [yes, second])
    assert states(tags.labels(skills, "Writer"))["a"] == "pending"
    better = TagReview(tag="two", action="modify", value="zwei")
    no = TagReview(tag="c", action="reject")
    done = tags.review(skills, "Writer", [yes, better, no])
    assert done.tags == ("there", "one", "zwei")
    assert states(done) == {"a": "approved", "b": "approved", "c": "rejected", "d": "rejected"}


def test_the_others_that_wait_get_one_answer(skills: Library) -> None:
    tags.add(skills, "Writer", ["there"])
    propose(skills, ("a", "one", "pending"), ("b", "there", "pending"), ("c", "old", "rejected"))
    with pytest.raises(UsageError, match="there already"):
        tags.review(skills, "Writer", [], "approve")
    assert listed(skills) == (("there",), 2)
    no = TagReview(tag="b", action="reject")
    done = tags.review(skills, "Writer", [no], "approve")
    assert states(done) == {"a": "approved", "b": "rejected", "c": "rejected"}
    assert states(tags.review(skills, "Writer", [], "reject")) == states(done), "nobody waits"


def test_tags_go_with_the_asset(skills: Library) -> None:
    tags.add(skills, "Writer", ["mine"])
    skills.edit("Writer", {"content": "y"})
    assert tags.labels(skills, "Writer").tags == ("mine",)
    with pytest.raises(NotFound):
        tags.labels(skills, "nobody")
