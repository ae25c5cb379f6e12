"""What a diff names, and that a history read backwards restores every version."""

import itertools
import json
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from whet.core.address import digest_bytes
from whet.curate.changes import changed_fields, diff, record, redone, undone
from whet.curate.snapshot import Facts
from whet.documents.assets import HistoryRecord

NOW = datetime(2024, 1, 1, 13, tzinfo=UTC)
TEXT = st.text(alphabet="ab\n代\udcff", max_size=8)
NAMES = st.sampled_from(["name", "description", "purpose", "x-extra"])
LIST: st.SearchStrategy[list[JsonValue]] = st.lists(TEXT, max_size=2)
VALUES: st.SearchStrategy[JsonValue] = TEXT | st.integers(0, 3) | LIST


def values(keys: list[str]) -> st.SearchStrategy[dict[str, JsonValue]]:
    """Some of the keys in any order."""
    return st.lists(st.sampled_from(keys), unique=True).flatmap(
        lambda some: st.fixed_dictionaries(dict.fromkeys(some, VALUES))
    )


@st.composite
def skills(draw: st.DrawFn) -> Facts:
    """A text or a package."""
    content = draw(TEXT)
    files = {}
    if draw(st.booleans()):
        chosen = draw(st.dictionaries(st.sampled_from(["a", "b/c", "d"]), st.binary(max_size=1)))
        files = {path: digest_bytes(data) for path, data in chosen.items()}
        files["SKILL.md"] = digest_bytes(content.encode(errors="surrogateescape"))
    executables = draw(st.sets(st.sampled_from(sorted(files)))) if files else set[str]()
    return Facts(
        meta=draw(st.dictionaries(NAMES, VALUES)),
        content=content,
        package=dict(sorted(files.items())),
        executables=tuple(sorted(executables)),
    )


BASELINES = st.builds(
    Facts,
    meta=st.dictionaries(NAMES, VALUES),
    cases=values(["case_001", "case_002", "case_003", "排序"]),
    rubric=st.one_of(st.none(), TEXT),
)


@given(st.one_of(st.lists(skills(), min_size=1), st.lists(BASELINES, min_size=1)))
def test_a_history_read_backwards_restores_every_version(versions: list[Facts]) -> None:
    records: list[str] = []
    for number, (before, after) in enumerate(itertools.pairwise(versions), 1):
        made = record(diff(before, after), (f"v{number}", f"v{number + 1}"), NOW)
        records.append(made.to_json())
    present = versions[-1]
    for text, before in zip(reversed(records), reversed(versions[:-1]), strict=True):
        told = HistoryRecord.parse(json.loads(text), "record").diff
        later, present = present, undone(present, told)
        assert redone(present, told) == later
        assert list(redone(present, told).cases) == list(later.cases)
        assert present == before
        assert list(present.cases) == list(before.cases)


@given(skills(), skills())
def test_only_what_changed_is_named(before: Facts, after: Facts) -> None:
    named = set(changed_fields(diff(before, after)))
    assert ("content" in named) == (before.content != after.content)
    assert ("executables" in named) == (before.executables != after.executables)
    for field in {*before.meta, *after.meta}:
        changed = before.meta.get(field) != after.meta.get(field)
        assert (f"meta.{field}" in named) == changed
    for path in {*before.package, *after.package} - {"SKILL.md"}:
        changed = before.package.get(path) != after.package.get(path)
        assert (f"package/{path}" in named) == changed
    became = ("SKILL.md" in before.package) != ("SKILL.md" in after.package)
    assert ("package/SKILL.md" in named) == became
    assert (named == set()) == (before == after)


def test_a_diff_by_hand() -> None:
    before = Facts({"name": "A", "old": 1}, "x", {"SKILL.md": "1", "gone": "2", "kept": "3"})
    after = Facts({"name": "B"}, "y", {"SKILL.md": "4", "kept": "3", "new": "5"}, ("new",))
    assert diff(before, after).to_data() == {
        "content": {"before": "x", "after": "y"},
        "meta": {"name": {"before": "A", "after": "B"}, "old": {"before": 1, "after": None}},
        "package/gone": {"before": "2", "after": None},
        "package/new": {"before": None, "after": "5"},
        "executables": {"before": [], "after": ["new"]},
    }
    assert diff(after, after).to_data() == {}


def test_cases_by_hand() -> None:
    before = Facts({}, cases={"a": {"id": "a"}, "b": {"id": "b"}})
    appended = Facts({}, cases={**before.cases, "c": {"id": "c"}})
    assert diff(before, appended).to_data() == {
        "cases": {"c": {"before": None, "after": {"id": "c"}}}
    }
    removed = Facts({}, cases={"b": {"id": "b"}})
    assert diff(before, removed).to_data() == {
        "cases": {"a": {"before": {"id": "a"}, "after": None, "position": 0}},
    }
    assert list(undone(removed, diff(before, removed)).cases) == ["a", "b"]
    assert changed_fields(diff(before, removed)) == ("cases.a",)


def test_a_record_of_an_older_program_is_undone_as_far_as_it_goes() -> None:
    old = HistoryRecord.parse(
        {
            "from_version": "v1",
            "to_version": "v2",
            "timestamp": "2024-01-01T13:00:00Z",
            "changed_fields": ["cases"],
            "diff": {
                "cases": {"before": "2 cases", "after": "3 cases"},
                "meta": {"name": {"before": "A", "after": "B"}},
            },
        },
        "record",
    )
    assert changed_fields(old.diff) == ("meta.name", "cases")
    present = Facts({"name": "B"}, cases={"a": 1})
    assert undone(present, old.diff) == Facts({"name": "A"}, cases={"a": 1})
