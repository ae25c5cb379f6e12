"""Jobs through the real command: several processes, signals, a terminal, a server."""

import json
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.cli.job.desk import ASKING, EXAMPLE, TEXT, WORDS
from tests.cli.job.desk import Desk as Packages
from tests.flows.command import (
    WHET,
    assert_every_trial_answered_once,
    environment,
    executions,
    started,
    whet,
)
from tests.flows.serving import Serving
from tests.flows.terminal import Terminal

pytestmark = pytest.mark.slow

PATIENCE = 60.0
SLOW = ("--option", 'simulate={"latency_ms": 4000}', "--no-cache")
HANGING = ("--option", 'simulate={"hang": 1}', "--no-cache")


class Desk:
    """A fresh workspace, and a document to report on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workspace = folder / "workspace"
        self.scratch = str(folder / "scratch")
        (folder / "rivers.txt").write_text(TEXT)

    @property
    def given(self) -> tuple[str, ...]:
        return (
            str(EXAMPLE),
            "--input",
            "title=Rivers",
            "--file",
            f"document={self.folder}/rivers.txt",
        )

    def run(self, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return whet(*self.whole(arguments), WHET_SCRATCH=self.scratch, **more)

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return started(*self.whole(arguments), WHET_SCRATCH=self.scratch)

    def at_terminal(self, *arguments: str, **more: str) -> Terminal:
        size = {"COLUMNS": "200", "TERM": "dumb"}
        return Terminal(*self.whole(arguments), WHET_SCRATCH=self.scratch, **{**size, **more})

    def read(self, *arguments: str) -> dict[str, Any]:
        done = self.run(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def whole(self, arguments: tuple[str, ...]) -> tuple[str | Path, ...]:
        return (*arguments, "--workspace", self.workspace)

    def until(self, state: str) -> str:
        """The id of the newest job, once it is in *state* and its agent works, or has."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = self._newest()
            if found is not None and found[1] == state and executions(self.workspace):
                return found[0]
            time.sleep(0.05)
        raise AssertionError(f"no job is {state}: {self._newest()}")

    def state(self) -> str:
        found = self._newest()
        assert found is not None
        return found[1]

    def asking(self) -> str:
        """A package that asks four questions."""
        return str(Packages(self.folder).package("asking", ASKING))

    def _newest(self) -> tuple[str, str] | None:
        """A command for it would take longer than a job does."""
        path = self.workspace / "whet.db"
        if not path.exists():
            return None
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            query = "SELECT request_id, state FROM jobs ORDER BY created_at DESC LIMIT 1"
            try:
                return database.execute(query).fetchone()
            except sqlite3.OperationalError:  # the tables are being made
                return None


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


def agents_of(process: subprocess.Popen[str]) -> list[psutil.Process]:
    """The processes that the agent of a job has started."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        family = psutil.Process(process.pid).children(recursive=True)
        if found := [each for each in family if "86400" in each.cmdline()]:
            return found
        time.sleep(0.05)
    raise AssertionError("no agent hangs")


def test_ctrl_c_ends_the_agent_and_cancels_the_job(desk: Desk) -> None:
    process = desk.start("run", *desk.given, *HANGING)
    job = desk.until("running")
    agents = agents_of(process)
    process.send_signal(signal.SIGINT)
    code, out, err = ended(process)
    assert (code, out) == (130, "")
    assert err.splitlines()[-1] == f"whet: stopped; job {job[:8]} is cancelled"
    _, alive = psutil.wait_procs(agents, timeout=10)
    assert alive == []
    assert desk.read("job", "status", job)["status"] == "cancelled"
    assert [outcome for _, outcome in executions(desk.workspace)] == ["cancelled"]
    assert not [path for path in Path(desk.scratch).glob("*") if path.name != "locks"]
    waited = desk.run("job", "wait", job)
    assert waited.returncode == 1
    assert f"whet: job {job[:8]} was cancelled" in waited.stderr


def test_what_was_killed_is_finished_by_whoever_waits(desk: Desk) -> None:
    process = desk.start("run", *desk.given, *SLOW)
    job = desk.until("running")
    process.kill()
    process.communicate()
    shown = desk.run("job", "status", "latest")
    assert "interrupted" in shown.stdout
    assert f"next  whet job wait {job[:8]}" in shown.stdout
    assert "interrupted" in desk.run("job", "list").stdout
    done = desk.run("job", "wait", "latest", "--json")
    assert done.returncode == 0, done.stderr
    outcome = json.loads(done.stdout)
    assert outcome["result"]["data"]["words"] == WORDS
    assert (outcome["request_id"], outcome["job"]["restarts"]) == (job, 1)
    answered = [outcome for _, outcome in executions(desk.workspace) if outcome == "answered"]
    assert len(answered) == 1


def test_two_who_wait_do_it_once(desk: Desk) -> None:
    made = desk.read("job", "submit", *desk.given, *SLOW)
    both = [desk.start("job", "wait", made["request_id"][:8], "--json") for _ in range(2)]
    results = [ended(process) for process in both]
    assert [code for code, _, _ in results] == [0, 0]
    first, second = (json.loads(out) for _, out, _ in results)
    assert first == second
    assert first["result"]["data"]["words"] == WORDS
    assert_every_trial_answered_once(desk.workspace, 1)
    assert len(executions(desk.workspace)) == 1


def test_when_the_one_who_works_is_killed_the_other_goes_on(desk: Desk) -> None:
    desk.read("job", "submit", *desk.given, *SLOW)
    worker = desk.start("job", "wait", "latest")
    desk.until("running")
    waiter = desk.start("job", "wait", "latest", "--json")
    time.sleep(0.5)
    worker.kill()
    worker.communicate()
    code, out, _ = ended(waiter)
    assert code == 0
    outcome = json.loads(out)
    assert outcome["result"]["data"]["words"] == WORDS
    assert outcome["job"]["restarts"] == 1


def test_whoever_stops_waiting_leaves_the_job_to_others(desk: Desk) -> None:
    desk.read("job", "submit", *desk.given, *SLOW)
    process = desk.start("job", "wait", "latest")
    job = desk.until("running")
    process.send_signal(signal.SIGINT)
    code, out, err = ended(process)
    assert (code, out) == (130, "")
    assert f"no longer waiting; job {job[:8]} is queued: whet job wait {job[:8]}" in err
    assert desk.state() == "queued"


def test_a_job_is_cancelled_from_another_process(desk: Desk) -> None:
    process = desk.start("run", *desk.given, *HANGING)
    job = desk.until("running")
    agents = agents_of(process)
    assert desk.read("job", "cancel", job[:8])["status"] == "cancelled"
    code, out, err = ended(process)
    assert code == 1
    assert json.loads(out)["result"]["status"] == "cancelled"
    assert f"whet: job {job[:8]} was cancelled" in err
    _, alive = psutil.wait_procs(agents, timeout=10)
    assert alive == []


def test_progress_is_told_on_stderr_and_followed_from_elsewhere(desk: Desk) -> None:
    process = desk.start("run", *desk.given, *SLOW)
    desk.until("running")
    follower = desk.start("job", "logs", "latest", "--follow")
    code, out, err = ended(process)
    assert code == 0
    assert json.loads(out)["result"]["status"] == "success"
    assert any(line.startswith("text-report, simulated: ") for line in err.splitlines()), err
    code, out, err = ended(follower)
    assert (code, err) == (0, "")
    assert "  calls  Write artifacts/report.md" in out
    assert out.splitlines()[-1].endswith("  succeeded")


def test_a_person_at_a_terminal_is_asked(desk: Desk) -> None:
    out = desk.folder / "out"
    inputs = (*desk.given[1:], "--mode", "interactive", "--out", str(out))
    terminal = desk.at_terminal("run", desk.asking(), *inputs)
    assert "Please give me the audience." in terminal.until("your answer: ")
    terminal.type("")
    terminal.until("That is no answer to it.")
    terminal.until("your answer: ")
    terminal.type("old sailors")
    offered = terminal.until("number: ")
    assert "  1  short" in offered
    assert "  2  long" in offered
    terminal.type("3")
    terminal.until("That is no answer to it.")
    terminal.until("number: ")
    terminal.type("2")
    assert "confirm the title" in terminal.until("y/n: ")
    terminal.type("y")
    terminal.until("path of notes.txt (required): ")
    terminal.type("/nosuch/notes.txt")
    terminal.until("There is no file /nosuch/notes.txt.")
    terminal.until("path of notes.txt (required): ")
    terminal.type(str(desk.folder / "rivers.txt"))
    code, seen = terminal.ended()
    assert code == 0, seen
    assert '"status": "success"' in seen
    report = (out / "report.md").read_text()
    for said in ("old sailors", "long"):
        assert said in report
    assert desk.read("job", "status", "latest")["interaction_count"] == 4


def test_ctrl_c_at_a_question_cancels_too(desk: Desk) -> None:
    terminal = desk.at_terminal("run", desk.asking(), *desk.given[1:], "--mode", "interactive")
    terminal.until("your answer: ")
    terminal.interrupt()
    code, seen = terminal.ended()
    assert code == 130
    assert "is cancelled" in seen
    assert desk.state() == "cancelled"


def test_a_question_can_be_left_for_later(desk: Desk) -> None:
    terminal = desk.at_terminal("run", desk.asking(), *desk.given[1:], "--mode", "interactive")
    terminal.until("your answer: ")
    terminal.end_input()
    code, seen = terminal.ended()
    assert code == 1
    assert "answer with: whet job reply " in seen
    assert desk.state() == "waiting_user"
    waiting = desk.at_terminal("job", "wait", "latest")
    assert "Please give me the audience." in waiting.until("your answer: ")
    waiting.interrupt()
    assert waiting.ended()[0] == 130
    assert desk.state() == "waiting_user"


def test_chinese_is_asked_and_answered(desk: Desk) -> None:
    inputs = (*desk.given[1:], "--mode", "interactive")
    terminal = desk.at_terminal("run", desk.asking(), *inputs, WHET_LANGUAGE="zh")
    assert "智能体提问：" in terminal.until("你的回答: ")
    terminal.type("水手")
    terminal.until("编号: ")
    terminal.type("short")
    terminal.until("是/否: ")
    terminal.type("否")
    terminal.until("notes.txt 的路径（必需）: ")
    terminal.end_input()
    code, seen = terminal.ended()
    assert code == 1
    assert "在等待回答" in seen
    assert "回答：whet job reply" in seen
    listed = desk.run("job", "list", WHET_LANGUAGE="zh").stdout
    assert "等待回答" in listed


def test_a_server_does_what_is_submitted_and_waited_for(desk: Desk) -> None:
    with Serving.on(desk.workspace, WHET_SCRATCH=desk.scratch) as server:
        said = desk.run("job", "submit", *desk.given, *SLOW)
        assert said.returncode == 0, said.stderr
        assert "A running whet serve does it. Wait for it with: whet job wait " in said.stdout
        done = desk.read("job", "wait", "latest")
        assert done["result"]["data"]["words"] == WORDS
        mine = psutil.Process(server.process.pid)
        assert owners(desk.workspace) == {mine.pid}
        foreground = desk.read("run", *desk.given, "--no-cache")
        assert foreground["result"]["data"]["words"] == WORDS
        assert len(owners(desk.workspace)) == 2, "what is run here is not the server's"
    left = desk.run("job", "submit", *desk.given, "--no-cache")
    assert "Nobody does it yet" in left.stdout


def owners(workspace: Path) -> set[int]:
    """The processes that started agents."""
    with closing(sqlite3.connect(f"file:{workspace}/whet.db?mode=ro", uri=True)) as database:
        rows = database.execute("SELECT owner FROM executions").fetchall()
    return {int(owner.partition("-")[0]) for (owner,) in rows}


PROGRAM = """
import json, os, pathlib, sys
sys.stdin.read()
text = pathlib.Path("uploads/document").read_text()
pathlib.Path("artifacts/report.md").write_text(f"# {len(os.environ['MY_KEY'])}")
print(json.dumps({"report": "artifacts/report.md", "words": len(text.split())}))
"""


def test_any_program_does_a_job_and_gets_its_variables(desk: Desk) -> None:
    script, secret = desk.folder / "agent.py", "not-for-the-log-0123456789"
    script.write_text(PROGRAM)
    argv = json.dumps(["/usr/bin/env", "python3", str(script)])
    how = ("--engine", "command", "--option", f"argv={argv}", "--env", "MY_KEY", "--yes")
    done = desk.run("run", *desk.given, *how, "--json", MY_KEY=secret, WHET_SANDBOX="off")
    assert done.returncode == 0, done.stderr + done.stdout
    outcome = json.loads(done.stdout)
    assert outcome["result"]["data"]["words"] == WORDS
    [report] = outcome["files"].values()
    assert Path(report).read_text() == f"# {len(secret)}"
    unset = desk.run("run", *desk.given, *how)
    assert unset.returncode == 2
    assert "--env MY_KEY: it is not set here" in unset.stderr
    for path in desk.workspace.rglob("*"):
        assert not path.is_file() or secret.encode() not in path.read_bytes(), path


def test_a_document_comes_through_a_pipe(desk: Desk) -> None:
    whole = desk.whole(("run", str(EXAMPLE), "--input", "title=Piped", "--file", "document=-"))
    done = subprocess.run(
        [WHET, *whole],
        input="one two three",
        capture_output=True,
        text=True,
        env=environment(WHET_SCRATCH=desk.scratch),
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["result"]["data"]["words"] == 3


def test_a_batch_shares_its_work_among_all_who_wait(desk: Desk) -> None:
    rows = "".join(json.dumps({"title": f"Number {number}"}) + "\n" for number in range(12))
    (desk.folder / "rows.jsonl").write_text(rows)
    options = (
        "--file",
        f"document={desk.folder}/rivers.txt",
        "--batch",
        f"{desk.folder}/rows.jsonl",
    )
    slow = ("--option", 'simulate={"latency_ms": 1500}')
    made = desk.read("job", "submit", str(EXAMPLE), *options, *slow)
    both = [desk.start("job", "wait", made["batch_id"], "--json") for _ in range(2)]
    for code, out, err in map(ended, both):
        assert code == 0, err
        assert json.loads(out)["counts"] == {"succeeded": 12}
    assert_every_trial_answered_once(desk.workspace, 12)
    table = desk.run("job", "batch", "latest").stdout
    assert "12 jobs: succeeded 12" in table
