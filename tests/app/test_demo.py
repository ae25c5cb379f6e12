"""The demo project: made once, found again, never made beside a broken one."""

from pathlib import Path

import pytest

from tests.app.opening import app_on
from whet.app.demo import demo_project
from whet.core.errors import InvalidDocument


def test_it_is_made_once_for_each_language(tmp_path: Path) -> None:
    with app_on(tmp_path / "workspace") as app:
        english, chinese = (demo_project(app, language) for language in ("en", "zh"))
        assert english.folder != chinese.folder
        assert demo_project(app, "en") == english
        assert demo_project(app, "zh") == chinese
        assert len(list((tmp_path / "workspace/projects").iterdir())) == 2


@pytest.mark.parametrize("text", ["{", "{}", "[]", ""])
def test_a_broken_one_is_named_and_nothing_made_beside_it(tmp_path: Path, text: str) -> None:
    with app_on(tmp_path / "workspace") as app:
        path = demo_project(app, "en").folder / "config.json"
        whole = path.read_text()
        path.write_text(text)
        with pytest.raises(InvalidDocument, match=str(path)):
            demo_project(app, "en")
        assert demo_project(app, "zh").folder.is_dir(), "the other one is not concerned"
        path.write_text(whole)
        assert demo_project(app, "en").folder == path.parent


def test_the_empty_folder_of_a_process_that_died_is_no_obstacle(tmp_path: Path) -> None:
    with app_on(tmp_path / "workspace") as app:
        project = demo_project(app, "en")
        (project.folder / "config.json").unlink()
        assert demo_project(app, "en").folder != project.folder


def test_another_broken_project_is_no_obstacle(tmp_path: Path) -> None:
    broken = tmp_path / "workspace/projects/project_mine_20240101000000"
    broken.mkdir(parents=True)
    (broken / "config.json").write_text("{")
    with app_on(tmp_path / "workspace") as app:
        assert demo_project(app, "en").folder.is_dir()


def test_a_broken_asset_of_the_sample_is_named(tmp_path: Path) -> None:
    with app_on(tmp_path / "workspace") as app:
        project = demo_project(app, "en")
        project.folder.rename(tmp_path / "away")
        meta = next((tmp_path / "workspace/skills").rglob("meta.json"))
        meta.write_text("{")
        with pytest.raises(InvalidDocument, match=str(meta)):
            demo_project(app, "en")
        assert not list((tmp_path / "workspace/projects").iterdir())
