"""The web interface: its sources, its types, and what is packed of it."""

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import httpx
import pytest

from tests.repo import budgets
from tests.repo.allowed import Finding
from tests.repo.contract import contract
from tests.repo.node import WEB, command, environment
from tests.repo.tree import ROOT, repository, texts

GENERATED = "web/src/api/schema.d.ts"
WRITTEN = (".ts", ".tsx", ".css", ".html", ".json")


def test_its_files_fit_on_a_few_screens() -> None:
    found = [
        finding
        for path, text in texts()
        if path.startswith("web/")
        and path.endswith(WRITTEN)
        and path not in (GENERATED, "web/package-lock.json")
        for rule in (budgets.file_lines, budgets.module_name)
        for finding in rule(path, text)
    ]
    assert found == list[Finding]()


def test_versions_are_exact_and_no_registry_is_named() -> None:
    packages = json.loads((WEB / "package.json").read_text())
    versions = {**packages["dependencies"], **packages["devDependencies"]}
    loose = {name: one for name, one in versions.items() if not re.fullmatch(r"\d+\.\d+\.\d+", one)}
    assert loose.keys() <= {"@types/react", "@types/react-dom"}
    lock = json.loads((WEB / "package-lock.json").read_text())
    assert [name for name, one in lock["packages"].items() if "resolved" in one] == []
    assert all(one.get("integrity") for name, one in lock["packages"].items() if name)
    settings = (WEB / ".npmrc").read_text().split()
    assert "omit-lockfile-registry-resolved=true" in settings


def test_what_is_built_is_not_in_the_repository() -> None:
    built = ("src/whet/static/", "web/node_modules/")
    assert [path for path in repository() if path.startswith(built)] == []


@pytest.mark.slow
def test_types_are_those_of_the_api(tmp_path: Path) -> None:
    (tmp_path / "contract.json").write_text(contract())
    arguments = (str(tmp_path / "contract.json"), "--output", str(tmp_path / "schema.d.ts"))
    subprocess.run(
        command("openapi-typescript", *arguments),
        cwd=WEB,
        env=environment(),
        check=True,
        capture_output=True,
    )
    made = (tmp_path / "schema.d.ts").read_text()
    assert made == (ROOT / GENERATED).read_text(), "the API has changed: run make schema"


def run(*words: str | Path, folder: Path, **more: str) -> str:
    outer = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "HATCH_BUILD_NO_HOOKS"}
    kept = {name: value for name, value in os.environ.items() if name not in outer}
    done = subprocess.run(
        words, cwd=folder, env={**kept, **more}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python of its own, with pip."""
    folder = tmp_path_factory.mktemp("installed")
    run(sys.executable, "-m", "venv", folder, folder=ROOT)
    return folder / "bin/python"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory, python: Path) -> Path:
    """Built from the sources as they would be committed, in a folder where nothing is built."""
    sources, made = tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("made")
    for name in repository():
        if name.startswith(("src/", "web/")) or "/" not in name:
            target = sources / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((ROOT / name).read_bytes())
    # No Node but the one of the wheel.
    where = os.pathsep.join(_without_node())
    run(
        python, "-m", "pip", "wheel", "-q", "--no-deps", "-w", made, ".", folder=sources, PATH=where
    )
    (found,) = made.glob("whet-*.whl")
    return found


def _without_node() -> list[str]:
    folders = os.environ["PATH"].split(os.pathsep)
    return [one for one in folders if one and not (Path(one) / "node").exists()]


@pytest.mark.slow
def test_a_wheel_has_the_pages_in_it(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    page = zipfile.ZipFile(wheel).read("whet/static/index.html").decode()
    named = re.findall(r'(?:src|href)="/([^"]+)"', page)
    assert {f"whet/static/{name}" for name in named} <= names
    scripts = {name for name in names if re.fullmatch(r"whet/static/assets/[\w.-]+\.js", name)}
    assert len(scripts) > 5
    assert {"whet/static/report/report.html", "whet/static/third-party-licenses.md"} <= names
    licences = zipfile.ZipFile(wheel).read("whet/static/third-party-licenses.md").decode()
    assert {"react", "@mantine/core"} <= set(re.findall(r"^## (\S+)", licences, re.M))
    assert [name for name in names if "node_modules" in name or name.endswith(".tsx")] == []


@pytest.mark.slow
def test_an_installed_wheel_serves_the_pages_without_node(
    wheel: Path, python: Path, tmp_path: Path
) -> None:
    run(python, "-m", "pip", "install", "-q", "--no-deps", wheel, folder=tmp_path)
    # What whet needs beside is here already; the wheel's own whet is found before ours.
    (site,) = python.parents[1].glob("lib/python*/site-packages")
    ours = next(Path(one) for one in sys.path if one.endswith("site-packages"))
    (site / "beside.pth").write_text(f"{ours}\n")
    words = [python.with_name("whet"), "serve", "--port", "0", "--json", "--workspace", tmp_path]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, text=True, env={"PATH": "", "HOME": str(tmp_path)}
    ) as serving:
        assert serving.stdout is not None
        url = json.loads(serving.stdout.readline())["url"]
        page = httpx.get(url)
        found = [httpx.get(url + one) for one in re.findall(r'(?:src|href)="([^"]+)"', page.text)]
        serving.terminate()
    assert page.status_code == 200
    assert [one.status_code for one in found] == [200] * len(found)
    where = run(python, "-c", "import whet; print(whet.__file__)", folder=tmp_path)
    assert Path(where.strip()).is_relative_to(site)
