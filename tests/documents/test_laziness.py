"""Whoever needs one family of documents does not load the others."""

import json
import subprocess
import sys

import pytest

SHARED = {"base", "complaint", "shapes", "text"}


def loaded_by(module: str) -> set[str]:
    code = (
        f"import json, sys, {module}\n"
        "print(json.dumps([name for name in sys.modules if name.startswith('whet.documents.')]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    return {name.removeprefix("whet.documents.") for name in json.loads(done.stdout)}


def test_the_package_loads_no_family() -> None:
    assert loaded_by("whet.documents") == set()


@pytest.mark.parametrize(
    ("family", "needs"),
    [
        ("files", set[str]()),
        ("assets", SHARED - {"shapes"}),
        ("session", SHARED),
        ("result", SHARED - {"shapes"} | {"verdict"}),
        ("evals", SHARED | {"checks", "rubrics"}),
    ],
)
def test_a_family_loads_only_what_it_is_made_of(family: str, needs: set[str]) -> None:
    assert loaded_by(f"whet.documents.{family}") == needs | {family}
