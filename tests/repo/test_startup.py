"""What starting costs, as a list of modules: times differ by machine, the list does not."""

import json
import subprocess
import sys

HEAVY = {
    "alembic",
    "fastapi",
    "jsonschema",
    "numpy",
    "psycopg",
    "pydantic_ai",
    "scipy",
    "sqlalchemy",
    "starlette",
    "uvicorn",
}
REPORT = "import json, sys; sys.stderr.write(json.dumps(sorted(sys.modules)))"


def loaded_by(code: str) -> set[str]:
    """Top-level modules that a fresh interpreter has after *code*."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"{code}\n{REPORT}"],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    names: list[str] = json.loads(done.stderr)
    return {name.partition(".")[0] for name in names}


def test_importing_whet_loads_no_library() -> None:
    assert not loaded_by("import whet") & {*HEAVY, "pydantic", "typer", "rich"}


def test_help_loads_neither_server_nor_database_nor_mathematics() -> None:
    call = (
        "import sys\n"
        "sys.argv = ['whet', '--help']\n"
        "from whet.cli.main import main\n"
        "try:\n"
        "    main()\n"
        "except SystemExit as end:\n"
        "    assert not end.code, end.code\n"
    )
    assert not loaded_by(call) & HEAVY


def test_a_heavy_module_is_seen() -> None:
    assert loaded_by("import numpy.linalg") & HEAVY == {"numpy"}
