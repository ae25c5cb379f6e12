"""Projects through the real command: several processes at one project, wishes, signals, money."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.app.opening import app_on
from tests.curate.shelves import add_baseline, add_skill
from tests.flows.command import assert_every_trial_answered_once, started, whet
from tests.flows.terminal import Terminal
from whet.app.projects.shelf import ProjectShelf

pytestmark = pytest.mark.slow

SLOW = 'simulate={"latency_ms": 800}'
TRIALS = 2 * 12 * 4
PATIENCE = 60.0
SLEEPER = "import time; time.sleep(600)"


class Desk:
    """A workspace with two skills and a baseline of twelve cases."""

    def __init__(self, folder: Path) -> None:
        self.workspace = folder / "workspace"
        self._scratch = str(folder / "scratch")
        add_skill(self.workspace, "Writer", text="Write a docstring. Refuse bad input.")
        add_skill(self.workspace, "Author", text="Be brief.")
        add_baseline(self.workspace, "Tests", count=12)

    def run(self, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return whet(*self._whole(arguments), WHET_SCRATCH=self._scratch, **more)

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return started(*self._whole(arguments), WHET_SCRATCH=self._scratch)

    def read(self, *arguments: str) -> dict[str, Any]:
        done = self.run(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def create(self, *more: str) -> dict[str, Any]:
        assets = ("--skill", "Writer", "--skill", "Author", "--baseline", "Tests")
        repeats = () if "--repeats" in more else ("--repeats", "4")
        return self.read("create", "Two", *assets, *repeats, *more)

    def terminal(self, *arguments: str) -> Terminal:
        return Terminal(*self._whole(arguments), WHET_SCRATCH=self._scratch)

    def until_under_way(self) -> None:
        """Wait until a process has come to some results, quicker than any command could tell."""
        end = time.monotonic() + PATIENCE
        with app_on(self.workspace) as app:
            project = ProjectShelf(app).find("Two")
            before = app.store.results.counts(project.config.id).total
            while app.store.results.counts(project.config.id).total < before + 3:
                assert time.monotonic() < end
                time.sleep(0.05)

    def _whole(self, arguments: tuple[str, ...]) -> tuple[str | Path, ...]:
        return ("project", *arguments, "--workspace", self.workspace)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


@pytest.mark.parametrize(("verb", "control"), [("pause", "paused"), ("stop", "stopped")])
def test_a_wish_from_another_terminal_and_back_to_work(desk: Desk, verb: str, control: str) -> None:
    desk.create("--option", SLOW)
    process = desk.start("run", "Two")
    desk.until_under_way()
    watcher = desk.start("watch", "Two", "--json")
    found = desk.read(verb, "Two")
    assert (found["status"], found["control"]) == ("interrupted", control)
    code, out, err = ended(process)
    assert (code, out) == (1, "")
    assert err.splitlines()[-1].startswith(f"whet: Two was {control}; go on with: whet project")
    code, out, _ = ended(watcher)
    assert (code, json.loads(out)["control"]) == (1, control)
    report = desk.read("resume", "Two")
    before, trials = found["trials"]["completed"], report["trials"]
    assert (trials["total"], trials["reused"]) == (TRIALS, before)
    # Stopped between an answer and its grade, a trial is graded only: it is not run again.
    assert trials["executed"] + trials["regraded"] == TRIALS - before
    assert_every_trial_answered_once(desk.workspace, TRIALS)


def test_ctrl_c_says_how_to_go_on(desk: Desk) -> None:
    made = desk.create("--option", SLOW)
    process = desk.start("run", "Two")
    desk.until_under_way()
    process.send_signal(signal.SIGINT)
    code, out, err = ended(process)
    assert (code, out) == (130, "")
    said = err.splitlines()[-1]
    assert said.startswith("whet: stopped; go on with: whet project resume ")
    command = said.partition("go on with: whet ")[2].split()
    assert command[2] == made["id"][:8]
    status = desk.read("status", "Two")
    assert (status["status"], status["error"]) == ("interrupted", None)
    done = whet(*command, "--json")
    assert done.returncode == 0, done.stderr
    assert_every_trial_answered_once(desk.workspace, TRIALS)


def test_watching_ends_with_the_run_and_when_it_is_killed(desk: Desk) -> None:
    desk.create("--option", SLOW)
    process = desk.start("run", "Two")
    desk.until_under_way()
    watcher = desk.start("watch", "Two")
    time.sleep(1)
    process.kill()
    process.communicate()
    code, out, _ = ended(watcher)
    assert code == 1
    assert "interrupted" in out
    assert "whet project resume" in out
    process = desk.start("run", "Two", "--json")
    desk.until_under_way()
    code, out, _ = ended(desk.start("watch", "Two"))
    assert (code, ended(process)[0]) == (0, 0)
    assert "95 % interval" in out
    assert f"{TRIALS} of {TRIALS}" in out


def test_two_processes_share_the_work_and_agree(desk: Desk) -> None:
    desk.create("--option", SLOW)
    both = [desk.start("run", "Two", "--json") for _ in range(2)]
    reports = [json.loads(out) for _, out, _ in map(ended, both)]
    assert reports[0]["ranking"] == reports[1]["ranking"]
    assert_every_trial_answered_once(desk.workspace, TRIALS)


def test_a_stop_ends_the_agents(desk: Desk, tmp_path: Path) -> None:
    """Of whichever process, and what they have started."""
    program = tmp_path / "sleeper.py"
    program.write_text(SLEEPER)
    desk.create(*by_program(program))
    process = desk.start("run", "Two", "--yes")

    def agents() -> list[psutil.Process]:
        family = psutil.Process(process.pid).children(recursive=True)
        return [one for one in family if str(program) in " ".join(_cmdline(one))]

    end = time.monotonic() + PATIENCE
    while not (seen := agents()):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.1)
    found = desk.read("stop", "Two")
    assert (found["status"], found["control"]) == ("interrupted", "stopped")
    assert ended(process)[0] == 1
    _, alive = psutil.wait_procs(seen, timeout=10)
    assert alive == []


def _cmdline(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:  # it has gone meanwhile
        return []


def test_a_paid_engine_needs_consent(desk: Desk, tmp_path: Path) -> None:
    """Whoever does not agree leaves all as it is."""
    program = tmp_path / "echo.py"
    program.write_text("print('done')")
    desk.create(*by_program(program), "--repeats", "1")
    refused = desk.run("run", "Two")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "24 agent runs and 0 judge calls, of unknown cost" in refused.stderr
    assert "confirm with --yes" in refused.stderr
    person = desk.terminal("run", "Two")
    person.until("Go on? [y/N]:")
    person.type("n")
    assert person.ended()[0] == 1
    assert desk.read("status", "Two")["status"] == "pending"
    assert desk.read("run", "Two", "--yes")["trials"]["executed"] == 24
    refused = desk.run("retry", "Two", "--skill", "Writer", "--run")
    assert refused.returncode == 2
    assert "12 agent runs" in refused.stderr
    assert desk.read("run", "Two")["trials"]["executed"] == 0, "nothing was marked"
    again = desk.read("retry", "Two", "--skill", "Writer", "--run", "--yes")
    assert again["trials"]["executed"] == 12


def by_program(path: Path) -> tuple[str, ...]:
    argv = json.dumps([sys.executable, str(path)])
    return ("--engine", "command", "--option", f"argv={argv}", "--judge", "simulated")


def test_a_terminal_sees_a_bar_and_then_the_ranking(desk: Desk) -> None:
    desk.create("--option", 'simulate={"latency_ms": 100}')
    code, seen = desk.terminal("run", "Two").ended()
    assert code == 0
    assert f"/{TRIALS}" in seen
    assert f"{TRIALS} trials: {TRIALS} run now" in seen


def test_chinese_is_spoken(desk: Desk) -> None:
    desk.create()
    done = desk.run("run", "Two", WHET_LANGUAGE="zh")
    assert done.returncode == 0
    assert f"共 {TRIALS} 次试验：本次运行 {TRIALS} 次" in done.stdout
    assert "已完成" in desk.run("status", "Two", WHET_LANGUAGE="zh").stdout
