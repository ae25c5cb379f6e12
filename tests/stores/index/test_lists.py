"""Lists: filters, order, pages, and the one that is meant."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from tests.stores.index.libraries import add, identity, write_tags
from whet.core.asset_query import AssetQuery, PackageQuery, SkillQuery
from whet.core.errors import NotFound, UsageError
from whet.stores.index import FileIndex


def names(index: FileIndex, query: AssetQuery) -> list[str]:
    return [entry.meta.name for entry in index.skills(query).items]


def test_an_entry_has_all_that_a_list_shows(tmp_path: Path, index: FileIndex) -> None:
    add(tmp_path, "Writer", 1, "old")
    newest = add(tmp_path, "Writer", 2, "x" * 300, author="Ann", package_version="9")
    write_tags(newest, "Python", "python", pending=("maybe",))
    (entry,) = index.skills(AssetQuery()).items
    assert (entry.meta.author, entry.meta.package_version) == ("Ann", "9")
    assert entry.folder == newest.relative_to(tmp_path).as_posix()
    assert (entry.tags, entry.pending_tag_count) == (("Python",), 1)
    assert (entry.content_preview, entry.case_count) == ("x" * 200, None)
    assert [(v.version, v.edited_outside) for v in entry.versions] == [("v1", False), ("v2", False)]
    assert not entry.edited_outside
    assert not entry.is_package


def test_a_baseline_tells_its_cases(tmp_path: Path, index: FileIndex) -> None:
    add(tmp_path, "Tests", content=["one", "two"], case_count=7)
    (entry,) = index.baselines(AssetQuery()).items
    assert (entry.case_count, entry.content_preview) == (2, "Number 1, Number 2")
    assert index.skills(AssetQuery()).total == 0


def test_filters_hold_together(tmp_path: Path, index: FileIndex) -> None:
    add(tmp_path, "a", purpose="review", tags=("x", "Y"))
    add(tmp_path, "b", provider="you", type="agent", tags=("x",))
    add(tmp_path, "c", status="archived", description="Finds GROẞE Fehler")
    every = AssetQuery(sort="name", order="asc", status="all")
    assert names(index, AssetQuery(sort="name", order="asc")) == ["a", "b"]
    assert names(index, every) == ["a", "b", "c"]
    assert names(index, AssetQuery(purpose="review")) == ["a"]
    assert names(index, SkillQuery(provider="you", type="agent")) == ["b"]
    assert names(index, AssetQuery(tag=("X", "y"))) == ["a"]
    assert names(index, AssetQuery(tag=("x",), purpose="code")) == ["b"]
    assert names(index, AssetQuery(status="archived", keyword="grosse f")) == ["c"]
    assert names(index, AssetQuery(status="all", keyword="%")) == []


def test_packages_are_found_by_what_they_call_themselves(tmp_path: Path, index: FileIndex) -> None:
    add(tmp_path, "plain")
    add(tmp_path, "Mine", package_id="report", package_version="1.0")
    add(tmp_path, "older", package_version="0.1")
    add(tmp_path, "was one", 1, package_id="gone", package_version="1.0")
    add(tmp_path, "was one", 2)
    every = PackageQuery(sort="name", order="asc")
    assert names(index, every) == ["Mine", "older"]
    assert names(index, PackageQuery(package="report")) == ["Mine"]
    assert names(index, PackageQuery(package="older")) == ["older"], "called as it is"
    for nobody in ("Mine", "plain", "gone", "Report", "", "%"):
        assert names(index, PackageQuery(package=nobody)) == []


def test_order_is_by_time_and_not_by_how_it_is_written(tmp_path: Path, index: FileIndex) -> None:
    for name, moment in (
        ("half", "2024-01-01T12:00:00.500Z"),
        ("first", "2024-01-01T12:00:00Z"),
        ("east", "2024-01-01T19:59:59+08:00"),
        ("never", "soon"),
    ):
        add(tmp_path, name, updated_at=moment)
    assert names(index, AssetQuery()) == ["half", "first", "east", "never"]
    assert names(index, AssetQuery(sort="name", order="asc")) == [
        "east",
        "first",
        "half",
        "never",
    ]


@pytest.mark.parametrize("size", [1, 3, 200])
def test_pages_are_complete_and_disjoint(tmp_path: Path, index: FileIndex, size: int) -> None:
    for number in range(7):
        add(tmp_path, f"n{number}", description="same")
    seen: list[str] = []
    for page in range(1, 9):
        assert index.skills(AssetQuery(page=page, page_size=size)).total == 7
        seen += names(index, AssetQuery(page=page, page_size=size))
    assert sorted(seen) == [f"n{number}" for number in range(7)]


@pytest.mark.parametrize(
    ("name", "value"), [("page", 0), ("page", 1_000_001), ("page_size", 0), ("page_size", 201)]
)
def test_a_page_that_cannot_be_is_refused(name: str, value: int) -> None:
    with pytest.raises(ValidationError, match=name):
        AssetQuery.model_validate({name: value})


def test_an_asset_is_named_by_id_beginning_or_name(tmp_path: Path, index: FileIndex) -> None:
    one = identity("one")
    add(tmp_path, "one")
    add(tmp_path, "two", status="archived")
    add(tmp_path, "twin", id="aaaa1111")
    add(tmp_path, "twin2", id="aaaa2222")
    add(tmp_path, "aaaa1111", id="bbbb3333")
    for reference in (one, one[:8], one[:4], "one"):
        assert index.get("skill", reference).meta.name == "one"
    assert index.get("skill", "two").meta.status == "archived"
    assert index.get("skill", "aaaa1111").meta.name == "twin"
    with pytest.raises(UsageError, match="aaaa1111, aaaa2222"):
        index.get("skill", "aaaa")
    for nobody in ("", one[:3], "%", "nobody", "\ud800"):
        with pytest.raises(NotFound):
            index.get("skill", nobody)
    with pytest.raises(NotFound):
        index.get("baseline", "one")


def test_a_name_is_that_of_the_active_one(tmp_path: Path, index: FileIndex) -> None:
    add(tmp_path, "Writer", id="aaaa1111", provider="a", status="archived")
    add(tmp_path, "Writer", id="bbbb2222", provider="b")
    assert index.get("skill", "Writer").meta.id == "bbbb2222"
    assert index.get("skill", "aaaa").meta.status == "archived"
    add(tmp_path, "Writer", id="cccc3333", provider="c")
    index.refresh()
    with pytest.raises(UsageError, match=r"use an id: bbbb2222, cccc3333$"):
        index.get("skill", "Writer")


def test_words_from_outside_are_data(tmp_path: Path, index: FileIndex) -> None:
    nasty = "'; DROP TABLE assets; --\0"
    half = f"{nasty} \ud800"
    add(tmp_path, "x", tags=(nasty,), description=half)
    query = AssetQuery(purpose=nasty, provider=nasty, tag=(nasty,), keyword=nasty)
    assert index.skills(query).total == 0
    assert names(index, AssetQuery(tag=(nasty,))) == ["x"]
    assert index.skills(AssetQuery()).items[0].meta.description == half
    assert names(index, AssetQuery(keyword=half)) == ["x"]


def test_a_name_is_found_however_its_characters_are_composed(
    tmp_path: Path, index: FileIndex
) -> None:
    add(tmp_path, "Caf\u00e9")
    add(tmp_path, "Re\u0301sume\u0301 ")
    assert index.get("skill", " Cafe\u0301").meta.name == "Caf\u00e9"
    assert index.get("skill", "R\u00e9sum\u00e9").meta.id == identity("Re\u0301sume\u0301 ")
    with pytest.raises(NotFound):
        index.get("skill", "Cafe")
    add(tmp_path, "x", purpose="\u00e9tude")
    index.refresh()
    assert names(index, AssetQuery(purpose="e\u0301tude")) == ["x"]


def test_a_name_that_nobody_has_any_more_is_that_of_who_had_it(
    tmp_path: Path, index: FileIndex
) -> None:
    add(tmp_path, "Old", id="aaaa1111")
    add(tmp_path, "New", version=2, id="aaaa1111")
    assert index.get("skill", "Old").meta.name == "New"
    add(tmp_path, "Old", version=3, id="bbbb2222")
    index.refresh()
    assert index.get("skill", "Old").meta.id == "bbbb2222"


def test_a_list_is_narrowed_by_some_tags_and_not_by_thousands(index: FileIndex) -> None:
    assert index.skills(AssetQuery(tag=tuple(map(str, range(100))))).total == 0
    with pytest.raises(UsageError, match="at most 100 tags"):
        index.skills(AssetQuery(tag=tuple(map(str, range(2000)))))
