"""Checks of files, each case worked out by hand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from tests.checkers.subjects import check, left, mistakes
from whet.checkers import search
from whet.checkers.fields import OPERATORS

CODE = (
    "import x\nexpect(vi.fn()).ok\nconst onSubmit = vi.fn()\n// vi.mock is banned\n  vi.spyOn()\n"
)


def test_a_file_exists() -> None:
    result = check(left({"src/a.test.ts": ""}), "file_exists", pattern="*.test.ts")
    assert (result.outcome, result.score) == ("passed", 1)
    assert result.evidence == "Found: src/a.test.ts"


def test_no_file_exists() -> None:
    result = check(left({"a.ts": ""}), "file_exists", pattern="*.test.ts")
    assert (result.outcome, result.score) == ("failed", 0)
    assert "*.test.ts" in result.evidence


def test_five_names_are_evidence_enough() -> None:
    result = check(left({f"{n}.ts": "" for n in range(8)}), "file_exists", pattern="*.ts")
    assert result.evidence == "Found: 0.ts, 1.ts, 2.ts, 3.ts, 4.ts and 3 more"


def test_a_name_with_a_newline_stays_on_its_line() -> None:
    result = check(left({"a\nb.ts": "needle"}), "file_contains", pattern="*", match="needle")
    assert result.evidence == "a\\nb.ts:1: needle"


def test_the_expected_path_is_no_pattern() -> None:
    files: dict[str, str | bytes] = {"out/report.md": "", "deep/out/a.md": ""}
    assert check(left(files), "file_exists", expected="out/report.md").passed
    assert not check(left(files), "file_exists", expected="out/a.md").passed
    assert not check(left(files), "file_exists", expected="out/*.md").passed


def test_outputs_that_were_not_all_kept_are_mentioned() -> None:
    result = check(left({}, outputs_cut=True), "file_exists", pattern="a")
    assert "not all outputs were kept" in result.evidence


@pytest.mark.parametrize(
    ("fields", "evidence"),
    [
        ({"match": "vi.fn()"}, "a.ts:2: expect(vi.fn()).ok"),
        ({"match": "x\nexpect"}, "a.ts:1: import x"),
        ({"match_any": ["nowhere", "onSubmit"]}, "a.ts:3: const onSubmit = vi.fn()"),
        ({"match_any": ["onSubmit"], "match": "import"}, "a.ts:1: import x"),
        ({"match_any": ["onSubmit", "import"]}, "a.ts:1: import x"),
        ({"match_regex": "onSubmit"}, "a.ts:3: const onSubmit = vi.fn()"),
        ({"match_regex": r"x\nexp"}, "a.ts:1: import x"),
        ({"match_regex": r"(?m)^const\s+\w+"}, "a.ts:3: const onSubmit = vi.fn()"),
    ],
)
def test_a_file_contains_it(fields: dict[str, JsonValue], evidence: str) -> None:
    files: dict[str, str | bytes] = {"0.ts": "nothing", "a.ts": CODE.replace("\n", "\r\n")}
    result = check(left(files), "file_contains", pattern="*.ts", **fields)
    assert (result.outcome, result.evidence) == ("passed", evidence)


@pytest.mark.parametrize("fields", [{"match": "IMPORT"}, {"match_regex": "^const"}])
def test_no_file_contains_it(fields: dict[str, str]) -> None:
    result = check(left({"a.ts": CODE}), "file_contains", pattern="*.ts", **fields)
    assert (result.outcome, result.evidence) == ("failed", "Not found in a.ts")


def test_evidence_has_no_space_around_it() -> None:
    result = check(left({"a.ts": CODE}), "file_contains", pattern="*", match="spyOn")
    assert result.evidence == "a.ts:5: vi.spyOn()"


def test_no_file_contains_nothing() -> None:
    result = check(left({}), "file_contains", pattern="*.ts", match="x")
    assert result.outcome == "failed"


def test_text_at_a_path() -> None:
    subject = left({"out/a.txt": "alpha beta"})
    wanted: dict[str, JsonValue] = {"path": "out/a.txt", "text": "beta"}
    assert check(subject, "file_contains", expected=wanted).passed
    assert not check(subject, "file_contains", expected={**wanted, "path": "a.txt"}).passed


def test_a_line_has_what_it_must_not() -> None:
    result = check(left({"a.ts": CODE}), "file_not_contains", pattern="*.ts", match="vi.")
    assert result.outcome == "failed"
    # Comments count: nothing says that they do not.
    assert result.evidence == (
        "a.ts:2: expect(vi.fn()).ok; a.ts:3: const onSubmit = vi.fn(); a.ts:4: // vi.mock is banned"
    )


def test_context_on_the_same_line_exempts() -> None:
    def outcome(text: str) -> str:
        fields: dict[str, JsonValue] = {
            "match_regex": r"vi\.fn\(\)",
            "except_context": ["onSubmit", "onClick"],
        }
        return check(left({"a": text}), "file_not_contains", pattern="*", **fields).outcome

    assert outcome("onSubmit = vi.fn()\nx = 1\nonClick = vi.fn()") == "passed"
    assert outcome("onSubmit\nx = vi.fn()") == "failed"


def test_each_line_is_searched_by_itself() -> None:
    def outcome(regex: str) -> str:
        subject = left({"a": "one\ntwo"})
        return check(subject, "file_not_contains", pattern="*", match_regex=regex).outcome

    assert outcome(r"^two$") == "failed"
    assert outcome(r"one\s+two") == "passed"


def test_without_files_it_is_vacuous() -> None:
    result = check(left({}), "file_not_contains", pattern="*.ts", match="x")
    assert (result.outcome, result.passed, result.vacuous) == ("vacuous", True, True)
    assert result.evidence.startswith("vacuous: no file")


@pytest.mark.parametrize(
    ("count", "operator", "good"),
    [
        (2, None, True),
        (1, None, True),
        (3, None, False),
        (2, "==", True),
        (1, "==", False),
        (2, "<=", True),
        (1, "<=", False),
        (2, ">", False),
        (1, ">", True),
        (2, "<", False),
        (3, "<", True),
        (0, ">=", True),
    ],
)
def test_files_are_counted(count: int, operator: str | None, good: bool) -> None:  # noqa: FBT001
    subject = left({"a.ts": "", "b/c.ts": "", "d.md": ""})
    more = {"operator": operator} if operator else {}
    assert check(subject, "file_count", pattern="*.ts", count=count, **more).passed is good


def test_files_that_are_counted_are_named() -> None:
    result = check(left({"a.ts": ""}), "file_count", pattern="*.ts", count=2)
    assert result.evidence == "1 file matches the pattern *.ts, expected >= 2: a.ts"


@settings(deadline=None)
@given(st.integers(0, 9), st.integers(0, 9))
def test_operators_fit_together(found: int, count: int) -> None:
    holds = {name: compare(found, count) for name, compare in OPERATORS.items()}
    assert holds["<"] != holds[">="]
    assert holds[">"] != holds["<="]
    assert holds["=="] == (holds[">="] and holds["<="])


LINES = st.text("ab \r\n\x0c\u2028é", max_size=12)
TERMS = st.text("abé ", min_size=1, max_size=2)


@settings(deadline=None)
@given(
    st.dictionaries(st.sampled_from(["a", "b", "c/d"]), LINES, min_size=1),
    st.lists(TERMS, min_size=1, max_size=3),
)
def test_either_it_contains_or_it_does_not(files: dict[str, str], terms: list[str]) -> None:
    subject = left(dict(files))
    has = check(subject, "file_contains", pattern="*", match_any=list(terms))
    lacks = check(subject, "file_not_contains", pattern="*", match_any=list(terms))
    assert has.passed is not lacks.passed
    assert has.passed is any(term in text for term in terms for text in files.values())
    if has.passed:
        assert lacks.evidence.split("; ")[0] == has.evidence


def test_binary_files_are_searched_like_others() -> None:
    subject = left({"a.bin": b"\x00\xff\xfe needle \x80\x00"})
    result = check(subject, "file_contains", pattern="*", match="needle")
    assert result.passed
    assert result.evidence.isprintable()


def test_a_long_line_is_cut() -> None:
    result = check(left({"a": "x" * 10_000}), "file_contains", pattern="a", match="x")
    assert len(result.evidence) == len("a:1: ") + 100


def test_nothing_hides_in_a_huge_file() -> None:
    huge = b"a" * search.MOST_BYTES + b"\nneedle"
    has = check(left({"a": huge}), "file_contains", pattern="a", match="needle")
    lacks = check(left({"a": huge}), "file_not_contains", pattern="a", match="needle")
    assert [has.outcome, lacks.outcome] == ["failed", "failed"]
    assert "only the first 16 MiB of a" in has.evidence
    assert "too large" in (lacks.error or "")


@pytest.mark.parametrize(
    ("type_", "fields", "parts"),
    [
        ("file_exists", {}, ["pattern is missing"]),
        ("file_exists", {"pattern": "/a", "count": 1}, ["absolute", "count is not a field"]),
        ("file_exists", {"pattern": 3}, ["must be a string"]),
        ("file_exists", {"expected": "../a"}, ["relative path"]),
        ("file_contains", {"pattern": "a"}, ["match, match_any or match_regex is missing"]),
        ("file_contains", {"pattern": "..", "match_regex": "("}, ["'..'", "regular expression"]),
        ("file_contains", {"pattern": "a", "match_regex": "a", "match": "b"}, ["match is ignored"]),
        ("file_contains", {"pattern": "a", "match_any": []}, ["must not be empty"]),
        ("file_contains", {"pattern": "a", "match": ""}, ["must not be empty"]),
        ("file_contains", {"pattern": "a", "match": "b", "except_context": ["c"]}, ["not a field"]),
        ("file_contains", {"expected": {"path": "/a"}}, ["text is missing"]),
        ("file_not_contains", {"pattern": "a", "match": "b\nc"}, ["line break"]),
        ("file_not_contains", {"pattern": "a", "match": "b", "except_context": [1]}, ["strings"]),
        ("file_count", {"pattern": "a", "count": -1, "operator": "!="}, ["negative", "one of =="]),
        ("file_count", {"pattern": "a", "count": True}, ["whole number"]),
        ("file_count", {"pattern": "a"}, ["count is missing"]),
    ],
)
def test_mistakes(type_: str, fields: dict[str, str], parts: list[str]) -> None:
    found = mistakes(type_, **fields)
    assert len(found) == len(parts)
    assert all(part in problem for part, problem in zip(parts, found, strict=True)), found
