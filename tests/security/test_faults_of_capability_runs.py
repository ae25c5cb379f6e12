"""Faults of wunder's capability evaluation and of WunderBench after it.

A perfect run of one dimension scored 25, one trouble ended the whole run, cases shared a folder
that the next run emptied, thoughts counted as answers, and who was cut off missed events for good.
"""

import asyncio
import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.app.measuring import carried_out, case, commanded, events, free_app, request, write_set
from tests.cli.calls import run as command
from tests.cli.capability import MINI
from tests.cli.capability import write_set as write_cases
from tests.server.calling import Caller, caller, calling
from whet.app.app import App
from whet.app.capability.runs import Evaluations
from whet.core.errors import WhetError
from whet.documents.capability import EvaluationDetail

EVALUATION = "/v1/evaluation"
SLOW = {"options": {"simulate": {"latency_ms": 200}}}

CHOICES = {
    "letter in brackets": ("say <B>", "passed"),
    "thought first": ("say <think>It must be A. Answer: A</think> B", "passed"),
    "thought better of": ("say Answer: A. No, wait. Final answer: B", "passed"),
    "echo of the options": ("say A) 2 B) 3 C) 4 D) 5", "failed"),
    "echo of the question": ("say Please only output Answer: A/B/C/D.", "failed"),
    "bold": ("say **B**", "passed"),
    "in Chinese": ("say 答案：B", "passed"),
    "nothing": ("say", "failed"),
}
CASES = [
    *(
        case(f"choice_{number}", prompt, "B", checker="choice", dimension="common")
        for number, (prompt, _) in enumerate(CHOICES.values())
    ),
    case("exact_thought", "say <think>41 perhaps</think>42", "42"),
    case("half", "say 42", None, checker=[
        {"type": "exact", "expected": "42"}, {"type": "exact", "expected": "43"},
    ]),
    case("a_crash", "crash"),
    case("b_writes", "write one", None, dimension="complex",
         checker={"type": "file_contains", "expected": {"path": "out/made.txt", "text": "one"}}),
    case("c_sees", "say nothing", None, dimension="complex",
         checker={"type": "directory_structure", "expected": {"paths": ["mine"], "exact": True}},
         files={"mine": "x"}),
    case("folder", "write x", None, dimension="complex",
         checker={"type": "file_exists", "expected": "out"}),
    case("no_tool", "say x", None, dimension="tool",
         checker={"type": "tool_called", "expected": "nowhere@lookup"}),
]  # fmt: skip


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Generator[App]:
    workspace = tmp_path_factory.mktemp("capability") / "workspace"
    write_set(workspace, CASES)
    with free_app(workspace) as made:
        yield made


@pytest.fixture(scope="module")
def detail(app: App) -> EvaluationDetail:
    """One run of all these cases."""
    return carried_out(app, commanded(app.settings.workspace.parent))


def item(detail: EvaluationDetail, name: str) -> Any:
    return next(each for each in detail.items if each.case_id == name)


@pytest.mark.parametrize(("number", "name"), [*enumerate(CHOICES)])
def test_a_letter_counts_where_it_is_the_answer_and_only_there(
    detail: EvaluationDetail, number: int, name: str
) -> None:
    """There `<B>` was taken for markup and removed."""
    assert item(detail, f"choice_{number}").status == CHOICES[name][1]


def test_a_thought_is_no_part_of_an_exact_answer(detail: EvaluationDetail) -> None:
    """There thoughts were taken out for choices only."""
    assert item(detail, "exact_thought").status == "passed"


def test_half_of_the_rules_is_half_of_the_score(detail: EvaluationDetail) -> None:
    """There 0 and 1 were all there was, whatever the plan said."""
    assert item(detail, "half").score == 0.5


def test_one_trouble_ends_one_case_and_no_run(detail: EvaluationDetail) -> None:
    """There the run was failed, and all that came later stayed `active` for ever."""
    assert item(detail, "a_crash").status == "error"
    assert detail.run.status == "finished"
    assert not [each.case_id for each in detail.items if each.status == "active"]


def test_no_case_finds_what_another_left(detail: EvaluationDetail) -> None:
    assert item(detail, "b_writes").status == "passed"
    assert item(detail, "c_sees").status == "passed"


def test_a_folder_is_no_file(detail: EvaluationDetail) -> None:
    """There any path that exists was one."""
    assert item(detail, "folder").status == "failed"


def test_what_was_skipped_is_out_of_the_total_and_says_why(detail: EvaluationDetail) -> None:
    """There a dimension that was skipped stayed in the divisor."""
    found = item(detail, "no_tool")
    assert (found.status, found.score, found.skip_reason) == ("skipped", None, "missing_tools")
    assert "tool" not in {
        name for name, score in (detail.run.dimension_scores or {}).items() if score is not None
    }


def test_a_perfect_run_of_one_dimension_scores_100(app: App) -> None:
    """There it scored 25."""
    write_set(app.settings.workspace, [case("one", "say 1", "1"), case("two", "say 2", "2")], "ok")
    body = commanded(app.settings.workspace.parent, case_set="ok", dimensions=["logic"])
    assert carried_out(app, body).run.total_score == 100


def test_the_next_run_leaves_the_files_of_the_one_before(app: App) -> None:
    """There each run began by deleting all folders of all runs, those under way too."""
    write_set(app.settings.workspace, [CASES[11]], "files")
    body = commanded(app.settings.workspace.parent, case_set="files")
    first, second = (carried_out(app, body).run.run_id for _ in range(2))
    made = [*app.settings.workspace.rglob("made.txt")]
    for run_id in (first, second):
        assert [path for path in made if run_id in path.parts], run_id


def test_every_event_of_a_run_can_be_had_after_its_end(app: App, detail: EvaluationDetail) -> None:
    told = events(app, detail.run.run_id)
    settled = [
        e.data["case_id"] for e in told if e.kind == "eval_item" and e.data["status"] != "active"
    ]
    assert sorted(map(str, settled)) == sorted(each.case_id for each in detail.items)


@pytest.mark.parametrize(
    "change",
    [
        {"model_name": "nobody:nothing"},
        {"case_set": "nobody"},
        {"dimensions": ["luck"]},
        {"weights": {"logic": -1}},
        {"weights": {"logic": float("nan")}},
    ],
    ids=str,
)
def test_what_is_unknown_is_refused_and_not_replaced(app: App, change: dict[str, Any]) -> None:
    """There an unknown model was silently another one."""
    body = commanded(app.settings.workspace.parent) | change
    with pytest.raises(WhetError):
        Evaluations(app).plan(request(body))


@pytest.mark.parametrize(
    "wrong",
    [
        {"checker": "regex", "expected": "("},
        {"checker": "choice", "expected": ""},
        {"id": "../../evil"},
        {"weight": -1},
        {"checker": "nobody"},
        {"files": {"../evil.txt": "x"}},
    ],
    ids=str,
)
def test_a_case_that_cannot_be_is_refused_and_not_failed_for_the_agent(
    tmp_path: Path, wrong: dict[str, Any]
) -> None:
    """There a pattern that is none was an answer that did not match."""
    write_cases(tmp_path / "workspace", [MINI[0], {**MINI[1], **wrong}])
    result = command("capability", "run", "mini", "--workspace", tmp_path / "workspace")
    assert result.exit_code == 2, result.output
    assert not [*tmp_path.rglob("*evil*")]


def test_two_cases_of_one_id_are_refused_and_none_is_dropped(tmp_path: Path) -> None:
    """There the first file won, and nobody was told."""
    write_cases(tmp_path / "workspace", [MINI[0], {**MINI[1], "id": MINI[0]["id"]}])
    result = command("capability", "run", "mini", "--workspace", tmp_path / "workspace")
    assert result.exit_code == 2
    assert "sum" in result.stderr


def test_a_set_with_a_mark_at_its_beginning_is_read(tmp_path: Path) -> None:
    path = write_cases(tmp_path / "workspace", MINI[:1])
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    result = command("capability", "run", "mini", "--json", "--workspace", tmp_path / "workspace")
    assert result.exit_code == 0, result.output


@pytest.fixture
def call(tmp_path: Path) -> Generator[Caller]:
    numbers = [
        case(f"c{n:02}", f"What is {n} + 1? Reply with the number only.", str(n + 1))
        for n in range(20)
    ]
    write_set(tmp_path / "workspace", numbers)
    with caller(tmp_path / "workspace") as made:
        yield made


def start(call: Caller) -> str:
    body = {"model_name": "simulated", "case_set": "mini", "language": "en-US"}
    answer = call("POST", f"{EVALUATION}/runs", json={**body, "config_overrides": SLOW})
    assert answer.status_code in (200, 202), answer.text
    return answer.json()["run_id"]


def test_a_run_under_way_is_not_deleted_and_one_that_is_cancelled_keeps_its_results(
    call: Caller,
) -> None:
    run_id = start(call)
    at = f"{EVALUATION}/runs/{run_id}"
    assert call("DELETE", at).status_code == 409
    assert call("POST", f"{at}/cancel").status_code == 200
    found = call("GET", at).json()
    assert found["run"]["status"] == "cancelled"
    assert "active" not in {each["status"] for each in found["items"]}


def test_a_run_goes_on_after_a_restart_and_comes_to_its_end_once(tmp_path: Path) -> None:
    """There it stayed `running` for ever."""
    workspace = tmp_path / "workspace"
    numbers = [
        case(f"c{n}", f"What is {n} + 1? Reply with the number only.", str(n + 1)) for n in range(6)
    ]
    write_set(workspace, numbers)
    with caller(workspace) as call:
        run_id = start(call)

    async def go_on() -> dict[str, Any]:
        async with calling(workspace) as (client, _), asyncio.timeout(30):
            while True:
                found = (await client.get(f"{EVALUATION}/runs/{run_id}")).json()
                if found["run"]["status"] != "running":
                    return found
                await asyncio.sleep(0.05)

    found = asyncio.run(go_on())
    assert found["run"]["status"] == "finished", json.dumps(found["run"])
    assert len(found["items"]) == 6
