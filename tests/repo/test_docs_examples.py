"""What the documents show is what happens."""

import importlib
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.repo.tree import ROOT
from whet.app.app import opened
from whet.app.settings import read
from whet.documents.base import Document
from whet.server.api import make_api

NAMED = re.compile(r"^`([\w./-]+)`\n\n```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL)
EXTENT = r"^(?:共 )?90 (?:trials|次试验)"
CAPTURE = re.compile(rf"^```text\n(.*?){EXTENT}", re.MULTILINE | re.DOTALL)


def run(folder: Path, *command: str | Path) -> str:
    keep = {"PATH": os.environ["PATH"], "PYTHONPATH": str(folder)}
    plain = {"LANG": "C.UTF-8", "COLUMNS": "80"}
    return subprocess.check_output(command, cwd=folder, env={**keep, **plain}, text=True)


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    """The named files of the page on plugins."""
    return dict(NAMED.findall((ROOT / "docs/plugins.md").read_text()))


@pytest.fixture
def installed(files: dict[str, str], tmp_path: Path) -> Path:
    """A folder with the package of the page, as an installer leaves it."""
    groups = tomllib.loads(files["pyproject.toml"])["project"]["entry-points"]
    lines = [
        line
        for group, parts in groups.items()
        for line in (f"[{group}]", *(f"{name} = {target}" for name, target in parts.items()))
    ]
    metadata = {"METADATA": "Name: notes\nVersion: 1.0\n", "entry_points.txt": "\n".join(lines)}
    made = {f"notes-1.0.dist-info/{name}": text for name, text in metadata.items()}
    for name, text in (files | made).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_the_package_of_the_page_is_the_example(files: dict[str, str]) -> None:
    folder = ROOT / "examples/notes"
    assert files == {name: (folder / name).read_text() for name in files}


@pytest.mark.slow
def test_the_engine_of_the_page_passes_the_checks(installed: Path) -> None:
    assert run(installed, sys.executable, "check_my_engine.py") == ""
    listed = run(installed, Path(sys.executable).with_name("whet"), "engine", "list")
    assert "notes" in listed


@pytest.mark.slow
def test_the_plugins_of_the_page_run(files: dict[str, str], installed: Path) -> None:
    assert run(installed, sys.executable, "try_out.py") == files["output.txt"]


@pytest.mark.slow
def test_the_store_check_of_the_page_runs(installed: Path) -> None:
    assert run(installed, sys.executable, "check_my_store.py") == ""


@pytest.mark.slow
@pytest.mark.parametrize(("page", "language"), [("README.md", "en"), ("README.zh-CN.md", "zh")])
def test_the_demo_looks_as_shown(page: str, language: str, tmp_path: Path) -> None:
    whet = Path(sys.executable).with_name("whet")
    printed = run(tmp_path, whet, "demo", "--language", language)
    lines = [line.rstrip() for line in printed.splitlines()]
    shown = CAPTURE.findall((ROOT / page).read_text())
    assert shown == [re.split(EXTENT, "\n".join(lines), maxsplit=1, flags=re.MULTILINE)[0]]


@pytest.mark.slow
def test_the_stability_of_the_simulated_agent_is_as_shown(tmp_path: Path) -> None:
    whet = Path(sys.executable).with_name("whet")
    words = "capability run --repeat 2 --language en-US"
    page = (ROOT / "docs/commands.md").read_text()
    [shown] = re.findall(rf"`whet {words}` prints:\n\n```text\n(.*?)```", page, re.DOTALL)
    printed = run(tmp_path, whet, *words.split())
    assert [line.rstrip() for line in printed.splitlines()] == shown.splitlines()


@pytest.mark.slow
def test_what_a_job_says_is_as_shown(tmp_path: Path) -> None:
    whet, page = Path(sys.executable).with_name("whet"), (ROOT / "docs/commands.md").read_text()
    (tmp_path / "rivers.txt").write_text("The Rhine is long. Ships use the Rhine.\n")
    (tmp_path / "text-report").symlink_to(ROOT / "examples/text-report")
    [(words, shown)] = re.findall(
        r"`whet (job run [^`]*)` says:\n\n```text\n(.*?)```", page, re.DOTALL
    )
    said = subprocess.run(
        [whet, *words.split()], cwd=tmp_path, stderr=subprocess.PIPE, text=True, check=False
    )
    assert said.returncode == 2
    assert [line.rstrip() for line in said.stderr.splitlines()] == shown.splitlines()
    [(words, shown)] = re.findall(
        r"`whet (job run [^`]*)` prints:\n\n```json\n(.*?)```", page, re.DOTALL
    )
    printed = run(tmp_path, whet, *words.split())
    identity = re.compile(r'"request_id": "[^"]*"')
    assert identity.sub("", printed) == identity.sub("", shown)


def test_every_endpoint_is_documented(tmp_path: Path) -> None:
    with opened(read(tmp_path, {"WHET_SCRATCH": str(tmp_path / "scratch")})) as app:
        paths = make_api(app).openapi()["paths"]
    real = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    page = (ROOT / "docs/http.md").read_text()
    assert set(re.findall(r"^\| `([A-Z]+ /\S+)` \|", page, re.MULTILINE)) == real


def test_every_file_format_is_documented() -> None:
    for path in (ROOT / "src/whet/documents").glob("*.py"):
        importlib.import_module(f"whet.documents.{path.stem}")
    page = (ROOT / "docs/formats.md").read_text()
    # A class that stands for a file begins its docstring with the name of that file.
    files = [c for c in descendants(Document) if (c.__doc__ or "").startswith("``")]
    assert files
    assert [c.__name__ for c in files if f"`{c.__name__}`" not in page] == []


def descendants(cls: type[Document]) -> list[type[Document]]:
    ours = [c for c in cls.__subclasses__() if c.__module__.startswith("whet.")]
    return [one for child in ours for one in (child, *descendants(child))]
