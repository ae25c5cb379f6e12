"""Answering, cancelling, forgetting, and making cases of jobs."""

import json

import pytest

from tests.cli.job.desk import ASKING, EXAMPLE, Desk


@pytest.fixture
def asking(desk: Desk) -> Desk:
    """A desk with a job that waits for an answer."""
    desk.call("run", desk.package("asking", ASKING), *desk.given, "--mode", "interactive")
    return desk


def question(desk: Desk) -> str:
    """What the latest job asks for; it is carried on with first."""
    told = json.loads(desk.call("job", "wait", "latest", "--json").stdout)
    return told["pending"]["kind"]


@pytest.mark.slow
def test_questions_are_answered_one_after_the_other(asking: Desk) -> None:
    shown = asking.done("job", "reply", "latest")
    assert "Please give me the audience." in shown
    assert "'' is no answer to question 1: it is empty" in asking.refused(
        "job", "reply", "latest", ""
    )
    said = asking.done("job", "reply", "latest", "sailors")
    assert "has its answer." in said
    assert "do it here with: whet job wait" in said
    assert "waits for no answer; it is queued" in asking.refused("job", "reply", "latest", "x")
    assert question(asking) == "choose_one"
    assert "choose one of short, long" in asking.refused("job", "reply", "latest", "7")
    told = asking.read("job", "reply", "latest", "2")
    assert (told["status"], told["served"]) == ("queued", False)
    assert question(asking) == "confirm"
    assert "say yes or no" in asking.refused("job", "reply", "latest", "perhaps")
    extra = ("--file", f"x={asking.document}")
    assert "asks for no files" in asking.refused("job", "reply", "latest", "yes", *extra)
    asking.done("job", "reply", "latest", "yes")
    assert question(asking) == "upload_files"
    assert asking.read("job", "reply", "latest")["pending"]["files"][0]["name"] == "notes.txt"
    for slots, told_ in (
        (f"other={asking.document}", "'other' was not asked for; files: 'notes.txt' is missing"),
        ("notes.txt=/nosuch", "'notes.txt': there is no file /nosuch"),
        (f"notes.txt={asking.folder}", "there is no file"),
    ):
        assert told_ in asking.refused("job", "reply", "latest", "--file", slots)
    asking.done("job", "reply", "latest", "--file", f"notes.txt={asking.document}")
    done = asking.read("job", "wait", "latest")
    assert done["job"]["interaction_count"] == 4
    summary = done["result"]["data"]["summary"]
    assert "sailors" in summary
    assert "long" in summary


def test_a_job_that_asks_nothing_needs_no_answer(desk: Desk) -> None:
    desk.reported()
    assert "waits for no answer; it is succeeded" in desk.refused("job", "reply", "latest", "x")


@pytest.mark.slow
def test_a_job_is_cancelled_whatever_it_is_at(asking: Desk) -> None:
    assert asking.read("job", "cancel", "latest")["accepted"]
    assert asking.done("job", "cancel", "latest").strip().endswith(": cancelled")
    asking.read("job", "submit", EXAMPLE, *asking.given)
    assert asking.done("job", "cancel", "latest").strip().endswith(": cancelled")
    waited = asking.call("job", "wait", "latest")
    assert waited.exit_code == 1
    assert "was cancelled" in waited.stderr
    assert json.loads(waited.stdout)["result"]["status"] == "cancelled"


def test_one_that_is_over_stays_as_it_is(desk: Desk) -> None:
    desk.reported()
    told = desk.read("job", "cancel", "latest")
    assert (told["accepted"], told["status"]) == (False, "succeeded")
    assert desk.done("job", "cancel", "latest").strip().endswith(": succeeded")


@pytest.mark.slow
def test_jobs_are_forgotten_all_or_none(desk: Desk) -> None:
    first = desk.reported()
    second = desk.read("job", "submit", EXAMPLE, *desk.given, "--no-cache")["request_id"]
    assert "no job" in desk.refused("job", "delete", first["request_id"], "zzzz")
    assert desk.read("job", "list")["total"] == 2
    assert "cancel it first" in desk.refused("job", "delete", second)
    assert desk.read("job", "delete", first["request_id"])["deleted"] == [first["request_id"]]
    assert [job["request_id"] for job in desk.read("job", "list")["jobs"]] == [second]
    assert not (desk.workspace / "runs" / first["job"]["run_id"]).exists()


@pytest.mark.slow
def test_a_job_becomes_a_case(desk: Desk) -> None:
    desk.reported()
    assert "no baseline" in desk.refused("job", "case", "latest", "--baseline", "Mine")
    desk.done("baseline", "import", "--empty", "--name", "Mine")
    assert (
        desk.done("job", "case", "latest", "--baseline", "Mine").strip()
        == "case case_001 in Mine v2"
    )
    told = desk.read("job", "case", "latest", "--baseline", "Mine")
    assert told["case_ids"] == ["case_002"]
    cases = desk.read("baseline", "case", "list", "Mine")["cases"]
    assert "The Rhine is long" in cases[0]["input"]
    desk.read("job", "submit", EXAMPLE, *desk.given, "--no-cache")
    assert "only one that succeeded" in desk.refused("job", "case", "latest", "--baseline", "Mine")
