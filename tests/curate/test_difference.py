"""Two versions side by side: right for every pair of texts, and never without end."""

import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.curate.assets import LATER, baseline, case, package_skill, text_skill
from whet.curate import text_difference
from whet.curate.change import BaselineChange, SkillChange
from whet.curate.difference import Difference, between
from whet.curate.snapshot import SkillSnapshot, read
from whet.curate.versions import edit
from whet.documents.assets import Change, SkillMeta

TEXTS = st.lists(st.sampled_from("aaabcd代"), max_size=30).flatmap(
    lambda lines: st.sampled_from(["\n".join(lines), "".join(f"{line}\n" for line in lines)])
)


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, str]:
    """A text, and the same with a few lines changed, gone or put in, near and far apart."""
    left: list[str] = []
    right: list[str] = []
    for number, length in enumerate(draw(st.lists(st.integers(0, 9), max_size=5))):
        same = [f"{number} {line}\n" for line in range(length)]
        old, new = draw(st.sampled_from([("", "new\n"), ("old\n", ""), ("old\n", "new\n")]))
        left += [*same, old]
        right += [*same, new]
    return "".join(left), "".join(right)


PAIRS = st.tuples(TEXTS, TEXTS) | edited()
META = SkillMeta(
    id="x",
    name="X",
    purpose="code",
    provider="me",
    version="v1",
    version_count=1,
    content_file="content.txt",
    status="active",
    created_at="",
    updated_at="",
)


def compared(left: str, right: str) -> Difference:
    second = META.model_copy(update={"version": "v2"})
    return between(SkillSnapshot(META, left.encode()), SkillSnapshot(second, right.encode()))


def patched(text: str, unified: str) -> str:
    """A unified diff applied to the text, as any patch program would."""
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    result: list[str] = []
    at, mark = 0, ""
    for line in re.findall(r"[^\n]*\n", unified)[2:]:
        if found := re.fullmatch(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n", line):
            start = int(found[1]) - (found[2] != "0")
            result += lines[at:start]
            at = start
            assert len(result) == int(found[3]) - (found[4] != "0")
        elif line.startswith("\\"):
            if mark == "+":
                result[-1] = result[-1].removesuffix("\n")
        elif line[0] == "+":
            result.append(line[1:])
        else:
            assert lines[at].removesuffix("\n") == line[1:].removesuffix("\n")
            if line[0] == " ":
                result.append(lines[at])
            at += 1
        mark = line[0]
    return "".join(result + lines[at:])


def shown(text: str) -> list[tuple[int, str]]:
    return list(
        enumerate([line.removesuffix("\n") for line in re.findall(r"[^\n]*\n|[^\n]+", text)], 1)
    )


@given(PAIRS)
def test_the_unified_diff_makes_one_text_of_the_other(pair: tuple[str, str]) -> None:
    left, right = pair
    found = compared(left, right)
    assert (found.unified == "") == (left == right)
    if left == right:
        return
    assert found.unified.startswith("--- v1\n+++ v2\n@@ ")
    assert patched(left, found.unified) == right
    assert not found.is_cut


@given(PAIRS)
def test_every_line_of_both_sides_is_in_the_rows(pair: tuple[str, str]) -> None:
    left, right = pair
    rows = compared(left, right).rows
    assert [(row.left.number, row.left.text) for row in rows if row.left] == shown(left)
    assert [(row.right.number, row.right.text) for row in rows if row.right] == shown(right)
    for row in rows:
        if row.kind == "equal":
            assert row.left
            assert row.right
            assert row.left.text == row.right.text
        sides = (row.left is not None, row.right is not None)
        wanted = {"added": (False, True), "removed": (True, False)}.get(row.kind, (True, True))
        assert sides == wanted
    assert all(row.kind == "equal" for row in rows) == (left == right)


def test_a_diff_by_hand() -> None:
    left = "".join(f"{number}\n" for number in range(1, 21))
    right = left.replace("2\n3\n", "two\n3\nmore\n", 1).replace("20\n", "20")
    assert compared(left, right).unified == (
        "--- v1\n+++ v2\n"
        "@@ -1,6 +1,7 @@\n 1\n-2\n+two\n 3\n+more\n 4\n 5\n 6\n"
        "@@ -17,4 +18,4 @@\n 17\n 18\n 19\n-20\n+20\n\\ No newline at end of file\n"
    )


def test_line_ends_and_odd_separators_are_told_apart() -> None:
    rows = compared("a\r\nb\u2028c\x0cd\n", "a\nb\u2028c\x0cd\n").rows
    assert [row.kind for row in rows] == ["changed", "equal"]


@pytest.mark.slow
def test_hostile_texts_take_bounded_time() -> None:
    many = [f"{number % 100}\n" for number in range(text_difference.MOST_COMPARED)]
    start = time.monotonic()
    compared("x\n" + "".join(many), "y\n" + "".join(reversed(many)))
    found = compared("a\n" * 200_000, "b\n" * 200_000)
    assert time.monotonic() - start < 30
    assert found.is_cut
    assert len(found.rows) == text_difference.MOST_ROWS
    assert compared("x" * 1_000_000, "y").is_cut
    assert len(compared("x" * 1_000_000, "y").unified) < 2 * text_difference.LONGEST_LINE


def test_beyond_the_bound_the_middle_is_told_as_a_whole() -> None:
    middle = "".join(f"{number}\n" for number in range(text_difference.MOST_COMPARED))
    left, right = f"same\nold\n{middle}end\n", f"same\nnew\n{middle}more\nend\n"
    found = compared(left, right)
    assert patched(left, found.unified) == right
    assert [row.kind for row in found.rows].count("equal") == 2


def test_two_versions_that_are_no_neighbours(tmp_path: Path) -> None:
    first = package_skill(tmp_path)
    edit(tmp_path, first.meta.id, "v1", SkillChange(content="One.\n"), LATER)
    change = SkillChange(name="Author", package={"SKILL.md": b"Two.\n", "new": b""})
    third = edit(tmp_path, first.meta.id, "v2", change, LATER)
    found = between(read(first), read(third))
    assert (found.left, found.right) == ("v1", "v3")
    assert found.meta["name"].before == "Writer"
    assert sorted(found.files) == ["data.bin", "evals/evals.json", "new", "scripts/run.sh"]
    assert "-Be careful.\n+Two.\n" in found.unified
    backwards = between(read(third), read(first))
    assert backwards.meta["name"].after == "Writer"
    assert found.model_dump(mode="json")["meta"] == {
        "name": {"before": "Writer", "after": "Author"}
    }


def test_cases_of_two_versions(tmp_path: Path) -> None:
    first = baseline(tmp_path)
    one, two = read(first).cases
    change = BaselineChange(cases=(one.model_copy(update={"input": "Other."}), two, case()))
    second = edit(tmp_path, first.meta.id, "v1", change, LATER)
    found = between(read(first), read(second))
    assert list(found.cases) == ["case_001", "case_003"]
    assert '-    "input": "Sort a list.",\n+    "input": "Other.",\n' in found.unified


def test_the_same_version_has_no_difference(tmp_path: Path) -> None:
    first = read(text_skill(tmp_path))
    found = between(first, first)
    assert (found.unified, found.changed_fields, found.meta, found.files) == ("", (), {}, {})
    assert [row.kind for row in found.rows] == ["equal"]


def test_the_rubric_and_the_order_of_cases_are_told(tmp_path: Path) -> None:
    first = baseline(tmp_path)
    one, two = read(first).cases
    change = BaselineChange(cases=(two, one), rubric="strict")
    told = between(read(first), read(edit(tmp_path, first.meta.id, "v1", change, LATER)))
    assert told.rubric == Change(before=None, after="strict")
    assert told.case_order == Change(before=[one.id, two.id], after=[two.id, one.id])
    assert told.executables is None


def test_files_that_may_be_executed_are_told(tmp_path: Path) -> None:
    first = package_skill(tmp_path)
    change = SkillChange(executables=frozenset({"data.bin"}))
    told = between(read(first), read(edit(tmp_path, first.meta.id, "v1", change, LATER)))
    assert told.executables == Change(before=["scripts/run.sh"], after=["data.bin"])
    assert (told.rubric, told.case_order) == (None, None)
