"""``whet cassette`` from the outside."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.flows.command import demo, executions, whet

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    demo(folder)
    return folder


@pytest.fixture(scope="module")
def cassette(workspace: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cassette") / "demo.zip"
    done = whet("cassette", "export", path, "--all", "--workspace", workspace)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"90 trials in {path}, ")
    return path


def assert_refused(done: subprocess.CompletedProcess[str], code: int, says: str) -> None:
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith("whet: ")
    assert done.stderr.count("\n") == 1
    assert says in done.stderr


def test_what_one_exports_another_imports(workspace: Path, cassette: Path, tmp_path: Path) -> None:
    first = whet("cassette", "import", cassette, "--workspace", tmp_path)
    assert first.returncode == 0, first.stderr
    assert first.stdout == f"90 trials imported into {tmp_path}\n"
    again = whet("cassette", "import", cassette, "--workspace", tmp_path, "--json")
    assert json.loads(again.stdout) == {
        "file": str(cassette),
        "trials": 90,
        "imported": 0,
        "present": 90,
    }
    assert executions(tmp_path) == []
    # What was imported does not count as done here.
    assert demo(tmp_path)["trials"]["executed"] == 90
    assert demo(workspace)["trials"]["executed"] == 0


def test_a_project_and_a_trial_can_be_exported(workspace: Path, tmp_path: Path) -> None:
    report = demo(workspace)
    whole = tmp_path / "whole.zip"
    done = whet(
        *("cassette", "export", whole, "--json", "--workspace", workspace),
        *("--project", report["project_name"]),
    )
    facts = json.loads(done.stdout)
    assert facts == {
        "file": str(whole),
        "bytes": whole.stat().st_size,
        "trials": 90,
        "without_tape": 0,
    }
    one, other = (executions(workspace)[number][0] for number in (0, 1))
    done = whet(
        *("cassette", "export", tmp_path / "two.zip", "--json", "--workspace", workspace),
        *("--trial", one, "--trial", other[:16]),
    )
    assert json.loads(done.stdout)["trials"] == 2


def test_wrong_use_is_one_line(workspace: Path, cassette: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.zip"
    export = ("cassette", "export", out, "--workspace", workspace)
    assert_refused(whet(*export), 2, "one of --project, --trial and --all")
    assert_refused(whet(*export, "--all", "--project", "x"), 2, "one of --project, --trial")
    assert_refused(whet(*export, "--project", "nope"), 2, "no project 'nope'")
    assert_refused(whet(*export, "--trial", "0" * 64), 2, "no record of a trial")
    taken = ("cassette", "export", cassette, "--all", "--workspace", workspace)
    assert_refused(whet(*taken), 2, "exists already")
    nowhere = ("cassette", "export", tmp_path / "no/out.zip", "--all", "--workspace", workspace)
    assert_refused(whet(*nowhere), 3, "cannot write")
    assert not list(tmp_path.iterdir())
    bad = tmp_path / "bad.zip"
    bad.write_bytes(cassette.read_bytes()[:-100])
    assert_refused(
        whet("cassette", "import", bad, "--workspace", tmp_path / "w"), 2, "no usable cassette"
    )
    missing = whet("cassette", "import", tmp_path / "none.zip", "--workspace", tmp_path / "w")
    assert_refused(missing, 2, "none.zip: no such file")
