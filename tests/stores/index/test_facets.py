"""What active assets can be chosen by."""

from pathlib import Path

import pytest

from tests.stores.index.libraries import add, write_tags
from whet.core.asset_query import AssetQuery
from whet.ports.facets import Facet, Facets
from whet.ports.listing import Kind
from whet.stores.index import FileIndex
from whet.stores.index.facets import MOST_FACETS


def test_the_most_frequent_come_first_then_by_name(tmp_path: Path, index: FileIndex) -> None:
    add(tmp_path, "a", purpose="review", provider="you", tags=("x", "测试"))
    add(tmp_path, "b", purpose="data", tags=("y", "x", "b"))
    add(tmp_path, "c", 1, purpose="old", tags=("gone",))
    add(tmp_path, "c", 2, purpose="data", tags=("b",))
    add(tmp_path, "d", status="archived", purpose="archived", tags=("archived", "x"))
    add(tmp_path, "e", content=["one"], purpose="cases", tags=("x",))
    assert index.facets("skill") == Facets(
        purposes=(Facet("data", 2), Facet("review", 1)),
        providers=(Facet("me", 2), Facet("you", 1)),
        tags=(Facet("b", 2), Facet("x", 2), Facet("y", 1), Facet("测试", 1)),
    )
    assert index.facets("baseline") == Facets(
        (Facet("cases", 1),), (Facet("me", 1),), (Facet("x", 1),)
    )


def test_a_tag_is_written_as_most_write_it(tmp_path: Path, index: FileIndex) -> None:
    for number, tag in enumerate(("Python", "python", "python", "PYTHON", "b", "B")):
        add(tmp_path, str(number), tags=(tag, tag.title()))
    folder = add(tmp_path, "waiting")
    write_tags(folder, pending=("maybe",))
    assert index.facets("skill").tags == (Facet("python", 4), Facet("B", 2))


@pytest.mark.parametrize("kind", ["skill", "baseline"])
def test_without_assets_there_is_nothing_to_choose(index: FileIndex, kind: Kind) -> None:
    assert index.facets(kind) == Facets((), (), ())


def test_what_can_be_chosen_finds_as_many_as_it_says(tmp_path: Path, index: FileIndex) -> None:
    nasty = "'; DROP TABLE tags; --"
    add(tmp_path, "a", tags=(nasty, "x\0y", "ＸＹＺ"), purpose="code")
    add(tmp_path, "b", tags=("xyz", "Xyz"), provider=nasty)
    found = index.facets("skill")
    assert [facet.count for facet in found.tags] == [2, 1, 1]
    for facet in found.tags:
        assert index.skills(AssetQuery(tag=(facet.value,))).total == facet.count
    for facet in found.providers:
        assert index.skills(AssetQuery(provider=facet.value)).total == facet.count
    for facet in found.purposes:
        assert index.skills(AssetQuery(purpose=facet.value)).total == facet.count


def test_of_very_many_only_the_first_are_told(tmp_path: Path, index: FileIndex) -> None:
    many = tuple(f"tag {number:04}" for number in range(MOST_FACETS + 5))
    add(tmp_path, "a", tags=many)
    add(tmp_path, "b", tags=many[-1:])
    found = index.facets("skill").tags
    assert [facet.value for facet in found] == [many[-1], *many[: MOST_FACETS - 1]]
