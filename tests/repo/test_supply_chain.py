"""What whet is made from stays what it was when somebody looked at it."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.engines.agents.install import Failed, require_pinned
from tests.engines.agents.manifest import PROCESSOR, PROGRAMS, SYSTEM
from tests.repo.audit import FINE, KNOWN, UNASKED, npm_answer, python_answer
from tests.repo.pins import (
    REQUIREMENTS,
    Pin,
    built_with,
    every_pin,
    line_of,
    loose_pins,
    npm_pins,
    python_pins,
)
from tests.repo.sbom import sbom
from tests.repo.tree import ROOT, repository
from whet import __version__

PINNED = ("agents", "audit", "dev", "run", "uv")
MAKEFILE = (ROOT / "Makefile").read_text()


@pytest.mark.parametrize("name", PINNED)
def test_every_package_is_pinned_with_the_hashes_of_its_files(name: str) -> None:
    text = (REQUIREMENTS / f"{name}.txt").read_text()
    assert text.strip()
    assert loose_pins(text) == []


def test_a_line_without_a_hash_is_found() -> None:
    hashed = f"a==1.0 \\\n    --hash=sha256:{'0' * 64}\n"
    text = f"{hashed}b==2.1 ; python_full_version < '3.12'\n--index-url x\nc>=1\nd @ file:x\n"
    assert loose_pins(hashed) == []
    assert loose_pins(text) == [
        "b==2.1 ; python_full_version < '3.12'",
        "--index-url x",
        "c>=1",
        "d @ file:x",
    ]


def test_pins_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert set(project["build-system"]["requires"]) <= set(built_with())
    run = {pin.name: pin for pin in python_pins(REQUIREMENTS / "run.txt")}
    dev = {pin.name: pin for pin in python_pins(REQUIREMENTS / "dev.txt")}
    wanted = {re.split(r"[\[<>=;]", each)[0] for each in project["project"]["dependencies"]}
    extra = project["project"]["optional-dependencies"]["dev"]
    assert wanted <= run.keys()
    assert {re.split(r"[\[<>=;]", each)[0] for each in extra} - {"whet"} <= dev.keys()
    assert all(dev[name] == pin for name, pin in run.items())
    for program in PROGRAMS:
        if program.client == "pip":
            assert line_of(program.package, REQUIREMENTS / "agents.txt")


def test_there_are_hashes_for_other_systems_than_this_one() -> None:
    """Compiled packages have a file for each of three systems and four Pythons at least."""
    found = {pin.name: len(pin.hashes) for pin in python_pins(REQUIREMENTS / "dev.txt")}
    for name in ("pydantic-core", "rpds-py", "markupsafe", "sqlalchemy", "httptools"):
        assert found[name] >= 4 * 3, name


def test_make_installs_nothing_without_a_hash() -> None:
    flat = MAKEFILE.replace("\\\n", " ")
    orders = re.findall(r"^.*pip install .*$", flat, re.MULTILINE)
    assert orders
    [pinned] = re.findall(r"^PINNED = (.*)$", MAKEFILE, re.MULTILINE)
    assert "--require-hashes -r requirements/" in pinned
    assert "--no-deps --no-build-isolation -e ." in pinned
    for order in orders:
        for each in order.split("pip install ")[:-1]:
            is_pinned = "$(call PINNED," in each[-60:]
            assert is_pinned or "--require-hashes" in order.split(each)[1], order
    for path in repository():
        if path.startswith("requirements/"):
            assert "index-url" not in (ROOT / path).read_text()


@pytest.mark.slow
def test_a_package_with_another_content_is_not_installed(tmp_path: Path) -> None:
    """As make calls it, with pip: the same name and version, and one byte more."""
    wheel = tmp_path / "thing-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("thing.py", "")
        about = "Metadata-Version: 2.1\nName: thing\nVersion: 1.0\n"
        archive.writestr("thing-1.0.dist-info/METADATA", about)
        archive.writestr("thing-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr("thing-1.0.dist-info/RECORD", "")
    pins = tmp_path / "pins.txt"
    pins.write_text(f"thing==1.0 --hash=sha256:{'0' * 64}\n")
    uv = shutil.which("uv") or shutil.which("uv", path=str(Path(sys.executable).parent))
    client = [uv, "pip", "install"] if uv else [sys.executable, "-m", "pip", "install"]
    where = ["--no-index", "--find-links", str(tmp_path), "--target", str(tmp_path / "to")]
    order = [*client, *where, "--require-hashes", "-r", str(pins)]
    done = subprocess.run(order, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "hash" in done.stderr.lower()
    assert not (tmp_path / "to/thing.py").exists()


def test_no_script_of_an_npm_package_runs() -> None:
    for path in repository():
        if Path(path).name == "package.json":
            settings = (ROOT / path).with_name(".npmrc").read_text().split()
            assert "ignore-scripts=true" in settings, path
    for path in ("hatch_build.py", "tests/engines/agents/install.py"):
        assert '"--ignore-scripts"' in (ROOT / path).read_text()
    for path in repository():
        if path.endswith((".yml", ".yaml", ".sh")) or path == "Makefile":
            for line in re.findall(r"npm (?:ci|install|i)\b.*", (ROOT / path).read_text()):
                assert "--ignore-scripts" in line, path
                assert re.search(r"@\d+\.\d+\.\d+", line), path


def test_every_npm_package_has_its_integrity() -> None:
    pins = npm_pins(ROOT / "web/package-lock.json")
    assert len(pins) > 100
    assert [pin.name for pin in pins if not pin.hashes] == []


def test_an_npm_package_of_an_agent_with_another_content_is_not_started(tmp_path: Path) -> None:
    lines = (ROOT / "requirements/agents-npm.txt").read_text().splitlines()
    named = dict(line.split() for line in lines)
    for program in PROGRAMS:
        if program.client == "npm" and (SYSTEM, PROCESSOR) == ("linux", "x64"):
            assert program.package in named
    listed = tmp_path / "listed.json"

    def installed(name: str, version: str, integrity: str | None) -> Path:
        about = {"version": version, "integrity": integrity}
        listed.write_text(json.dumps({"packages": {f"node_modules/{name}": about}}))
        return listed

    for line, integrity in named.items():
        name, _, version = line.rpartition("@")
        require_pinned(installed(name, version, integrity))
        for other in (integrity.replace("sha512-", "sha512-A"), None):
            with pytest.raises(Failed, match="is not what"):
                require_pinned(installed(name, version, other))
    with pytest.raises(Failed, match=r"left-pad@1\.0\.0"):
        require_pinned(installed("left-pad", "1.0.0", next(iter(named.values()))))


def test_actions_of_others_are_pinned_by_digest() -> None:
    found: list[str] = []
    for path in repository():
        if path.endswith((".yml", ".yaml", ".md")):
            text = (ROOT / path).read_text()
            found += re.findall(r"^\s*(?:- )?uses: (\S+.*)$", text, re.MULTILINE)
    foreign = [each for each in found if not each.startswith("./")]
    assert len(foreign) >= 3
    for each in foreign:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", each), each
    action = (ROOT / "examples/github-action/action.yml").read_text()
    assert f"pip install whet=={__version__}\n" in action


SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["bomFormat", "specVersion", "serialNumber", "version", "metadata", "components"],
    "additionalProperties": False,
    "properties": {
        "bomFormat": {"const": "CycloneDX"},
        "specVersion": {"const": "1.6"},
        "serialNumber": {"pattern": "^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"},
        "version": {"type": "integer", "minimum": 1},
        "metadata": {"required": ["component"]},
        "dependencies": {"type": "array"},
        "components": {
            "type": "array",
            "uniqueItems": True,
            "items": {
                "type": "object",
                "required": ["type", "name", "version", "purl", "bom-ref"],
                "additionalProperties": False,
                "properties": {
                    "type": {"const": "library"},
                    "bom-ref": {"type": "string", "minLength": 1},
                    "group": {"type": "string"},
                    "name": {"type": "string", "minLength": 1},
                    "version": {"type": "string", "maxLength": 1024},
                    "scope": {"enum": ["required", "optional", "excluded"]},
                    "purl": {"pattern": r"^pkg:(pypi|npm)/[a-z0-9%._/-]+@[0-9][^@]*$"},
                    "hashes": {
                        "items": {
                            "required": ["alg", "content"],
                            "additionalProperties": False,
                            "properties": {
                                "alg": {"enum": ["SHA-1", "SHA-256", "SHA-384", "SHA-512"]},
                                "content": {
                                    "pattern": "^([a-f0-9]{40}|[a-f0-9]{64}|[a-f0-9]{96}"
                                    "|[a-f0-9]{128})$"
                                },
                            },
                        }
                    },
                },
            },
        },
    },
}
"""The part of the format's schema that whet's bills use."""


def test_the_bill_of_materials_is_cyclonedx_and_whole() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.repo.sbom"], cwd=ROOT, capture_output=True, check=True
    )
    bill = json.loads(done.stdout)
    jsonschema.validate(bill, SCHEMA)
    by_ref = {each["bom-ref"]: each for each in bill["components"]}
    assert len(by_ref) == len(bill["components"])
    assert bill == json.loads(json.dumps(sbom(every_pin()))), "the same pins, the same bill"
    [needed] = bill["dependencies"]
    assert needed["ref"] == bill["metadata"]["component"]["bom-ref"]
    assert set(needed["dependsOn"]) <= by_ref.keys()
    for purl in ("pkg:pypi/fastapi@", "pkg:npm/react@", "pkg:npm/%40mantine/core@"):
        [found] = [each for ref, each in by_ref.items() if ref.startswith(purl)]
        assert found["scope"] == "required"
    for purl in ("pkg:pypi/pytest@", "pkg:pypi/hatchling@", "pkg:npm/vitest@", "pkg:pypi/uv@"):
        [found] = [each for ref, each in by_ref.items() if ref.startswith(purl)]
        assert found["scope"] == "excluded"


def test_a_bill_that_is_none_is_found() -> None:
    bill = sbom([Pin("npm", "@a/b", "1.0", (("SHA-1", "0" * 40),))])
    jsonschema.validate(bill, SCHEMA)
    for key in ("bomFormat", "components"):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({name: bill[name] for name in bill if name != key}, SCHEMA)


VULNERABLE = {"name": "a", "version": "1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2"]}]}
CLEAN: dict[str, object] = {"name": "b", "version": "1", "vulns": []}
SKIPPED = {"name": "c", "skip_reason": "Dependency not found"}


@pytest.mark.parametrize(
    ("said", "code", "line"),
    [
        (json.dumps({"dependencies": [CLEAN]}), FINE, "nothing is known"),
        (json.dumps({"dependencies": [CLEAN, VULNERABLE]}), KNOWN, "a 1: PYSEC-1; fixed in 2"),
        (json.dumps({"dependencies": [VULNERABLE, SKIPPED]}), KNOWN, "PYSEC-1"),
        (json.dumps({"dependencies": [CLEAN, SKIPPED]}), UNASKED, "1 of 2 packages"),
        (json.dumps({"dependencies": []}), UNASKED, "no package"),
        ("ConnectionError: no route\nTraceback", UNASKED, "could not be asked: ConnectionError"),
        ("", UNASKED, "no report"),
    ],
)
def test_what_python_packages_were_not_looked_at_is_not_fine(
    said: str, code: int, line: str
) -> None:
    answer = python_answer(said)
    assert answer.code == code
    assert any(line in each for each in answer.lines())


@pytest.mark.parametrize(
    ("said", "code", "line"),
    [
        (json.dumps({"auditReportVersion": 2, "vulnerabilities": {}}), FINE, "nothing is known"),
        (
            json.dumps({"auditReportVersion": 2, "vulnerabilities": {"x": {"severity": "high"}}}),
            KNOWN,
            "x: high",
        ),
        (json.dumps({"message": "request failed", "error": {}}), UNASKED, "request failed"),
        ("npm error code ENOTFOUND", UNASKED, "ENOTFOUND"),
    ],
)
def test_what_npm_packages_were_not_looked_at_is_not_fine(said: str, code: int, line: str) -> None:
    answer = npm_answer(said)
    assert answer.code == code
    assert any(line in each for each in answer.lines())
