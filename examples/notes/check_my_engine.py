from pathlib import Path

from notes.engine import NotesEngine

from whet.ports.machine import Machine
from whet.testing.engine import Subject, check_engine

machine = Machine(environment={}, home=Path("/nowhere"))
check_engine(Subject(lambda: NotesEngine(machine), prompt="Think.", writes="notes.md"))
