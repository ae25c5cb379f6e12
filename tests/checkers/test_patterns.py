"""File patterns against the real thing."""

import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whet.checkers.patterns import matching, mistake

NAMES = st.sampled_from(["a", "b", "ab", "A", ".a", "a.ts", "b.test.ts", ".env", "a[b]", "x\ny"])
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
PARTS = st.sampled_from(
    ["**", "*", "a", "A", "?", "a*", "*b", "*.ts", "*.test.*", ".*", "[ab]", "[!a]", "a[[]b]", "["]
)
PATTERNS = (
    st.lists(PARTS, min_size=1, max_size=4)
    .map("/".join)
    # What **, at the end, finds has changed among versions of Python: folders, later files too.
    .filter(lambda pattern: not pattern.endswith("**"))
)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.sets(PATHS, max_size=6), st.lists(PATTERNS, min_size=1, max_size=8))
def test_a_pattern_finds_what_rglob_finds(paths: set[str], patterns: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        for path in sorted(paths):
            place = root / path
            # A name cannot be a file and a folder.
            if not place.exists() and not any(above.is_file() for above in place.parents):
                place.parent.mkdir(parents=True, exist_ok=True)
                place.touch()
        files = [one.relative_to(root).as_posix() for one in root.rglob("*") if one.is_file()]
        for pattern in patterns:
            found = {one for one in root.rglob(pattern) if one.is_file()}
            expected = sorted(one.relative_to(root).as_posix() for one in found)
            assert matching(pattern, files) == expected, pattern


FILES = ["a.ts", "src/a.ts", "src/b/a.test.ts", "src/b/.hidden", "web/src/A.TS", "src.md"]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("*.ts", ["a.ts", "src/a.ts", "src/b/a.test.ts"]),
        ("a.ts", ["a.ts", "src/a.ts"]),
        ("./a.ts", ["a.ts", "src/a.ts"]),
        ("src/*.ts", ["src/a.ts"]),
        ("src/*", ["src/a.ts", "web/src/A.TS"]),
        ("src/**", ["src/a.ts", "src/b/.hidden", "src/b/a.test.ts", "web/src/A.TS"]),
        ("src/**/*.ts", ["src/a.ts", "src/b/a.test.ts"]),
        ("**/b/*", ["src/b/.hidden", "src/b/a.test.ts"]),
        ("**", sorted(FILES)),
        ("src/a.ts/**", []),
        ("*.TS", ["web/src/A.TS"]),
        (".*", ["src/b/.hidden"]),
        ("src", []),
        ("rc/a.ts", []),
    ],
)
def test_hand_made(pattern: str, expected: list[str]) -> None:
    assert matching(pattern, FILES) == expected


@pytest.mark.parametrize(
    "pattern", ["", ".", "./", "/etc/passwd", "../a", "a/../b", "a/", "a\\b", "a**", "**.ts", "\0"]
)
def test_what_is_no_pattern(pattern: str) -> None:
    assert mistake(pattern)


@pytest.mark.parametrize("pattern", ["*", "**", "a", "a b", "[a-z]?", "x/**/y", ".github/*.yml"])
def test_what_is_one(pattern: str) -> None:
    assert mistake(pattern) is None


def test_many_stars_are_no_trap() -> None:
    begun = time.process_time()
    name = "a" * 250
    assert matching("*a" * 40 + "*b", [name]) == []
    assert matching("**/" * 40 + "b", ["/".join("a" * 500)]) == []
    assert time.process_time() - begun < 20
