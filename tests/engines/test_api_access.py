"""What the API engine needs: its extra, a key, and a trial that needs no tools."""

import asyncio
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.repo.tree import ROOT
from whet.core.case import Stimulus
from whet.core.errors import EngineFailure, UsageError
from whet.core.failure import Failure
from whet.core.files import FileRef
from whet.core.step import Step
from whet.core.trial import TrialSpec
from whet.core.usage import Usage
from whet.engines.api import ApiEngine
from whet.engines.api.answer import end_of
from whet.engines.api.providers import Access
from whet.ports.engine import Engine
from whet.ports.inspected import Inspected
from whet.ports.machine import Machine
from whet.ports.workdir import Workdir

KEYS = {"OPENAI_API_KEY": "key-of-openai", "GOOGLE_API_KEY": "key-of-google"}


def engine(environment: dict[str, str]) -> ApiEngine:
    return ApiEngine(Machine(environment, Path("/nonexistent")))


def asked(
    model: str, options: dict[str, JsonValue] | None = None, files: tuple[FileRef, ...] = ()
) -> list[Step]:
    trial = TrialSpec(
        skill=None,
        stimulus=Stimulus(prompt="?", files=files),
        engine="api",
        engine_version="1",
        model=model,
        options=options or {},
    )
    nowhere = Workdir(Path("/nonexistent"), Path("/nonexistent/work"), None)

    async def collect() -> list[Step]:
        return [step async for step in engine(KEYS).run(trial, nowhere)]

    return asyncio.run(collect())


def test_it_says_how_it_is() -> None:
    made = engine({**KEYS, "OPENAI_BASE_URL": "http://localhost:8000/v1"})
    port: Engine = made
    assert isinstance(made, Inspected)
    assert (port.name, port.simulated, port.sandboxed) == ("api", False, False)
    inspection = made.inspect()
    assert inspection.installed
    assert inspection.credential == "GOOGLE_API_KEY, OPENAI_API_KEY"
    assert inspection.problem is None
    assert inspection.abilities == {"structured", "tools"}
    assert inspection.endpoints == ("generativelanguage.googleapis.com:443", "localhost:8000")
    assert "key-of" not in repr(inspection) + repr(made)
    assert made.secrets({}) == ["key-of-google", "key-of-openai"]


def test_without_a_key_it_says_which_would_do() -> None:
    inspection = engine({}).inspect()
    assert (inspection.installed, inspection.problem) == (True, "no credential")
    assert "ANTHROPIC_API_KEY" in (inspection.fix or "")
    assert engine({}).version({}).endswith("+1")
    with pytest.raises(EngineFailure, match="set ANTHROPIC_API_KEY") as caught:
        asked("anthropic:claude-sonnet-4-5")
    assert caught.value.kind is Failure.AUTH


@pytest.mark.parametrize("model", ["gpt-5", "openai:", "", ":x", "mistral:large"])
def test_a_model_is_written_with_its_provider(model: str) -> None:
    with pytest.raises(UsageError, match=r"write anthropic:…, google:…, openai:…"):
        asked(model)


@pytest.mark.parametrize(
    "options",
    [
        {"mcp_servers": {"x": {"url": "http://127.0.0.1"}}},
        {"extra_flags": ["--fast"]},
        {"pass_environment": ["HOME"]},
        {"environment": {"SOME_SETTING": "some value"}},
        {"allow_hosts": ["example.com:443"]},
        {"no_such_option": 1},
    ],
)
def test_what_only_a_program_could_do_is_refused(options: dict[str, JsonValue]) -> None:
    with pytest.raises(UsageError, match=f"option {next(iter(options))} of engine api"):
        asked("openai:gpt-5", options)


def test_files_that_nothing_could_read_are_refused() -> None:
    file = FileRef(path="in.csv", digest="0" * 64, size=1)
    with pytest.raises(UsageError, match=r"cannot read files, such as in\.csv"):
        asked("openai:gpt-5", files=(file,))


@pytest.mark.slow
def test_without_the_extra_it_says_how_to_get_it(tmp_path: Path) -> None:
    """In a fresh interpreter that sees every installed library but the one."""
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if not entry.name.startswith(("pydantic_ai", "__editable__", "_whet", "whet")):
            (tmp_path / entry.name).symlink_to(entry)
    code = (
        "from pathlib import Path\n"
        "from whet.engines.api import ApiEngine\n"
        "from whet.ports.machine import Machine\n"
        "engine = ApiEngine(Machine({'OPENAI_API_KEY': 'x'}, Path('/')))\n"
        "print(engine.inspect().installed, engine.inspect().fix)\n"
        "try:\n"
        "    engine.version({})\n"
        "except Exception as error:\n"
        "    print(type(error).__name__, error)\n"
    )
    paths = f"import sys; sys.path += [{str(tmp_path)!r}, {str(ROOT / 'src')!r}]\n"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", paths + code],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines() == [
        "False pip install 'whet[api]'",
        "EnvironmentProblem engine api needs the extra: pip install 'whet[api]'",
    ], done.stderr


@pytest.mark.slow
def test_loading_the_engine_loads_no_library() -> None:
    code = "import sys, whet.engines.api; sys.exit('pydantic_ai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("url", ["http://me:very-secret@host:port", "ftp://me:very-secret@host"])
def test_what_is_no_url_is_refused_without_its_password(url: str) -> None:
    made = engine({**KEYS, "OPENAI_BASE_URL": url})
    with pytest.raises(UsageError, match="is not a URL") as told:
        made.inspect()
    assert "very-secret" not in str(told.value)


@pytest.mark.slow
def test_a_refusal_after_some_tokens_costs_them() -> None:
    from pydantic_ai.exceptions import ContentFilterError

    spent = Usage(input_tokens=7, output_tokens=2)
    access = Access("openai", "m", "https://a.example", "key-of-openai")
    ended = end_of(ContentFilterError("no"), access, spent)
    assert (ended.failure, ended.usage) == (Failure.REFUSAL, spent)
