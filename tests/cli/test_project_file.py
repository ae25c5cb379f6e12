"""Projects go out into files and come in from them, by command."""

import csv
import io
import json
import zipfile
from pathlib import Path

import pytest

from tests.cli.calls import done, read, refused, run
from tests.cli.projects import filled, made, worked


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = filled(tmp_path)
    made(folder)
    return folder


@pytest.mark.slow
def test_a_zip_comes_in_elsewhere_as_it_went_out(workspace: Path, tmp_path: Path) -> None:
    out = read("project", "export", "Small", "--trials", "--workspace", workspace)
    path = tmp_path / out["path"]
    assert path.name.startswith("project_small_")
    assert (out["format"], out["trials"], out["notes"]) == ("zip", 4, [])
    other = tmp_path / "other"
    taken = read("project", "import", path, "--workspace", other)
    assert (taken["trials"], taken["project"]["status"]) == (4, "completed")
    first, second = (
        read("project", "show", "Small", "--workspace", folder) for folder in (workspace, other)
    )
    assert first["project"]["id"] == second["project"]["id"]
    assert first["summary"]["ranking"] == second["summary"]["ranking"]
    again = worked(other, "run", "Small")
    assert again["trials"] == {"total": 4, "executed": 0, "regraded": 0, "reused": 4}


@pytest.mark.slow
def test_one_that_is_here_comes_in_under_another_id_only(workspace: Path, tmp_path: Path) -> None:
    read("project", "export", "Small", "--output", "small.zip", "--workspace", workspace)
    told = refused("project", "import", tmp_path / "small.zip", "--workspace", workspace)
    assert "is here already" in told
    done("project", "import", tmp_path / "small.zip", "--renamed", "--workspace", workspace)
    listed = read("project", "list", "--workspace", workspace)["items"]
    assert [one["name"] for one in listed] == ["Small", "Small"]
    assert len({one["id"] for one in listed}) == 2


@pytest.mark.slow
def test_reports_are_written_in_every_form(workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    for form, ending in {"json": "json", "csv": "csv", "markdown": "md", "html": "html"}.items():
        asked = ("--format", form, "--output", "out/", "--workspace", workspace)
        written = Path(read("project", "export", "Small", *asked)["path"])
        assert (written.suffix, written.parent.name) == (f".{ending}", "out")
        assert "Writer" in written.read_text()


def test_stdout_gets_the_very_bytes(workspace: Path) -> None:
    def printed(form: str) -> bytes:
        asked = ("--format", form, "--output", "-", "--workspace", workspace)
        result = run("project", "export", "Small", *asked)
        assert (result.exit_code, result.stderr) == (0, "")
        return result.stdout_bytes

    with zipfile.ZipFile(io.BytesIO(printed("zip"))) as archive:
        assert archive.testzip() is None
    assert len(json.loads(printed("json"))["results"]) == 4
    table = printed("csv").decode("utf-8-sig")
    assert len([*csv.DictReader(io.StringIO(table, newline=""))]) == 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("export", "Small", "--output", "-", "--json"), "both want stdout"),
        (("export", "Small", "--format", "csv", "--trials"), "--format zip"),
        (("export", "Small", "--output", "taken.zip"), "taken.zip is there already"),
        (("export", "Small", "--format", "md"), "--format"),
        (("export", "nobody"), "no project 'nobody'"),
        (("import", "gone.zip"), "gone.zip"),
        (("import", "taken.zip"), "taken.zip"),
    ],
)
def test_what_cannot_be_is_refused(workspace: Path, arguments: tuple[str, ...], says: str) -> None:
    Path("taken.zip").write_text("mine")
    result = run("project", *arguments, "--workspace", workspace)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr
    assert Path("taken.zip").read_text() == "mine"
