"""Search: where something was found, in which order, and what is shown of it."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.stores.index.libraries import add, identity, write_tags
from whet.core.errors import UsageError
from whet.ports.listing import TextQuery
from whet.stores.index import FileIndex


def found(index: FileIndex, text: str) -> list[tuple[str, tuple[str, ...]]]:
    page = index.search(TextQuery(text))
    assert page.total == len(page.items)
    return [(hit.entry.meta.name, hit.matched_in) for hit in page.items]


def test_every_place_is_searched_and_named(tmp_path: Path, index: FileIndex) -> None:
    add(tmp_path, "alpha one", content="nothing")
    add(tmp_path, "b", tags=("alpha two",))
    add(tmp_path, "c", description="an alpha three")
    add(tmp_path, "d", content="the alpha four")
    add(tmp_path, "e", content=["ask alpha five"])
    add(tmp_path, "f", status="archived", content="alpha")
    assert dict(found(index, "alp")) == {
        "alpha one": ("name",),
        "b": ("tags",),
        "c": ("description",),
        "d": ("content",),
        "e": ("cases",),
    }
    assert [
        hit.entry.meta.name for hit in index.search(TextQuery("alpha", status="archived")).items
    ] == ["f"]
    assert [hit.entry.meta.name for hit in index.search(TextQuery("alp", ("baseline",))).items] == [
        "e"
    ]


def test_words_may_be_in_different_places(tmp_path: Path, index: FileIndex) -> None:
    add(tmp_path, "python 助手", content="生成高质量代码")
    assert found(index, "质量 python") == [("python 助手", ("name", "content"))]
    assert found(index, "质量 rust") == []


def test_what_matters_more_comes_first(tmp_path: Path, index: FileIndex) -> None:
    other = "some other words"
    add(tmp_path, "in content", content="needle", tags=(other,), description=other)
    add(tmp_path, "in description", content=other, tags=(other,), description="needle")
    add(tmp_path, "in tags", content=other, tags=("needle",), description=other)
    add(tmp_path, "needle", content=other, tags=(other,), description=other)
    names = [name for name, _ in found(index, "needle")]
    assert names == ["needle", "in tags", "in description", "in content"]


def test_what_was_taken_out_is_not_found(tmp_path: Path, index: FileIndex) -> None:
    folder = add(tmp_path, "x", content="before 旧的", tags=("old",))
    assert found(index, "旧 before old")
    (folder / "content.txt").write_text("after 新的")
    write_tags(folder, "new")
    index.refresh()
    assert [found(index, word) for word in ("before", "旧", "old")] == [[], [], []]
    assert found(index, "after 新 new")
    add(tmp_path, "x", 2, content="last")
    index.refresh()
    assert [found(index, word) for word in ("after", "新")] == [[], []]
    assert found(index, "last")


def test_a_snippet_is_plain_text_around_the_place(tmp_path: Path, index: FileIndex) -> None:
    text = "Heading\n" + "far " * 50 + "the \x1b[31m Ｎｅｅｄｌｅ <b>here</b> " + "and " * 50
    add(tmp_path, "x", content=text, description="needles are elsewhere")
    (hit,) = index.search(TextQuery("needle")).items
    assert hit.matched_in == ("description", "content")
    assert "Ｎｅｅｄｌｅ <b>here</b> and" in hit.snippet
    assert hit.snippet.startswith("…")
    assert hit.snippet.endswith("…")
    assert hit.snippet.isprintable()
    assert len(hit.snippet) <= 162


@pytest.mark.parametrize(
    "text", ["", "  ", "!!", '"', "* AND", "name:", "\0", "\ud800", "(", "^a b"]
)
def test_no_query_can_break_it(tmp_path: Path, index: FileIndex, text: str) -> None:
    add(tmp_path, "x", content="nothing of it")
    assert index.search(TextQuery(text)).total == 0


def test_a_query_that_is_too_long_is_refused(index: FileIndex) -> None:
    with pytest.raises(UsageError):
        index.search(TextQuery("a" * 1001))
    with pytest.raises(UsageError):
        index.search(TextQuery("a", page=0))


def test_pages_of_hits_are_complete_and_disjoint(tmp_path: Path, index: FileIndex) -> None:
    for number in range(7):
        add(tmp_path, f"n{number}", content="word " * (number % 3 + 1))
    pages = [index.search(TextQuery("word", page=page, page_size=3)) for page in (1, 2, 3, 4)]
    assert [len(page.items) for page in pages] == [3, 3, 1, 0]
    assert {page.total for page in pages} == {7}
    ids = {hit.entry.meta.id for page in pages for hit in page.items}
    assert ids == {identity(f"n{number}") for number in range(7)}


WORDS = st.sampled_from(["python", "pytest", "代码", "代", "码农", "Ｇｏ", "go-lang", "生成代码"])


@pytest.mark.slow
@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(
    texts=st.lists(st.lists(WORDS, max_size=4).map("，".join), min_size=1, max_size=5),
    word=WORDS,
)
def test_hits_are_those_that_have_the_word(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], word: str
) -> None:
    workspace = tmp_path_factory.mktemp("library")
    for number, text in enumerate(texts):
        add(workspace, f"N{number}", content=text)
    index = FileIndex(workspace)
    try:
        hits = {name for name, _ in found(index, word)}
    finally:
        index.close()
    plain = word.replace("Ｇｏ", "go")
    assert hits == {
        f"N{number}" for number, text in enumerate(texts) if plain in text.replace("Ｇｏ", "go")
    }
