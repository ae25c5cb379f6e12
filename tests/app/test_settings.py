"""What a person sets, and which of it wins."""

import os
import stat
from pathlib import Path

import pytest

from whet.app.settings import private_folder, read
from whet.core.errors import EnvironmentProblem

NOBODY = 65534


def test_a_flag_beats_the_environment_and_that_the_default(tmp_path: Path) -> None:
    environment = {"WHET_WORKSPACE": "/from/environment", "WHET_SCRATCH": str(tmp_path)}
    assert read(Path("/from/flag"), environment).workspace == Path("/from/flag")
    assert read(None, environment).workspace == Path("/from/environment")
    assert read(None, {"WHET_SCRATCH": str(tmp_path)}).workspace == Path.cwd() / "workspace"


def test_an_empty_variable_is_one_that_is_not_set(tmp_path: Path) -> None:
    names = ("WHET_WORKSPACE", "WHET_TOKEN", "WHET_LANGUAGE", "LC_ALL", "LANG")
    empty = read(None, {"WHET_SCRATCH": str(tmp_path), **dict.fromkeys(names, "")})
    assert empty == read(None, {"WHET_SCRATCH": str(tmp_path)})
    assert empty.token is None


def test_paths_do_not_depend_on_later_changes_of_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = read(Path("here"), {"WHET_SCRATCH": "scratch"})
    assert settings.workspace == tmp_path / "here"
    assert settings.scratch == tmp_path / "scratch"
    assert not list(tmp_path.iterdir()), "reading settings makes nothing"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "ZH_tw"}, "zh"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LC_MESSAGES": "en_GB.UTF-8", "LC_ALL": "zh_HK"}, "zh"),
        ({"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, "en"),
        ({"LC_ALL": "", "LANG": "zh_CN.UTF-8"}, "zh"),
        ({"WHET_LANGUAGE": "zh", "LC_ALL": "en_US.UTF-8"}, "zh"),
        ({"WHET_LANGUAGE": "en", "LANG": "zh_CN.UTF-8"}, "en"),
        ({"WHET_LANGUAGE": "fr"}, "en"),
    ],
)
def test_the_language_follows_the_locale(
    environment: dict[str, str], language: str, tmp_path: Path
) -> None:
    assert read(None, {"WHET_SCRATCH": str(tmp_path), **environment}).language == language


def test_the_token_is_taken_as_it_is(tmp_path: Path) -> None:
    environment = {"WHET_SCRATCH": str(tmp_path), "WHET_TOKEN": " s3cret "}
    assert read(None, environment).token == " s3cret "


def test_the_default_scratch_folder_is_this_users_alone() -> None:
    folder = read(None, {}).scratch
    assert folder.name == f"whet-{os.getuid()}"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert folder.stat().st_uid == os.getuid()


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_a_new_folder_is_private_whatever_the_mask(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        folder = private_folder(tmp_path / "mine")
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_an_open_folder_of_this_user_is_closed_and_kept(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    folder.chmod(0o777)
    (folder / "kept").touch()
    assert private_folder(folder) == folder
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert (folder / "kept").exists()


def test_a_link_is_refused_and_its_target_left_alone(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.mkdir()
    target.chmod(0o755)
    link = tmp_path / "mine"
    link.symlink_to(target)
    with pytest.raises(EnvironmentProblem, match="set WHET_SCRATCH"):
        private_folder(link)
    assert stat.S_IMODE(target.stat().st_mode) == 0o755


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_somebody_elses_folder_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir()
    os.chown(folder, NOBODY, NOBODY)
    with pytest.raises(EnvironmentProblem, match="belongs to somebody else"):
        private_folder(folder)


def test_passwords_in_urls_are_secrets(tmp_path: Path) -> None:
    environment = {
        "WHET_SCRATCH": str(tmp_path),
        "HTTPS_PROXY": "http://me:pass-of@proxy@a.example:3128",
        "PLAIN": "http://a.example:80/x@y",
        "MY_TOKEN": "token-of-mine",
    }
    assert set(read(None, environment).secrets) == {"pass-of@proxy", "token-of-mine"}


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("postgresql://me:geheim@host/db", {"geheim"}),
        ("postgresql://me:ge%2Fheim@host/db", {"ge%2Fheim", "ge/heim"}),
        ("postgresql://me@host/db?sslmode=require&password=ge%20heim", {"ge%20heim", "ge heim"}),
        ("postgresql://me@host/db?password=", set[str]()),
    ],
)
def test_the_password_of_the_database_is_a_secret(
    url: str, words: set[str], tmp_path: Path
) -> None:
    settings = read(None, {"WHET_SCRATCH": str(tmp_path), "WHET_DATABASE_URL": url})
    assert settings.database_url == url
    assert set(settings.secrets) == words
