"""Baselines: the cases of each version, their ids and dates."""

import json
import shutil
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.curate.assets import LATER, baseline, case
from tests.curate.shelves import add_baseline, identity
from whet.core.errors import UsageError
from whet.curate.change import BaselineChange
from whet.curate.library import cases
from whet.curate.versions import edit, history, rollback
from whet.documents.cases import BaselineCase
from whet.documents.rubrics import QualityRubric

FIRST = "2024-01-01T12:00:00Z"
SECOND = "2024-01-01T13:00:00Z"


def test_a_new_baseline_is_as_the_format_says(tmp_path: Path) -> None:
    made = baseline(tmp_path)
    assert json.loads((made.folder / "meta.json").read_text()) == {
        "id": made.meta.id,
        "name": "Tests",
        "description": "",
        "author": "",
        "source": "",
        "purpose": "code_test",
        "provider": "me",
        "version": "v1",
        "version_count": 1,
        "case_count": 2,
        "status": "active",
        "created_at": FIRST,
        "updated_at": FIRST,
    }
    document = json.loads((made.folder / "cases.json").read_text())
    assert list(document) == ["baseline_id", "version", "cases"]
    assert document["baseline_id"] == made.meta.id
    assert document["cases"][1] == {
        "id": "case_002",
        "name": "Sorting",
        "category": "standard",
        "input": "Sort a list.",
        "expected_output": "A sorted list.",
        "description": "",
        "created_at": FIRST,
        "updated_at": FIRST,
    }


def test_a_rollback_restores_the_cases_of_a_baseline(tmp_path: Path) -> None:
    first = baseline(tmp_path)
    one, two = cases(first.folder).cases
    changed = one.model_copy(update={"input": "Other."})
    change = BaselineChange(cases=(changed, case()), rubric="strict", description="new")
    second = edit(tmp_path, first.meta.id, "v1", change, LATER)
    assert [one.id for one in cases(second.folder).cases] == ["case_001", "case_003"]
    third = rollback(tmp_path, first.meta.id, "v1", "v2", LATER)
    document = cases(third.folder)
    assert document.cases == (one, two)
    assert (document.rubric, document.version, third.meta.version) == (None, "v3", "v3")
    assert (third.meta.case_count, third.meta.description) == (2, "")  # type: ignore[union-attr]


def test_cases_are_counted_dated_and_told(tmp_path: Path) -> None:
    first = baseline(tmp_path)
    one, two = cases(first.folder).cases
    changed = one.model_copy(update={"input": "Other.", "created_at": "x", "updated_at": "y"})
    change = BaselineChange(cases=(changed, two, case()))
    second = edit(tmp_path, first.meta.id, "v1", change, LATER)
    assert second.meta.case_count == 3
    document = cases(second.folder)
    assert (document.version, document.baseline_id) == ("v2", first.meta.id)
    assert [(c.id, c.created_at, c.updated_at) for c in document.cases] == [
        ("case_001", FIRST, SECOND),
        ("case_002", FIRST, FIRST),
        ("case_003", SECOND, SECOND),
    ]
    record = history(tmp_path, first.meta.id).records[0]
    assert record.changed_fields == ("cases.case_001", "cases.case_003")
    assert isinstance(record.diff.cases, dict)
    assert record.diff.cases["case_001"].before == one.to_data()
    assert record.diff.cases["case_003"].before is None
    assert record.diff.cases["case_003"].after == document.cases[2].to_data()


def test_another_order_of_cases_is_a_change(tmp_path: Path) -> None:
    first = baseline(tmp_path)
    one, two = cases(first.folder).cases
    second = edit(tmp_path, first.meta.id, "v1", BaselineChange(cases=(two, one)), LATER)
    assert second.meta.version == "v2"
    assert history(tmp_path, first.meta.id).records[0].changed_fields == ("case_order",)


def test_an_id_of_a_deleted_case_never_comes_back(tmp_path: Path) -> None:
    first = baseline(tmp_path, case(), case(), case())
    one, two, _ = cases(first.folder).cases
    edit(tmp_path, first.meta.id, "v1", BaselineChange(cases=(one, two)), LATER)
    third = edit(tmp_path, first.meta.id, "v2", BaselineChange(cases=(one, two, case())), LATER)
    assert [one.id for one in cases(third.folder).cases] == ["case_001", "case_002", "case_004"]
    edit(tmp_path, first.meta.id, "v3", BaselineChange(cases=()), LATER)
    shutil.rmtree(third.folder)  # but what it had is told by the history of the next version
    fifth = edit(tmp_path, first.meta.id, "v4", BaselineChange(cases=(case(),)), LATER)
    assert [one.id for one in cases(fifth.folder).cases] == ["case_005"]


def test_case_ids_have_four_digits_beyond_999_and_foreign_ones_stay(tmp_path: Path) -> None:
    made = baseline(tmp_path, case("case_999"), case(), case("排序 (easy)"), case())
    assert [one.id for one in cases(made.folder).cases] == [
        "case_999",
        "case_1000",
        "排序 (easy)",
        "case_1001",
    ]


@pytest.mark.parametrize("bad", ["../up", "a/b", "CON", "one.run-2", ".hidden", "x" * 101, "a\n"])
def test_a_case_id_that_is_no_file_name_is_refused(tmp_path: Path, bad: str) -> None:
    with pytest.raises(UsageError, match=r"^case id"):
        baseline(tmp_path, case("fine"), case(bad))
    with pytest.raises(UsageError, match="there twice"):
        baseline(tmp_path, case("fine"), case("fine"))
    assert not (tmp_path / "baselines").exists()


def test_unsafe_case_ids_that_are_there_already_stay(tmp_path: Path) -> None:
    folder = add_baseline(tmp_path)
    text = (folder / "cases.json").read_text().replace("case_001", ".hidden")
    (folder / "cases.json").write_text(text)
    own = cases(folder).cases
    second = edit(tmp_path, identity("Tests"), "v1", BaselineChange(cases=own[:1]), LATER)
    assert [one.id for one in cases(second.folder).cases] == [".hidden"]


def test_a_rubric_may_be_set_kept_and_taken_away(tmp_path: Path) -> None:
    first = baseline(tmp_path)
    rubric = QualityRubric.parse({"dimensions": []}, "rubric")
    edit(tmp_path, first.meta.id, "v1", BaselineChange(rubric=rubric), LATER)
    kept = edit(tmp_path, first.meta.id, "v2", BaselineChange(name="New"), LATER)
    assert cases(kept.folder).rubric == rubric
    gone = edit(tmp_path, first.meta.id, "v3", BaselineChange(rubric=None), LATER)
    assert list(json.loads((gone.folder / "cases.json").read_text())) == [
        "baseline_id",
        "version",
        "cases",
    ]
    assert [r.changed_fields for r in history(tmp_path, first.meta.id).records] == [
        ("rubric",),
        ("meta.name",),
        ("rubric",),
    ]


@pytest.mark.parametrize("other", [True, 1.0, [1], "1", None])
def test_a_value_of_another_kind_is_another_value(tmp_path: Path, other: JsonValue) -> None:
    """Python takes 1, 1.0 and true for the same; whoever writes a case does not."""
    one = case("a").model_copy(update={"rubric": None})
    first = baseline(tmp_path, BaselineCase.parse({**data(one), "more": 1}, ""))
    (before,) = cases(first.folder).cases
    changed = BaselineCase.parse({**data(before), "more": other}, "")
    second = edit(tmp_path, first.meta.id, "v1", BaselineChange(cases=(changed,)), LATER)
    assert second.meta.version == "v2"
    (after,) = cases(second.folder).cases
    assert after.updated_at == SECOND
    assert repr(data(after).get("more")) == repr(other)
    assert history(tmp_path, first.meta.id).records[0].changed_fields == ("cases.a",)
    again = edit(tmp_path, first.meta.id, "v2", BaselineChange(cases=(after,)), LATER)
    assert again.meta.version == "v2"


def data(one: BaselineCase) -> dict[str, JsonValue]:
    written = one.to_data()
    assert isinstance(written, dict)
    return written


def test_beyond_every_number_there_are_still_ids(tmp_path: Path) -> None:
    made = baseline(tmp_path, case("case_999999999"), case("case_1000000001"))
    for version in ("v1", "v2", "v3"):
        present = cases(made.folder).cases
        change = BaselineChange(cases=(*present, case()))
        made = edit(tmp_path, made.meta.id, version, change, LATER)
    new = [one.id for one in cases(made.folder).cases[2:]]
    assert new == ["case_1000000000", "case_1000000002", "case_1000000003"]
