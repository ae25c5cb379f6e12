"""The pinned packages: what ``requirements/`` and ``web/package-lock.json`` say."""

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tests.repo.tree import ROOT

REQUIREMENTS = ROOT / "requirements"
_WHERE = r"[a-z_]+ [<>=!]+ '[\w.]+'"
_PIN = re.compile(
    r"(?P<name>[a-z0-9][a-z0-9.-]*)==(?P<version>[0-9][0-9a-z.+!]*)"
    rf"(?: ; {_WHERE}(?: and {_WHERE})*)?(?P<hashes>(?: --hash=sha256:[0-9a-f]{{64}})*)"
)
_BITS = {128: "SHA-512", 96: "SHA-384", 64: "SHA-256", 40: "SHA-1"}


@dataclass(frozen=True)
class Pin:
    """One package at one version, with the hashes of its files."""

    ecosystem: Literal["pypi", "npm"]
    name: str
    version: str
    hashes: tuple[tuple[str, str], ...]
    """Algorithm, as CycloneDX calls it, and hexadecimal digits."""

    is_shipped: bool = True
    """Whether whet needs it where it is used, and not only where it is made and tested."""

    @property
    def purl(self) -> str:
        """The package as others name it."""
        return f"pkg:{self.ecosystem}/{self.name.replace('@', '%40')}@{self.version}"


def joined(text: str) -> list[str]:
    """The lines of a requirements file; one that goes on is one line."""
    return [" ".join(line.split()) for line in text.replace("\\\n", " ").splitlines() if line]


def loose_pins(text: str) -> list[str]:
    """Lines of a requirements file that are anything but one pinned version with its hashes."""
    found = [(line, _PIN.fullmatch(line)) for line in joined(text)]
    return [line[:100] for line, match in found if match is None or not match["hashes"]]


def line_of(package: str, path: Path) -> str:
    """The line of a requirements file that pins ``name==version``; raises ``KeyError``."""
    for line in joined(path.read_text()):
        if line.partition(" ")[0] == package:
            return line
    raise KeyError(f"{package} is not pinned in {path.name}; run: make pins")


def python_pins(path: Path, *, is_shipped: bool = True) -> list[Pin]:
    """What a requirements file pins."""
    found = [match for line in joined(path.read_text()) if (match := _PIN.fullmatch(line))]
    return [
        Pin(
            "pypi",
            each["name"],
            each["version"],
            tuple(("SHA-256", one.partition(":")[2]) for one in each["hashes"].split()),
            is_shipped,
        )
        for each in found
    ]


def npm_pins(lock: Path) -> list[Pin]:
    """What a lock file of npm pins."""
    packages: dict[str, dict[str, Any]] = json.loads(lock.read_text())["packages"]
    return [
        Pin(
            "npm",
            each.get("name") or path.rpartition("node_modules/")[2],
            each["version"],
            tuple(_integrity(each.get("integrity", ""))),
            not (each.get("dev") or each.get("devOptional")),
        )
        for path, each in packages.items()
        if path
    ]


def _integrity(text: str) -> Iterator[tuple[str, str]]:
    for one in text.split():
        digits = base64.b64decode(one.partition("-")[2]).hex()
        yield _BITS[len(digits)], digits


def every_pin() -> list[Pin]:
    """Every package that whet is made from, made with or tested with; each once."""
    build = {line.partition(">")[0].partition("=")[0] for line in built_with()}
    shipped = python_pins(REQUIREMENTS / "run.txt")
    found = [pin for pin in shipped if pin.name not in build]
    for name in ("run", "dev", "agents", "audit", "uv"):
        found += python_pins(REQUIREMENTS / f"{name}.txt", is_shipped=False)
    found += npm_pins(ROOT / "web/package-lock.json")
    unique: dict[str, Pin] = {}
    for pin in found:
        unique.setdefault(pin.purl, pin)
    return sorted(unique.values(), key=lambda pin: pin.purl)


def built_with() -> list[str]:
    """What is needed to build whet."""
    return (REQUIREMENTS / "build.in").read_text().split()
