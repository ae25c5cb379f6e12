"""What killed processes left in the scratch folder goes; nothing else does."""

import time
from pathlib import Path

from whet.app.clock import SystemClock
from whet.run.workdir import NEWBORN_SECONDS, Scratch, sweep
from whet.stores.memory import MemoryStore

DEAD, LIVING = "4711-0123456789ab", "4712-0123456789ab"


def test_only_what_a_dead_process_left_is_removed(tmp_path: Path) -> None:
    for name in (DEAD, "holiday-photos", "4711", "4713-XYZ"):
        (tmp_path / name / "work").mkdir(parents=True)
        (tmp_path / name / "work" / "file.txt").touch()
    (tmp_path / "4714-0123456789ab").symlink_to(tmp_path / "holiday-photos")
    scratch = Scratch(tmp_path / LIVING, MemoryStore(lambda _owner: True, SystemClock()).blobs)
    sweep(tmp_path, time.time() + 60 * NEWBORN_SECONDS)
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == sorted(["holiday-photos", "4711", "4713-XYZ", "4714-0123456789ab", LIVING])
    assert (tmp_path / "holiday-photos" / "work" / "file.txt").exists()
    scratch.close()


def test_a_newborn_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / DEAD).mkdir()
    sweep(tmp_path, time.time())
    assert (tmp_path / DEAD).exists()
    sweep(tmp_path / "nowhere", time.time() + 60 * NEWBORN_SECONDS)
