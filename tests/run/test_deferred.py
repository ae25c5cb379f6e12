"""Changes that there was no room for are written as soon as there is, in their order."""

import pytest

from whet.core.errors import Conflict, EnvironmentProblem
from whet.run.deferred import DeferredWrites


class Disk:
    """Keeps what is written, while it has room."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self.is_full = False

    def write(self, word: str) -> None:
        if self.is_full:
            raise EnvironmentProblem("the disk is full")
        self.written.append(word)


def test_no_change_overtakes_an_older_one() -> None:
    """Else a run would be over while claims of its trials are still open."""
    disk, deferred = Disk(), DeferredWrites()
    disk.is_full = True
    deferred.attempt(lambda: disk.write("the claim is closed"))
    disk.is_full = False
    deferred.write(lambda: disk.write("the run is over"))
    assert disk.written == ["the claim is closed", "the run is over"]
    assert not deferred.is_waiting


def test_what_comes_to_a_full_disk_waits_behind_the_others() -> None:
    disk, deferred = Disk(), DeferredWrites()
    disk.is_full = True
    deferred.add(lambda: disk.write("first"))
    with pytest.raises(EnvironmentProblem):
        deferred.write(lambda: disk.write("now"), later=lambda: disk.write("later"))
    assert not deferred.retry()
    disk.is_full = False
    assert deferred.retry()
    assert disk.written == ["first", "later"]


def test_what_somebody_else_did_meanwhile_holds_nobody_up() -> None:
    def done_already() -> None:
        raise Conflict("it", "open", "closed")

    disk, deferred = Disk(), DeferredWrites()
    deferred.add(done_already)
    deferred.write(lambda: disk.write("after it"))
    assert disk.written == ["after it"]
