"""Whatever is done to a run of any kind, from a terminal or over HTTP, and whoever is killed while
doing it: once it is resumed to its end, nothing is lost and nothing was done twice."""

import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.flows.command import environment, executions, started
from tests.flows.run_starters import KINDS, prepare
from tests.flows.serving import Serving

pytestmark = pytest.mark.slow

MOVES = 5
PATIENCE = 60.0
FINAL = ("job", "capability")
"""Kinds that are cancelled for good when they are stopped."""


def end(process: subprocess.Popen[str]) -> None:
    """Kill it, if it is there still."""
    process.kill()
    process.wait()
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


@dataclass
class Walk:
    """People and accidents around one run."""

    kind: str
    workspace: Path
    chance: random.Random
    serving: Serving
    identity: str = ""
    processes: list[subprocess.Popen[str]] = field(default_factory=list[subprocess.Popen[str]])
    is_stopped: bool = False

    def begin(self) -> None:
        """Start it in a process of its own, and wait until it is on record."""
        command = [sys.executable, "-m", "tests.flows.run_starters", self.kind, self.workspace]
        self.processes.append(
            subprocess.Popen(
                [*map(str, command)],
                env=environment(PYTHONPATH=str(Path(__file__).parents[2])),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
        )
        deadline = time.monotonic() + PATIENCE
        while not (found := self.asked("GET", "", kind=self.kind)["runs"]):
            assert time.monotonic() < deadline, self.processes[0].poll()
            time.sleep(0.05)
        self.identity = found[0]["id"]

    def asked(self, method: str, path: str, **query: str) -> dict[str, Any]:
        """Over HTTP; what cannot be now is a conflict and nothing else."""
        answer = self.serving.client.request(method, f"/v1/runs{path}", params=query)
        assert answer.status_code in (200, 202, 409), answer.text
        return answer.json()

    def typed(self, verb: str, *, is_killed: bool = False) -> None:
        """In a terminal, whose command may be killed on its way."""
        process = self.command(verb)
        if is_killed:
            time.sleep(self.chance.uniform(0.1, 1.2))
            process.kill()
        _, said = process.communicate(timeout=PATIENCE)
        assert "Traceback" not in said, said

    def command(self, verb: str) -> subprocess.Popen[str]:
        scratch = str(self.workspace.with_name("scratch"))
        arguments = ("--workspace", self.workspace, "--json")
        yes = ("--yes",) if verb == "resume" else ()
        return started("runs", verb, self.identity, *yes, *arguments, WHET_SCRATCH=scratch)

    def halt(self, verb: str) -> None:
        """Ask for it over HTTP, in a terminal, or in one that is killed."""
        self.is_stopped |= verb == "stop"
        match self.chance.randrange(3):
            case 0:
                self.asked("POST", f"/{self.identity}/{verb}")
            case way:
                self.typed(verb, is_killed=way == 1)

    def resume(self) -> None:
        if self.chance.random() < 0.5:
            self.asked("POST", f"/{self.identity}/resume")
        else:
            self.processes.append(self.command("resume"))
            time.sleep(self.chance.uniform(0.3, 1.5))

    def watch(self) -> None:
        """Look at it, and follow it for an event."""
        seen = self.asked("GET", f"/{self.identity}")
        assert (
            0
            <= seen["progress"]["settled"] + seen["progress"]["reused"]
            <= seen["progress"]["total"]
        )
        path = f"/v1/runs/{self.identity}/events"
        with self.serving.client.stream("GET", path, timeout=10) as answer:
            event = next(line for line in answer.iter_lines() if line.startswith("event: "))
        assert event[7:] in ("progress", "settled", "log", "ended")

    def kill(self) -> None:
        """Whoever began it, or went on with it last, dies."""
        end(self.processes[-1])

    def kill_server(self) -> None:
        end(self.serving.process)
        self.serving.client.close()
        self.serving = Serving.on(
            self.workspace, WHET_SCRATCH=str(self.workspace.with_name("scratch"))
        )

    def settle(self) -> dict[str, Any]:
        """Resume it until it is over."""
        deadline = time.monotonic() + PATIENCE
        while True:
            seen = self.asked("GET", f"/{self.identity}")
            if seen["status"] in ("completed", "cancelled", "failed"):
                return seen
            assert time.monotonic() < deadline, seen
            if seen["can_resume"]:
                self.asked("POST", f"/{self.identity}/resume")
            time.sleep(0.1)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("kind", KINDS)
def test_a_run_survives_whatever_is_done_to_it(kind: str, tmp_path: Path) -> None:
    workspace, chance = tmp_path / "workspace", random.Random(kind)
    prepare(workspace)
    serving = Serving.on(workspace, WHET_SCRATCH=str(tmp_path / "scratch"))
    walk = Walk(kind, workspace, chance, serving)
    moves: list[Callable[[], None]] = [
        *(walk.kill, walk.resume, lambda: walk.halt("pause"), walk.resume, walk.watch),
        walk.kill_server,
    ]
    if kind not in FINAL:
        moves.append(lambda: walk.halt("stop"))
    try:
        walk.begin()
        walk.watch()
        for move in chance.sample(moves, MOVES):
            move()
        ended = walk.settle()
        if kind in FINAL:
            assert ended["status"] == "completed"
        assert_nothing_lost_or_twice(walk, ended)
    finally:
        for process in (*walk.processes, walk.serving.process):
            end(process)
        walk.serving.client.close()


def assert_nothing_lost_or_twice(walk: Walk, ended: dict[str, Any]) -> None:
    assert ended["status"] == "completed", json.dumps(ended)
    progress = ended["progress"]
    done = progress["settled"] + progress["reused"]
    assert done == progress["total"] or walk.kind == "race"
    rows = executions(walk.workspace)
    answered = Counter(address for address, outcome in rows if outcome == "answered")
    assert set(answered.values()) <= {1}, "nothing is done twice"
    assert not [address for address, outcome in rows if outcome is None], "no claim is left"


@pytest.mark.timeout(120)
@pytest.mark.parametrize("kind", FINAL)
def test_what_is_stopped_for_good_stays_so(kind: str, tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    prepare(workspace)
    with Serving.on(workspace, WHET_SCRATCH=str(tmp_path / "scratch")) as serving:
        walk = Walk(kind, workspace, random.Random(kind), serving)
        walk.begin()
        walk.typed("stop")
        assert walk.asked("GET", f"/{walk.identity}")["status"] in ("cancelled", "completed")
        end(walk.processes[0])
        assert not walk.asked("GET", f"/{walk.identity}")["can_resume"]
