"""``whet job submit`` and ``whet job wait``: one job, and many."""

import json

import pytest

from tests.app.jobs.offices import office_on, wanted
from tests.cli.job.desk import EXAMPLE, WORDS, Desk
from whet.app.jobs.create import create

CSV = "title,document,max_words\nOne,rivers.txt,10\nTwo,rivers.txt,x\nThree,gone.txt,\n"


@pytest.mark.slow
def test_a_job_is_queued_and_whoever_waits_does_it(desk: Desk) -> None:
    said = desk.done("job", "submit", EXAMPLE, *desk.given)
    first, second = said.splitlines()
    assert first.endswith(" of text-report is queued.")
    assert second.startswith("Nobody does it yet: start whet serve, or do it here with: whet job")
    name = second.split(" wait ")[1].split()[0]
    result = desk.call("job", "wait", name)
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["result"]["data"]["words"] == WORDS
    assert json.loads(desk.done("job", "wait", name)) == json.loads(result.stdout)


def test_what_was_done_before_is_there_at_once(desk: Desk) -> None:
    desk.reported()
    said = desk.done("job", "submit", EXAMPLE, *desk.given)
    assert "just the same was done before; see: whet job result" in said
    told = desk.read("job", "submit", EXAMPLE, *desk.given)
    assert (told["cache_hit"], told["status"], told["served"]) == (True, "succeeded", False)


def test_submitting_can_wait(desk: Desk) -> None:
    done = desk.read("job", "submit", EXAMPLE, *desk.given, "--wait")
    assert done["result"]["data"]["words"] == WORDS
    failed = desk.call(
        "job", "submit", EXAMPLE, *desk.given, "--option", 'simulate={"fail": 1}', "--wait"
    )
    assert failed.exit_code == 1
    assert json.loads(failed.stdout)["result"]["status"] == "failed"


@pytest.mark.slow
def test_nobody_waits_for_longer_than_he_likes(desk: Desk) -> None:
    slow = ("--option", 'simulate={"latency_ms": 60000}')
    made = desk.read("job", "submit", EXAMPLE, *desk.given, *slow)
    result = desk.call("job", "wait", "latest", "--timeout", "0.5")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "is queued after 0.5 s" in result.stderr
    assert desk.read("job", "status", made["request_id"])["status"] == "queued"


def test_a_job_that_waits_for_an_upload_is_not_waited_for(desk: Desk) -> None:
    desk.install()
    with office_on(desk.workspace, installs=False) as office:
        create(office, wanted())
    result = desk.call("job", "wait", "latest")
    assert result.exit_code == 1
    assert "waits for files that a client of the HTTP API uploads" in result.stderr


@pytest.mark.slow
def test_a_table_of_inputs_is_a_batch_and_a_bad_row_spoils_no_other(desk: Desk) -> None:
    assert desk.document.exists()
    path = desk.folder / "rows.csv"
    path.write_text(CSV)
    result = desk.call("job", "submit", EXAMPLE, "--batch", path)
    assert result.exit_code == 1
    told = " ".join(result.stdout.split())
    assert "3 jobs of text-report." in told
    assert "2 of them cannot be done" in told
    assert "'x' is not of type 'integer'" in told
    assert "there is no" in told
    batch_id = desk.read("job", "batch", "latest")["batch_id"]
    ended = desk.call("job", "wait", batch_id[:8], "--json")
    assert ended.exit_code == 1
    assert "2 of 3 jobs did not succeed" in ended.stderr
    rows = json.loads(ended.stdout)["items"]
    assert [row["status"] for row in rows] == ["succeeded", "refused", "refused"]
    assert [
        job["batch_index"] for job in desk.read("job", "list", "--batch", batch_id)["jobs"]
    ] == [0]


def test_what_every_row_has_is_said_once(desk: Desk) -> None:
    path = desk.folder / "rows.jsonl"
    path.write_text('{"title": "One"}\n{"title": "Two", "max_words": 2}\n')
    options = ("--file", f"document={desk.document}", "--param", "max_words=3", "--wait")
    done = desk.read("job", "submit", EXAMPLE, "--batch", path, *options)
    assert done["counts"] == {"succeeded": 2}
    lengths = [len(row["data"]["summary"].split()) for row in done["items"]]
    assert lengths == [3, 2]


@pytest.mark.slow
def test_each_input_goes_to_each_engine(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/nonexistent")
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    done = desk.read("job", "submit", EXAMPLE, *desk.given, "--engines", "simulated", "--wait")
    assert [(row["engine"], row["status"]) for row in done["items"]] == [("simulated", "succeeded")]
    many = ("--engines", "simulated,claude")
    # Nobody is asked about the cost of an agent that cannot be started.
    lacking = desk.call("job", "submit", EXAMPLE, *desk.given, *many)
    assert (lacking.exit_code, "set ANTHROPIC_API_KEY" in lacking.stderr) == (3, True)
    refused = desk.call("job", "submit", EXAMPLE, *desk.given, *many, "--yes", "--json")
    states = [row["status"] for row in json.loads(refused.stdout)["items"]]
    assert (refused.exit_code, states) == (1, ["succeeded", "refused"])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--engines", ","), "--engines: name at least one"),
        (("--engines", "simulated", "--engine", "simulated"), "both say who does it"),
        (("--engines", "nosuch"), "unknown engine 'nosuch'"),
        (("--batch", "/nosuch/rows.csv"), "no file /nosuch/rows.csv"),
        (("--batch", "/nosuch/rows.xlsx"), "a batch is one of .jsonl"),
    ],
)
def test_a_batch_that_cannot_be_is_one_line(
    arguments: tuple[str, ...], told: str, desk: Desk
) -> None:
    said = desk.refused("job", "submit", EXAMPLE, *desk.given, *arguments)
    assert told in said
    assert said.count("\n") == 1
    assert desk.read("job", "list")["total"] == 0


def test_what_is_not_there_is_not_waited_for(desk: Desk) -> None:
    for name in ("latest", "abcdef", "ab"):
        assert "no job" in desk.refused("job", "wait", name)
    assert "no batch" in desk.refused("job", "batch", "latest")
