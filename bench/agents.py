"""What whet adds to a real agent, and how fast it reads what one says.

The bare agent is started by hand with the same program, arguments, environment and prompt, on the
same scripted model. A trial is the whole road: claim, fresh home, sandbox, steps, session, record.
Both take turns, so that a busy moment meets both.
"""

import asyncio
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import cast

from tests.engines.driving import SUBJECTS, Subject, bench, says
from whet.app.app import App, opened
from whet.app.settings import read
from whet.core.case import Limits, Stimulus
from whet.core.trial import TrialSpec
from whet.engines.agent_cli.drive import drive
from whet.engines.agent_cli.engine import CliEngine
from whet.engines.agent_cli.home import Home
from whet.engines.agent_cli.options import AgentOptions
from whet.engines.agent_cli.task import Task
from whet.engines.claude_reader import ClaudeReader
from whet.ports.workdir import Workdir
from whet.shell.command import Command
from whet.shell.process import started
from whet.shell.sandbox import probe

ROUNDS = 9
EVENTS = 100_000
RECORDED = Path("tests/engines/recorded/claude.jsonl")


def main() -> None:
    names = sys.argv[1:] or [subject.name for subject in SUBJECTS]
    for subject in SUBJECTS:
        if subject.name in names:
            added(subject)
    parsed()


def added(subject: Subject) -> None:
    """Print the times of the bare agent and of whole trials, for each sandbox there is."""
    with tempfile.TemporaryDirectory() as name, bench(Path(name), says("Done.")) as made:
        machine = cast("CliEngine", subject.engine(made)).machine
        settings = read(made.home / "workspace", {**machine.environment, "HOME": str(made.home)})
        with opened(settings) as app:
            taken: dict[str, list[float]] = {}
            for number in range(ROUNDS):
                taken.setdefault("bare", []).append(bare(subject, app, number))
                for sandbox in reversed(probe()):
                    spent = asyncio.run(trial(subject, app, sandbox, number))
                    taken.setdefault(sandbox, []).append(spent)
    alone = median(taken.pop("bare"))
    print(f"{subject.name:9} bare       {alone * 1000:7.0f} ms")
    for sandbox, times in taken.items():
        more = median(times) - alone
        print(
            f"{'':9} {sandbox:10} {median(times) * 1000:7.0f} ms"
            f"   + {more * 1000:4.0f} ms, {more / alone:6.1%}"
        )


def spec(subject: Subject, app: App, sandbox: str, number: int) -> TrialSpec:
    return TrialSpec(
        series=number,
        skill=None,
        stimulus=Stimulus(prompt="Say that you are done.", limits=Limits(timeout_seconds=120)),
        engine=subject.name,
        engine_version=app.parts.engine(subject.name).version({}),
        model=subject.model,
        sandbox=sandbox,
    )


def bare(subject: Subject, app: App, number: int) -> float:
    """Seconds of the program by itself, in folders that were made before."""
    engine = cast("CliEngine", app.parts.engine(subject.name))
    wanted = spec(subject, app, "none", number)
    # On the same file system as the trials; a disk would slow the program down.
    with app.scratch.workdir(f"bare-{number}", wanted) as workdir:
        command, _ = engine.command(task_of(wanted, workdir))
        begun = time.perf_counter()
        subprocess.run(
            command.argv,
            input=(command.stdin or "").encode(),
            cwd=command.cwd,
            env=dict(command.env),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=True,
        )
        return time.perf_counter() - begun


async def trial(subject: Subject, app: App, sandbox: str, number: int) -> float:
    """Seconds of a whole trial."""
    wanted = spec(subject, app, sandbox, number)
    run = app.runner(retries=0)
    begun = time.perf_counter()
    handled = await run(wanted)
    spent = time.perf_counter() - begun
    assert handled.record is not None, handled.error
    assert handled.record.status == "completed", handled.record.error
    return spent


def parsed() -> None:
    """Print how many events of a long stream become steps in a second."""
    with tempfile.TemporaryDirectory() as name:
        stream = Path(name, "stream")
        count = long_stream(stream)
        megabytes = stream.stat().st_size / 1e6
        begun = time.perf_counter()
        subprocess.run(["cat", str(stream)], check=True, stdout=subprocess.DEVNULL)
        copied = time.perf_counter() - begun
        begun = time.perf_counter()
        steps = asyncio.run(steps_of(stream))
        spent = time.perf_counter() - begun
    print(
        f"{count} events, {megabytes:.0f} MB: {count / spent:,.0f} events a second into {steps} "
        f"steps; cat alone {copied / spent:.1%} of the time"
    )


def long_stream(stream: Path) -> int:
    """Write what an agent would say in a very long run; the number of events."""
    _, *middle, _ = RECORDED.read_text().splitlines()
    rounds = EVENTS // len(middle)
    with stream.open("w") as file:
        for number in range(rounds):
            # Other names for the same things, as a long run has them.
            file.writelines(line.replace("_c1_", f"_{number}_") + "\n" for line in middle)
    return rounds * len(middle)


async def steps_of(stream: Path) -> int:
    wanted = TrialSpec(
        skill=None, stimulus=Stimulus(prompt=""), engine="claude", engine_version="", model=""
    )
    task = task_of(wanted, Workdir(stream.parent, stream.parent, None))
    command = Command(("/bin/cat", str(stream)), stream.parent, {}, 600)
    async with started(command) as process:
        return len([step async for step in drive(process, ClaudeReader(""), task)])


def task_of(wanted: TrialSpec, workdir: Workdir) -> Task:
    return Task(wanted, workdir, AgentOptions.of(wanted), Home.below(workdir))


if __name__ == "__main__":
    main()
