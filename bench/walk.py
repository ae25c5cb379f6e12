"""How far a command walks: the files whose functions it passes through, the modules it loads.

    make bench ARGS=walk

Each command runs once in a process of its own, on a fresh workspace with the simulated engine.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent


class Limits(NamedTuple):
    """The most that a command may pass through and load."""

    files: int
    modules: int | None


LIMITS = {"eval": Limits(130, 320), "project run": Limits(115, None)}

HOOK = """
import atexit, inspect, json, os, sys, threading
home, seen = os.environ["WALK_HOME"], set()

def see(frame, event, _argument):
    if event == "call":
        seen.add(frame.f_code)

def tell():
    sys.setprofile(None)
    passed = {
        code.co_filename for code in seen
        if code.co_filename.startswith(home) and code.co_flags & inspect.CO_OPTIMIZED
    }
    loaded = [name for name in sys.modules if name.partition(".")[0] == "whet"]
    with open(os.environ["WALK_TO"], "w") as file:
        json.dump({"files": sorted(passed), "modules": sorted(loaded)}, file)

atexit.register(tell)
threading.setprofile(see)
sys.setprofile(see)
from whet.cli.main import main
main()
"""


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as name:
        folder = Path(name)
        workspace = folder / "workspace"
        skill = ROOT / "examples/careful-python"
        show("eval", *walk(folder, workspace, "eval", str(skill), "--engine", "simulated", "--yes"))
        project = made_project(workspace)
        show("project run", *walk(folder, workspace, "project", "run", project, "--yes"))


def made_project(workspace: Path) -> str:
    """A project that has not run yet, of the skills and the baseline of the demo."""
    run(workspace, "demo")
    listed = json.loads(run(workspace, "project", "list", "--json"))
    cloned = run(workspace, "project", "clone", listed["items"][0]["id"], "--json")
    identity: str = json.loads(cloned)["id"]
    return identity


def walk(folder: Path, workspace: Path, *command: str) -> tuple[int, int]:
    """The numbers of files passed through and of modules loaded."""
    told = folder / "walk.json"
    environment = {"WALK_HOME": str(ROOT / "src/whet"), "WALK_TO": str(told)}
    done = subprocess.run(
        [sys.executable, "-c", HOOK, *command, "--workspace", str(workspace)],
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    found = json.loads(told.read_text())
    return len(found["files"]), len(found["modules"])


def run(workspace: Path, *command: str) -> str:
    """What a command prints."""
    return subprocess.run(
        [
            sys.executable,
            "-c",
            "from whet.cli.main import main; main()",
            *command,
            "--workspace",
            str(workspace),
        ],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def show(name: str, files: int, modules: int) -> None:
    limits = LIMITS[name]
    wanted = f"at most {limits.files}" + (f" and {limits.modules}" if limits.modules else "")
    print(f"whet {name:<12} {files:4} files, {modules:4} modules; {wanted} are wanted")


if __name__ == "__main__":
    main()
