"""Parts by name, from entry points: ours and anybody's through the same door."""

from collections.abc import Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from whet.core.errors import EnvironmentProblem, UnknownPart
from whet.ports.machine import Machine
from whet.ports.parts import Parts

if TYPE_CHECKING:
    from whet.ports.capability_exporter import CapabilityExporter
    from whet.ports.checker import Checker
    from whet.ports.engine import Engine
    from whet.ports.exporter import Exporter
    from whet.ports.judge import Judge, JudgeSetup
    from whet.ports.project_exporter import ProjectExporter
    from whet.ports.reader import Reader
    from whet.ports.session_exporter import SessionExporter


class InstalledParts:
    """``ports.parts.Parts``; a part is imported when it is first asked for."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._engines: dict[str, Engine] = {}
        self._checkers: dict[str, Checker] = {}

    def engine(self, name: str) -> "Engine":
        """See the port."""
        if name not in self._engines:
            self._engines[name] = _load("engine", name)(self._machine)
        return self._engines[name]

    def engines(self) -> Sequence[str]:
        """See the port."""
        return sorted(_points("whet.engines"))

    def judge(self, name: str, setup: "JudgeSetup") -> "Judge":
        """See the port."""
        return _load("judge", name)(setup)

    def judges(self) -> Sequence[str]:
        """See the port."""
        return sorted(_points("whet.judges"))

    def checker(self, name: str) -> "Checker":
        """See the port."""
        if name not in self._checkers:
            self._checkers[name] = _load("checker", name)()
        return self._checkers[name]

    def checkers(self) -> Sequence[str]:
        """See the port."""
        return sorted(_points("whet.checkers"))

    def exporter(self, name: str) -> "Exporter":
        """See the port."""
        return _load("exporter", name)()

    def exporters(self) -> Sequence[str]:
        """See the port."""
        return sorted(_points("whet.exporters"))

    def project_exporter(self, name: str) -> "ProjectExporter":
        """See the port."""
        return _load("project_exporter", name)()

    def project_exporters(self) -> Sequence[str]:
        """See the port."""
        return sorted(_points("whet.project_exporters"))

    def capability_exporter(self, name: str) -> "CapabilityExporter":
        """See the port."""
        return _load("capability_exporter", name)()

    def capability_exporters(self) -> Sequence[str]:
        """See the port."""
        return sorted(_points("whet.capability_exporters"))

    def session_exporter(self, name: str) -> "SessionExporter":
        """See the port."""
        return _load("session_exporter", name)()

    def session_exporters(self) -> Sequence[str]:
        """See the port."""
        return sorted(_points("whet.session_exporters"))

    def reader(self, name: str) -> "Reader":
        """See the port."""
        return _load("reader", name)()

    def readers(self) -> Sequence[str]:
        """See the port."""
        return sorted(_points("whet.readers"))


def every_reader(parts: Parts) -> "tuple[Reader, ...]":
    """Every installed reader of session logs, by name."""
    return tuple(parts.reader(name) for name in parts.readers())


def every_checker(parts: Parts) -> "dict[str, Checker]":
    """Every installed type of check, by name."""
    return {name: parts.checker(name) for name in parts.checkers()}


def _load(kind: str, name: str):
    points, said = _points(f"whet.{kind}s"), kind.replace("_", " ")
    if name not in points:
        raise UnknownPart(said, name, sorted(points))
    try:
        return points[name].load()
    except (ImportError, AttributeError) as error:
        raise EnvironmentProblem(f"{said} {name!r} does not load: {error}") from error


@cache
def _points(group: str) -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=group)}
