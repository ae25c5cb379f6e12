"""What the capability runs of every store must do."""

from collections.abc import Callable

from pydantic import JsonValue

from whet.core.errors import Conflict, NotFound, UsageError, WhetError
from whet.documents.capability import CapabilityCaseSet, EvaluationItem, EvaluationRun
from whet.ports.evaluations import RunQuery
from whet.ports.store import Store

ODD = "磨刀 \x00 \ud83d 'quoted' %s :name"
"""Text that some database or driver does not take."""


def run(number: int = 1, /, **more: JsonValue) -> EvaluationRun:
    """A run that has just begun; the higher the number, the later."""
    given: dict[str, JsonValue] = {
        "run_id": f"run-{number}",
        "user_id": None,
        "model_name": "simulated",
        "language": "en-US",
        "status": "running",
        "case_set": "core",
        "config_snapshot": {"model": {"temperature": 0, "top": 1.0}},
        "tool_snapshot": ["Read", "server@tool"],
        "dimension_scores": {},
        "total_score": None,
        "started_at": f"2024-01-01T00:00:{number:02}.000Z",
        "finished_at": None,
        "elapsed_s": None,
        "error": None,
    }
    return EvaluationRun.model_validate({**given, **more})


def item(case: str, of: str = "run-1", /, **more: JsonValue) -> EvaluationItem:
    """An item that is under way."""
    given: dict[str, JsonValue] = {
        "run_id": of,
        "case_id": case,
        "dimension": "tool",
        "status": "active",
        "score": None,
        "max_score": 1,
        "weight": 1,
        "prompt": "What is in the file?",
        "final_answer": None,
        "tool_calls": [],
        "checker_detail": None,
        "started_at": None,
        "finished_at": None,
        "elapsed_s": None,
        "error": None,
    }
    return EvaluationItem.model_validate({**given, **more})


def a_run_is_made_once(store: Store, _living: set[str]) -> None:
    """With its items, all or nothing; a second one of that id changes nothing."""
    kept = store.evaluations
    kept.create_eval_run(run(), [item("b"), item("a")])
    _raises(Conflict, lambda: kept.create_eval_run(run(model_name="other"), [item("c")]))
    _raises(NotFound, lambda: kept.create_eval_run(run(2), [item("c", "run-3")]))
    assert kept.get_eval_run_detail("run-2") is None
    found = kept.get_eval_run_detail("run-1")
    assert found is not None
    assert (found.run, found.items) == (run(), (item("b"), item("a")))


def a_run_changes_by_compare_and_set(store: Store, _living: set[str]) -> None:
    """By its status; what is not named stays."""
    kept = store.evaluations
    kept.create_eval_run(run(note="mine"))
    scores: dict[str, JsonValue] = {"dimension_scores": {"tool": 50.5}, "counts": {"passed": 1}}
    assert kept.update_eval_run("run-1", scores, ["running"]) == run(note="mine", **scores)
    over: dict[str, JsonValue] = {"status": "finished", "total_score": 50}
    finished = run(note="mine", **scores, **over)
    assert kept.update_eval_run("run-1", over, ["running", "failed"]) == finished
    lost = _raises(
        Conflict, lambda: kept.update_eval_run("run-1", {"status": "failed"}, ["running"])
    )
    assert isinstance(lost, Conflict)
    assert (lost.expected, lost.actual) == ("running", "finished")
    _raises(NotFound, lambda: kept.update_eval_run("nobody", {"status": "failed"}))
    for wrong in ({"run_id": "run-2"}, {"status": "odd"}, {"total_score": "much"}):
        _raises(UsageError, lambda change=wrong: kept.update_eval_run("run-1", dict(change)))
    found = kept.get_eval_run_detail("run-1")
    assert found is not None
    assert found.run == finished
    assert kept.update_eval_run("run-1", {"owner": None}) == run(
        note="mine", **scores, **over, owner=None
    )


def an_item_is_kept_once_for_each_case(store: Store, _living: set[str]) -> None:
    """The second stands in for the first, at its place."""
    kept = store.evaluations
    _raises(NotFound, lambda: kept.append_eval_item(item("a")))
    kept.create_eval_run(run(), [item("z")])
    kept.create_eval_run(run(2), [item("z", "run-2")])
    for case in ("c", "a", "b"):
        kept.append_eval_item(item(case))
    over = item("c", status="failed", score=0.5, checker_detail={"checks": [1, 1.0, None]})
    kept.append_eval_item(over)
    found = kept.get_eval_run_detail("run-1")
    assert found is not None
    assert found.items == (item("z"), over, item("a"), item("b"))
    assert kept.delete_eval_run("run-1")
    assert not kept.delete_eval_run("run-1")
    assert kept.get_eval_run_detail("run-1") is None
    other = kept.get_eval_run_detail("run-2")
    assert other is not None
    assert other.items == (item("z", "run-2"),)
    kept.create_eval_run(run())
    again = kept.get_eval_run_detail("run-1")
    assert again is not None
    assert again.items == ()


def whatever_a_run_says_comes_back(store: Store, _living: set[str]) -> None:
    """To the letter: kinds of numbers, null and absent, unknown keys, and any text."""
    odd: dict[str, JsonValue] = {
        "error": ODD,
        "user_id": ODD,
        "total_score": 10**400,
        "elapsed_s": 3,
        "config_snapshot": {"键 \x00": [ODD, 1, 1.0, -0.0, True, None, {"": {}}]},
        "tool_snapshot": "null",
        "dimension_scores": {"tool": 1, "logic": 1.0, "common": None},
        "simulated": None,
        "owner": "12-ab",
        "case_set_digest": "0" * 64,
        "unknown": {"kept": [1]},
        "extra": {"also": "kept"},
        "ordinal": 7,
    }
    answered: dict[str, JsonValue] = {
        "prompt": ODD,
        "final_answer": ODD,
        "score": 1,
        "max_score": 1.0,
        "weight": 2**70,
        "tool_calls": [{"name": "Read", "args": {"path": ODD}, "further": 1}],
        "checker_detail": ODD,
        "session_id": None,
        "tags": ["a", "磨"],
        "ordinal": "x",
        "extra": None,
    }
    one, two = run(**odd), item("ö \x00 ?", **answered)
    store.evaluations.create_eval_run(one, [two])
    found = store.evaluations.get_eval_run_detail("run-1")
    assert found is not None
    assert found.run.to_json() == one.to_json()
    assert found.items[0].to_json() == two.to_json()
    assert store.evaluations.list_eval_runs(RunQuery(user_id=ODD)).items == (one,)


def runs_are_listed_newest_first(store: Store, _living: set[str]) -> None:
    """Each filter narrows; times are compared as times."""
    kept = store.evaluations
    kept.create_eval_run(run(3, user_id="u", model_name="m", language="zh-CN"))
    kept.create_eval_run(run(1, case_set="own", user_id="u"))
    kept.create_eval_run(run(2, status="finished"))
    kept.create_eval_run(run(4, run_id="run-0", started_at="2024-01-01T00:00:02.000Z"))
    for query, numbers in (
        (RunQuery(), [3, 0, 2, 1]),
        (RunQuery(run_id="run-2"), [2]),
        (RunQuery(user_id="u"), [3, 1]),
        (RunQuery(user_id="u", model_name="m"), [3]),
        (RunQuery(status="finished"), [2]),
        (RunQuery(case_set="own"), [1]),
        (RunQuery(language="zh-CN"), [3]),
        (RunQuery(user_id="nobody"), []),
        (RunQuery(run_id="run-2"), [2]),
        (RunQuery(run_id="run-2", user_id="u"), []),
        (RunQuery(since="2024-01-01T00:00:02Z"), [3, 0, 2]),
        (RunQuery(until="2024-01-01T00:00:02Z"), [1]),
        (RunQuery(since="2024-01-01T01:00:01+01:00", until="2024-01-01T00:00:02.001"), [0, 2, 1]),
        (RunQuery(since="2024-01-02"), []),
    ):
        page = kept.list_eval_runs(query)
        assert [one.run_id for one in page.items] == [f"run-{number}" for number in numbers], query
        assert page.total == len(numbers)
    page = kept.list_eval_runs(RunQuery(limit=2, offset=2))
    assert ([one.run_id for one in page.items], page.total) == (["run-2", "run-1"], 4)
    assert (page.page, page.page_size) == (2, 2)
    for wrong in (
        RunQuery(limit=0),
        RunQuery(limit=100_000),
        RunQuery(offset=-1),
        RunQuery(since="soon"),
    ):
        _raises(UsageError, lambda query=wrong: kept.list_eval_runs(query))


def case_sets_are_kept_once_by_digest(store: Store, _living: set[str]) -> None:
    """As they were read, with whatever else stood in them."""
    case: JsonValue = {
        "id": "c1",
        "dimension": "logic",
        "prompt": ODD,
        "checker": "exact",
        "expected": 1.0,
    }
    data: JsonValue = {"cases": [case], "version": 2, "case_set": ODD, "own": {"x": 1}}
    first = CapabilityCaseSet.parse(data, "set")
    assert store.evaluations.get_case_set("d1") is None
    store.evaluations.put_case_set("d1", first)
    store.evaluations.put_case_set("d1", CapabilityCaseSet(cases=()))
    found = store.evaluations.get_case_set("d1")
    assert found is not None
    assert found.to_json() == first.to_json()


def runs_go_with_the_transaction(store: Store, _living: set[str]) -> None:
    """An item and its event are there together, or neither is."""
    kept = store.evaluations
    kept.create_eval_run(run())

    def half_done() -> None:
        with store.transaction():
            kept.append_eval_item(item("a"))
            kept.update_eval_run("run-1", {"status": "finished"})
            kept.put_case_set("d", CapabilityCaseSet(cases=()))
            store.events.append("eval_item", "run-1", {})
            raise Conflict("all of it", "nothing", "something")

    _raises(Conflict, half_done)
    found = kept.get_eval_run_detail("run-1")
    assert found is not None
    assert (found.run, found.items) == (run(), ())
    assert kept.get_case_set("d") is None


def _raises(kind: type[WhetError], call: Callable[[], object]) -> WhetError:
    try:
        call()
    except kind as error:
        return error
    raise AssertionError(f"{kind.__name__} was expected")


EVALUATION_CHECKS: tuple[Callable[[Store, set[str]], None], ...] = (
    a_run_is_made_once,
    a_run_changes_by_compare_and_set,
    an_item_is_kept_once_for_each_case,
    whatever_a_run_says_comes_back,
    runs_are_listed_newest_first,
    case_sets_are_kept_once_by_digest,
    runs_go_with_the_transaction,
)
