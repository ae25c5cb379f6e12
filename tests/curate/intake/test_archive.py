"""Zips: nothing in them leads out, unfolds without end or lies unnoticed."""

import random
import time
import zipfile
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.curate.intake.zips import (
    LINK,
    SCRIPT,
    encrypted,
    forged,
    many,
    unmarked,
    with_claimed_size,
    zipped,
)
from whet.core.errors import InvalidImport, WhetError
from whet.curate import archive
from whet.curate.archive import Tree, archive_bytes, read_archive, stripped

FINE = ("a/SKILL.md", b"Be good.")

names = st.text("abcXYZ 9_é读", min_size=1, max_size=6).filter(lambda n: n == n.strip(" "))
paths = st.lists(names, min_size=1, max_size=3).map("/".join)


def refused(data: bytes) -> str:
    with pytest.raises(InvalidImport) as caught:
        read_archive(data, "x.zip")
    return str(caught.value)


@pytest.mark.parametrize(
    "name",
    [
        *["../out", "a/../../out", "/etc/passwd", "a//b", "./a", "a\\..\\b", "C:/x", "c:x"],
        *["a/CON", "nul.txt", "a/b.", "x\x07", "a\n", "a" * 300, "d/" * 40 + "x", "a/\u202etxt"],
    ],
)
def test_a_name_that_is_no_path_inside_is_refused(name: str) -> None:
    assert "mistake" in refused(zipped(FINE, (name, b"x")))


def test_a_name_with_a_zero_byte_is_not_cut_there() -> None:
    data = zipped(FINE, ("evilZtxt", b"x")).replace(b"evilZtxt", b"evil\0txt")
    assert "evil" in refused(data)


def test_names_in_utf_8_are_read_as_such_whether_the_zip_says_so_or_not() -> None:
    files = (("技能/SKILL.md", b"Be good."), ("技能/参考/说明.md", b"x"))
    assert read_archive(unmarked(zipped(*files)), "x.zip").content == dict(files)
    latin = unmarked(zipped(("caf\u00e9.md", b"x"))).replace("\u00e9".encode(), b"e\x82")
    assert list(read_archive(latin, "x.zip").content) == ["cafe\u00e9.md"]


def test_every_mistake_is_told() -> None:
    text = refused(zipped(("../a", b""), ("/b", b""), ("c", b""), modes={"c": LINK}))
    assert "'../a'" in text
    assert "'/b'" in text
    assert "'c': is a link" in text


@pytest.mark.parametrize(
    ("one", "other"), [("a", "a"), ("A.md", "a.md"), ("é", "e\u0301"), ("a", "a/b"), ("A", "a/b")]
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_files_at_one_place_are_refused(one: str, other: str) -> None:
    assert "mistake" in refused(zipped((one, b"1"), (other, b"2")))


@pytest.mark.parametrize("mode", [LINK, 0o020666, 0o010644, 0o140755, 0o060660])
def test_only_files_and_folders_are_taken(mode: int) -> None:
    assert "is " in refused(zipped(FINE, ("x", b"/etc/passwd"), modes={"x": mode}))


def test_encrypted_files_are_refused() -> None:
    assert "'a/SKILL.md': is encrypted" in refused(encrypted(zipped(FINE)))


def test_other_compressions_are_refused() -> None:
    assert "not supported" in refused(forged(zipped(FINE), 10, zipfile.ZIP_LZMA, "<H"))


def test_too_many_entries_are_refused() -> None:
    within = [f"f{n}" for n in range(archive.MOST_FILES)]
    assert len(read_archive(many(within), "x").content) == archive.MOST_FILES
    assert "2,001 entries" in refused(many([*within, "one"]))


def test_a_directory_without_end_is_not_even_read() -> None:
    data = bytearray(zipped(FINE))
    end = data.rfind(b"PK\5\6")
    data[end + 12 : end + 16] = (50_000_000).to_bytes(4, "little")
    assert "more than 2,000 entries" in refused(bytes(data))


def test_a_file_that_is_too_large_is_refused() -> None:
    claims = with_claimed_size(zipped(FINE), archive.MOST_IN_ONE + 1)
    assert "'a/SKILL.md': is larger than 16 MB" in refused(claims)


def test_a_whole_that_is_too_large_is_refused() -> None:
    claims = with_claimed_size(zipped(*((f"f{n}", b"x") for n in range(5))), 15 * 1024 * 1024)
    assert "more than 64 MB" in refused(claims)


def test_names_without_end_cost_no_time() -> None:
    """Each folder of a path is looked at, but only of paths that may be."""
    data = many([f"{n}/{'a/' * 30_000}x" for n in range(20)])
    begun = time.process_time()
    assert "is longer than 1000 bytes" in refused(data)
    assert time.process_time() - begun < 10


def test_of_many_mistakes_the_first_are_told() -> None:
    text = refused(many([f"../{n}" for n in range(500)]))
    assert "'../19'" in text
    assert "'../20'" not in text
    assert text.endswith("; and 480 more")


def test_a_zip_in_a_zip_is_a_file() -> None:
    inner = zipped(("zeros", bytes(8_000_000)))
    assert read_archive(zipped(FINE, ("inner.zip", inner)), "x").content["inner.zip"] == inner
    layers = inner
    for _ in range(5):
        layers = zipped((f"{len(layers)}.zip", layers), ("SKILL.md", b"x"))
    assert len(read_archive(layers, "x").content) == 2


def test_entries_that_share_their_bytes_count_each_for_itself() -> None:
    """A small body under two thousand names."""
    data = zipped(("a", bytes(1_000_000)))
    start, end = data.find(b"PK\1\2"), data.rfind(b"PK\5\6")
    entry, tail = data[start:end], bytearray(data[end:])
    count = 500
    tail[8:12] = count.to_bytes(2, "little") * 2
    tail[12:16] = (count * len(entry)).to_bytes(4, "little")
    text = refused(data[:start] + entry * count + bytes(tail))
    assert "500 files have this name" in text
    assert "unfolds to more than" in text


def test_a_name_that_is_another_inside_is_found_out() -> None:
    data = zipped(FINE, ("good.txt", b"x"))
    assert "is no zip that can be read" in refused(data.replace(b"good.txt", b"../../up", 1))
    assert "mistake" in refused(data.replace(b"good.txt", b"../../up"))


def believe(*_: object) -> list[str]:
    return []


def test_what_unfolds_beyond_the_limit_is_refused_while_reading(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    noise = random.Random(1).randbytes(300)
    data = zipped(("a", noise), ("b", noise))
    assert len(read_archive(data, "x").content) == 2
    # The directory is believed here, so that only the count while reading is left.
    monkeypatch.setattr(archive, "problems_of", believe)
    monkeypatch.setattr(archive, "SKILL", archive.Caps(599, 599))
    assert "unfolds to more" in refused(data)


def test_a_zip_that_unfolds_a_hundredfold_is_refused() -> None:
    assert "100 times" in refused(zipped(FINE, ("zeros", bytes(8_000_000))))
    assert read_archive(zipped(FINE, ("zeros", bytes(900_000))), "x").content["zeros"] == bytes(
        900_000
    )


@pytest.mark.parametrize("claim", [0, 3, 10, 4_000_000])
def test_a_directory_that_lies_about_a_size_is_found_out(claim: int) -> None:
    data = zipped(("zeros", bytes(8_000_000)))
    text = refused(with_claimed_size(data, claim))
    assert ("unfolds to more" if claim > 10 else "is no zip that can be read") in text


def test_a_bomb_whose_directory_claims_little_never_unfolds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Ten bytes claimed, eight million there: reading stops at the claim and the sum is wrong.
    monkeypatch.setattr(archive, "_CHUNK", 7)
    assert "no zip" in refused(with_claimed_size(zipped(("zeros", bytes(8_000_000))), 10))


def test_executable_bits_are_remembered() -> None:
    tree = read_archive(zipped(FINE, ("run.sh", b"#!"), modes={"run.sh": SCRIPT}), "x")
    assert tree.executables == {"run.sh"}


def test_folders_are_no_files() -> None:
    assert set(read_archive(zipped(("a/", b""), FINE), "x").content) == {"a/SKILL.md"}


def test_one_common_folder_is_stripped_once() -> None:
    inner, top = stripped(Tree({"a/b/x": b"", "a/b/y": b""}, frozenset({"a/b/x"})))
    assert (set(inner.content), inner.executables, top) == ({"b/x", "b/y"}, {"b/x"}, "a")
    flat = Tree({"a/x": b"", "y": b""})
    assert stripped(flat) == (flat, "")
    assert stripped(Tree({"a": b""})) == (Tree({"a": b""}), "")


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_noise_is_refused_in_one_way_only(data: bytes) -> None:
    with pytest.raises(InvalidImport):
        read_archive(data, "x")


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_damaged_zip_is_read_right_or_refused(data: st.DataObject) -> None:
    content = {"a/SKILL.md": b"Be good. " * 20, "a/b.txt": b"x"}
    damaged = bytearray(zipped(*content.items()))
    for place in data.draw(st.lists(st.integers(0, len(damaged) - 1), min_size=1, max_size=4)):
        damaged[place] = data.draw(st.integers(0, 255))
    try:
        tree = read_archive(bytes(damaged), "x")
    except WhetError:
        return
    assert set(tree.content.values()) <= set(content.values())


trees = st.dictionaries(paths, st.binary(max_size=50), min_size=1, max_size=6)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(trees, st.data())
def test_what_is_written_reads_back(content: dict[str, bytes], data: st.DataObject) -> None:
    executables = frozenset(data.draw(st.sets(st.sampled_from(sorted(content)))))
    tree = Tree(content, executables)
    try:
        packed = archive_bytes(tree, "top")
    except InvalidImport:
        assert list(archive.path_problems(list(content)))
        return
    assert stripped(read_archive(packed, "x")) == (tree, "top")
    shuffled = dict(reversed(content.items()))
    assert archive_bytes(Tree(shuffled, executables), "top") == packed


def test_our_own_zips_of_zeros_are_no_bombs() -> None:
    tree = Tree({"SKILL.md": b"x", "zeros": bytes(10_000_000)})
    assert read_archive(archive_bytes(tree), "x") == tree


def test_zips_have_fixed_times_and_modes() -> None:
    tree = Tree({"b": b"2", "a.sh": b"1"}, frozenset({"a.sh"}))
    with zipfile.ZipFile(BytesIO(archive_bytes(tree))) as read:
        entries = read.infolist()
    assert [entry.filename for entry in entries] == ["a.sh", "b"]
    assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}
    assert [oct(entry.external_attr >> 16) for entry in entries] == ["0o100755", "0o100644"]


def test_a_file_without_a_name_is_refused() -> None:
    """A name that begins with a zero byte is an empty one to the library, which breaks on it."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as made:
        made.writestr("x", b"data")
    with pytest.raises(InvalidImport):
        read_archive(buffer.getvalue().replace(b"x", b"\0"), "zip")
