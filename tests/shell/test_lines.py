from hypothesis import given
from hypothesis import strategies as st

from whet.shell.lines import LineSplitter


def fed(splitter: LineSplitter, *chunks: bytes) -> list[bytes]:
    return [line for chunk in chunks for line in splitter.feed(chunk)]


@given(st.lists(st.binary(max_size=20)))
def test_chunks_do_not_matter(chunks: list[bytes]):
    splitter = LineSplitter(1000, 100_000)
    lines = [*fed(splitter, *chunks), splitter.rest()]
    assert lines == b"".join(chunks).split(b"\n")
    assert not splitter.truncated


def test_only_a_newline_ends_a_line():
    text = "a\rb\x0bc\x0cd\x85e\u2028f".encode()
    assert fed(LineSplitter(100, 100), text + b"\n\n") == [text, b""]


def test_a_long_line_keeps_its_head_and_the_next_is_whole():
    splitter = LineSplitter(4, 100)
    assert fed(splitter, b"abc", b"def", b"ghi\nnext\n") == [b"abcd", b"next"]
    assert splitter.truncated


def test_a_line_as_long_as_the_limit_is_whole():
    splitter = LineSplitter(4, 9)
    assert fed(splitter, b"abcd\nefgh") == [b"abcd"]
    assert splitter.rest() == b"efgh"
    assert not splitter.truncated


def test_after_the_total_nothing_is_kept():
    splitter = LineSplitter(100, 6)
    assert fed(splitter, b"ab\ncd", b"ef\n", b"gh\n") == [b"ab"]
    assert splitter.rest() == b"cde"
    assert splitter.truncated


@given(st.lists(st.binary(max_size=20)), st.integers(1, 10), st.integers(0, 60))
def test_limits_hold(chunks: list[bytes], line_limit: int, total_limit: int):
    splitter = LineSplitter(line_limit, total_limit)
    lines = [*fed(splitter, *chunks), splitter.rest()]
    whole = b"".join(chunks).split(b"\n")
    assert all(len(line) <= line_limit for line in lines)
    assert sum(map(len, lines)) <= total_limit
    assert all(whole[i].startswith(line) for i, line in enumerate(lines))
    assert splitter.truncated == (lines != whole)
