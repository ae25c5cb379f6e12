"""Opening a workspace: what it takes, and what it leaves."""

import os
from pathlib import Path

import pytest

from tests.app.opening import app_on
from whet.core.errors import EnvironmentProblem


def test_a_workspace_is_made_with_the_folders_above_it(tmp_path: Path) -> None:
    workspace = tmp_path / "not/there/yet"
    with app_on(workspace) as app:
        assert (workspace / "whet.db").is_file()
        assert app.is_alive(app.owner.id)


def test_nothing_of_this_process_is_left_behind(tmp_path: Path) -> None:
    with app_on(tmp_path / "workspace") as app:
        scratch = tmp_path / "scratch" / app.owner.id
        assert scratch.is_dir()
    assert not scratch.exists()
    assert not list((tmp_path / "workspace/.owners").iterdir())
    assert not app.is_alive(app.owner.id)


def test_what_a_dead_process_left_is_removed(tmp_path: Path) -> None:
    (tmp_path / "workspace/.owners").mkdir(parents=True)
    (tmp_path / "workspace/.owners/1-dead.lock").touch()
    left = tmp_path / "scratch/1-0123456789ab"
    (left / "work").mkdir(parents=True)
    os.utime(left, (0, 0))
    (tmp_path / "scratch/somebody's").mkdir()
    with app_on(tmp_path / "workspace"), app_on(tmp_path / "workspace") as second:
        assert second.is_alive(second.owner.id)
        assert not (tmp_path / "workspace/.owners/1-dead.lock").exists()
        assert not left.exists()
        assert len(list((tmp_path / "scratch").iterdir())) == 3


@pytest.mark.parametrize("name", ["file", "file/below", ".owners-file"])
def test_what_cannot_be_a_workspace_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / ".owners-file").mkdir()
    (tmp_path / ".owners-file/.owners").touch()
    with (
        pytest.raises(EnvironmentProblem, match=f"the workspace {tmp_path / name}: "),
        app_on(tmp_path / name),
    ):
        pass


def test_an_error_on_the_way_gives_everything_back(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    with (
        pytest.raises(EnvironmentProblem, match="scratch"),
        app_on(workspace, WHET_SCRATCH="/dev/null"),
    ):
        pass
    assert not list((workspace / ".owners").iterdir())
    with app_on(workspace):
        pass
