import subprocess
from pathlib import Path

import pytest

from tests.repo.leaks import leaks
from tests.repo.tree import ROOT, files, repository, texts


def test_nothing_leaks() -> None:
    found = [finding for path, text in texts() for finding in leaks(path, text)]
    assert not found, "\n".join(map(str, found))


def test_no_lock_file_that_names_a_registry() -> None:
    assert not [path for path in repository() if Path(path).name == "uv.lock"]
    assert "omit-lockfile-registry-resolved=true" in (ROOT / "web/.npmrc").read_text().split()


@pytest.mark.parametrize(
    "pieces",
    [
        ("https://py", "pi.org/simple"),
        ("files.python", "hosted.org"),
        ("registry.npm", "js.org"),
        ("http://deb.deb", "ian.org/debian"),
        ("'/wo", "rk/main'"),
        ("cd /ro", "ot/x"),
        ("file:///ho", "me/bob/x"),
        ("/Us", "ers/bob/x"),
        ("-----BEGIN RSA PRI", "VATE KEY-----"),
        ("-----BEGIN PRI", "VATE KEY-----"),
        ("sk-a", "nt-api03-" + "x" * 20),
        ("AK", "IA" + "A" * 16),
        ("gh", "p_" + "a" * 36),
    ],
)
def test_a_leak_is_found(pieces: tuple[str, ...]) -> None:
    assert [leak.detail for leak in leaks("a.md", "first\n" + "".join(pieces))] == ["line 2"]


@pytest.mark.parametrize(
    "text", ["{root}/work/x", "$HOME/work/x", "out/work/x", "/home/alice/x", "/v1/work", "sk-ant-…"]
)
def test_what_looks_alike_is_not_a_leak(text: str) -> None:
    assert list(leaks("a.md", text)) == []


def test_new_files_are_checked_and_ignored_ones_are_not(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    for name, text in ((".gitignore", "ignored\n"), ("ignored", ""), ("new é.txt", "")):
        (tmp_path / name).write_text(text)
    assert files(tmp_path) == [".gitignore", "new é.txt"]
