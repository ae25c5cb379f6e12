"""``whet package``: what a person sees, and what a program gets."""

from pathlib import Path

import pytest

from tests.app.packages.making import content, packed, release
from tests.cli.calls import done, read, refused, run
from tests.repo.tree import ROOT

EXAMPLE = ROOT / "examples/text-report"


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty one, in English."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WHET_LANGUAGE", "en")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("WHET_WORKSPACE", raising=False)
    return tmp_path / "workspace"


def zip_of(version: str, more: bytes | None = None) -> Path:
    path = Path(f"{version}.zip")
    path.write_bytes(release(version, more))
    return path


def test_a_package_is_installed_updated_and_removed() -> None:
    assert done("package", "install", EXAMPLE) == "installed text-report 1.0.0 as v1\n"
    again = done("package", "install", EXAMPLE)
    assert again == "text-report 1.0.0 is there already, as v1\n"
    update = done("package", "install", zip_of("1.1"))
    assert update == "updated text-report to 1.1, as v2\n"
    back = done("package", "rollback", "text-report", "1.0.0")
    assert back == "text-report is 1.0.0 again, as v3\n"
    gone = done("package", "remove", "text-report")
    assert gone == "removed text-report 1.0.0; nothing is deleted\n"
    assert done("package", "install", EXAMPLE).splitlines() == [
        "text-report 1.0.0 is there already, as v3",
        "  note: it had been removed, and is back",
    ]


def test_lists() -> None:
    assert "No package is installed" in done("package", "list")
    done("package", "install", EXAMPLE)
    other = Path("other.zip")
    files = {
        path: data.replace(b"text-report", b"other")
        for path, data in content(runner={"engines": ["codex"]}).items()
    }
    other.write_bytes(packed(files, "other"))
    done("package", "install", other)
    rows = done("package", "list").splitlines()[2:]
    assert [row.split()[0] for row in rows] == ["other", "text-report"]
    assert rows[0].rstrip().endswith("codex")
    assert rows[1].rstrip().endswith("all")
    done("package", "remove", "other")
    assert len(done("package", "list").splitlines()) == 3
    assert "other (removed)" in done("package", "list", "--all")


def test_a_package_says_what_it_takes_and_promises() -> None:
    done("package", "install", EXAMPLE)
    shown = done("package", "show", "text-report")
    for words in (
        "version: 1.0.0 (v1)",
        "  document (file, required) The text to report on.",
        "  title (string, required) The title of the report.",
        "  max_words (integer, optional, default 100) How many words the summary may have.",
        "  artifacts/report.md (output, required)",
    ):
        assert words in shown.splitlines()
    done("package", "install", zip_of("2.0", b"More."))
    rows = done("package", "history", "text-report").splitlines()[2:]
    assert [row.split()[:2] for row in rows] == [["2.0", "v2"], ["1.0.0", "v1"]]
    assert rows[1].rstrip().endswith("first version")


def test_a_broken_package_is_told(workspace: Path) -> None:
    done("package", "install", EXAMPLE)
    (place,) = workspace.glob("skills/packages/local/*_v1/package/assets/runner.json")
    place.write_text("{")
    assert "text-report: cannot be run: " in done("package", "list")
    assert "broken JSON" in done("package", "show", "text-report")


def test_programs_get_the_same_as_from_the_api() -> None:
    found = read("package", "install", EXAMPLE)
    assert (found["action"], found["skill_id"], found["version"]) == (
        "install",
        "text-report",
        "1.0.0",
    )
    [item] = read("package", "list")["packages"]
    assert item["id"] == found["id"]
    assert read("package", "show", "text-report")["artifacts"][0]["pattern"] == "report.md"
    [version] = read("package", "history", "text-report")["versions"]
    assert version["library_version"] == "v1"
    assert read("package", "rollback", "text-report", "v1")["action"] == "unchanged"
    assert read("package", "remove", "text-report")["action"] == "uninstall"
    assert read("package", "list")["packages"] == []


def test_errors_are_one_line() -> None:
    assert "no file gone.zip" in refused("package", "install", "gone.zip")
    said = refused("package", "install", ROOT / "examples/careful-python")
    assert "has no assets/runner.json; import it as a plain skill" in said
    done("package", "install", zip_of("1.1"))
    said = refused("package", "install", zip_of("1.0"))
    assert "installed=1.1, uploaded=1.0" in said
    for words in (["show"], ["history"], ["remove"]):
        assert "no package 'nobody' is installed" in refused("package", *words, "nobody")
    assert "it has v1 (1.1)" in refused("package", "rollback", "text-report", "v7")
    Path("bad.zip").write_bytes(packed(content("x", runner={"engines": ["iflow"]})))
    said = refused("package", "install", "bad.zip")
    assert said.startswith("whet: bad.zip has 2 mistakes: ")
    assert run("package").exit_code == 2


def test_what_a_stranger_wrote_does_not_steer_the_terminal() -> None:
    nasty = "\x1b]0;owned\x07[red]x"
    Path("n.zip").write_bytes(packed(content(runner={"name": nasty, "description": nasty})))
    done("package", "install", "n.zip")
    for words in (["list"], ["show", "text-report"]):
        assert "\x1b" not in done("package", *words)


def test_chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHET_LANGUAGE", "zh")
    assert done("package", "install", EXAMPLE) == "已安装 text-report 1.0.0，版本 v1\n"
    assert "document (文件, 必填)" in done("package", "show", "text-report")
