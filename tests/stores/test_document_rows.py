"""Whatever a document says comes back from a row, and columns are what they seem."""

import json

from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue
from sqlalchemy import Boolean, Column, Float

from whet.documents.capability import EvaluationItem, EvaluationRun
from whet.stores.document_rows import DocumentRows
from whet.stores.schema import evaluation_items, evaluation_runs
from whet.testing.store_evaluations import item, run

RUNS = DocumentRows(EvaluationRun, evaluation_runs)
ITEMS = DocumentRows(EvaluationItem, evaluation_items, own=["ordinal"])

texts = st.text(max_size=8) | st.just("half \ud83d and \x00")
keys = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
scalars = st.none() | st.booleans() | numbers | texts
values: st.SearchStrategy[JsonValue] = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3)
)
optional_number, optional_text = st.none() | numbers, st.none() | texts


def holds(column: Column[object], value: object) -> bool:
    """Whether every database takes that value there."""
    if value is None:
        return column.nullable is not False
    if isinstance(column.type, Boolean):
        return isinstance(value, bool)
    if isinstance(column.type, Float):
        return isinstance(value, float)
    return isinstance(value, str) and "\0" not in value and bool(value.encode() or not value)


@given(
    total_score=optional_number,
    elapsed_s=optional_number,
    error=optional_text,
    config_snapshot=values,
    dimension_scores=st.dictionaries(st.sampled_from(["tool", "logic"]), optional_number),
    more=st.dictionaries(st.sampled_from(["note", "extra", "simulated_by", "ordinal"]), values),
    simulated=st.sampled_from([{}, {"simulated": None}, {"simulated": True}]),
)
def test_every_run_comes_back(
    more: dict[str, JsonValue], simulated: dict[str, JsonValue], **fields: JsonValue
) -> None:
    whole = run(1, **fields, **more, **simulated)
    row = RUNS.row(whole)
    for column in evaluation_runs.columns:
        assert holds(column, row[column.name])
    assert json.dumps(RUNS.document(row).to_data()) == json.dumps(whole.to_data())


@given(
    score=optional_number,
    max_score=numbers,
    weight=numbers,
    prompt=texts,
    final_answer=optional_text,
    checker_detail=values,
    more=st.dictionaries(st.sampled_from(["tags_of_mine", "extra", "session"]), values),
)
def test_every_item_comes_back(more: dict[str, JsonValue], **fields: JsonValue) -> None:
    whole = item("a", **fields, **more)
    assert json.dumps(ITEMS.document(ITEMS.row(whole)).to_data()) == json.dumps(whole.to_data())


def test_what_is_usual_has_no_extra() -> None:
    scored = item("a", status="passed", score=1.0, max_score=1.0, weight=2.0, tool_calls=[])
    assert ITEMS.row(scored)["extra"] is None
    assert RUNS.row(run(total_score=50.5, simulated=True, owner="me"))["extra"] is None
