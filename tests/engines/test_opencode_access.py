"""Whom opencode asks, and with which credential."""

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.engines.installed import installed
from whet.core.case import Stimulus
from whet.core.errors import EngineFailure, EnvironmentProblem, UsageError
from whet.core.failure import Failure
from whet.core.trial import TrialSpec
from whet.engines.agent_cli.home import Home
from whet.engines.agent_cli.options import AgentOptions
from whet.engines.agent_cli.task import Task
from whet.engines.opencode import OpencodeEngine
from whet.engines.opencode_access import AUTH
from whet.ports.machine import Machine
from whet.ports.workdir import Workdir

HOUR = 3600


def _engine(home: Path, **environment: str) -> OpencodeEngine:
    return OpencodeEngine(Machine({"PATH": "/usr/bin:/bin", **environment}, home))


def _log_in(home: Path, **entries: dict[str, str | float]) -> None:
    file = home / AUTH
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({name.replace("_", "-"): it for name, it in entries.items()}))


def _oauth(seconds: float) -> dict[str, str | float]:
    return {
        "type": "oauth",
        "refresh": "refresh-token-00000001",
        "access": "access-token-000000001",
        "expires": (time.time() + seconds) * 1000,
    }


def _handed_over(engine: OpencodeEngine, model: str) -> dict[str, dict[str, str]]:
    return json.loads(engine.credential(model).files[AUTH])


def test_the_provider_of_the_model_decides(tmp_path: Path):
    engine = _engine(tmp_path, ANTHROPIC_API_KEY="key-a", GEMINI_API_KEY="key-g")
    assert engine.credential("google/gemini-2.5-pro").source == "GEMINI_API_KEY"
    handed = _handed_over(engine, "anthropic/claude-sonnet-4-5")
    assert handed == {"anthropic": {"type": "api", "key": "key-a"}}
    assert engine.credential("anthropic/claude-sonnet-4-5").environment == {}
    assert set(engine.secrets({})) == {"key-a", "key-g"}


def test_a_variable_comes_before_a_login(tmp_path: Path):
    _log_in(tmp_path, openai={"type": "api", "key": "key-of-login"})
    assert _engine(tmp_path).credential("openai/gpt-5").source == f"{AUTH} (openai)"
    both = _engine(tmp_path, OPENAI_API_KEY="key-of-variable")
    assert both.credential("openai/gpt-5").source == "OPENAI_API_KEY"


def test_a_login_is_handed_over_without_what_renews_it(tmp_path: Path):
    _log_in(tmp_path, openai=_oauth(HOUR))
    access = _engine(tmp_path).credential("openai/gpt-5")
    copy = json.loads(access.files[AUTH])["openai"]
    assert copy["access"] == "access-token-000000001"
    assert copy["refresh"] == ""
    assert set(access.secrets) == {"access-token-000000001", "refresh-token-00000001"}
    assert _engine(tmp_path).endpoints(access) == ("chatgpt.com:443",)
    assert access.is_login


def test_a_login_elsewhere_is_found(tmp_path: Path):
    folder = tmp_path / "data/opencode"
    folder.mkdir(parents=True)
    (folder / "auth.json").write_text(json.dumps({"groq": {"type": "api", "key": "key"}}))
    engine = _engine(tmp_path, XDG_DATA_HOME=str(tmp_path / "data"))
    assert engine.credential("groq/some/model").provider == "groq"


def test_the_token_of_copilot_is_what_renews_it(tmp_path: Path):
    _log_in(tmp_path, github_copilot={**_oauth(0), "expires": 0})
    handed = _handed_over(_engine(tmp_path), "github-copilot/gpt-5")
    assert handed["github-copilot"]["refresh"] == "refresh-token-00000001"


def test_an_expired_login_is_none(tmp_path: Path):
    _log_in(tmp_path, openai=_oauth(-HOUR))
    engine = _engine(tmp_path)
    assert engine.credentials() == ()
    assert engine.lack() == "the login has expired"
    with pytest.raises(EngineFailure, match="the login has expired for openai") as caught:
        engine.credential("openai/gpt-5")
    assert caught.value.kind is Failure.AUTH


@pytest.mark.parametrize("text", ["", "[]", '{"openai": 3}', '{"openai": {"type": "wellknown"}}'])
def test_what_makes_no_sense_is_no_login(tmp_path: Path, text: str):
    (tmp_path / AUTH).parent.mkdir(parents=True)
    (tmp_path / AUTH).write_text(text)
    assert _engine(tmp_path).credentials() == ()


def test_without_any_credential_nothing_starts(tmp_path: Path):
    with pytest.raises(EngineFailure, match="no credential for anthropic") as caught:
        _engine(tmp_path).credential("anthropic/claude-sonnet-4-5")
    assert caught.value.kind is Failure.AUTH


def test_a_model_needs_a_provider(tmp_path: Path):
    with pytest.raises(UsageError, match=r"'gpt-5'.*write provider/gpt-5"):
        _engine(tmp_path, OPENAI_API_KEY="key").credential("gpt-5")


@pytest.mark.parametrize("model", ["gpt-5", "unknown/gpt-5", "custom/gpt-5"])
def test_other_models_are_asked_for_at_the_users_own_place(tmp_path: Path, model: str):
    engine = _engine(tmp_path, OPENAI_BASE_URL="http://127.0.0.1:81/v1", OPENAI_API_KEY="key")
    access = engine.credential(model)
    assert access.provider == "custom"
    assert engine.endpoints(access) == ("127.0.0.1:81",)


@pytest.mark.parametrize(
    ("variables", "model", "endpoint"),
    [
        ({"ANTHROPIC_API_KEY": "k"}, "anthropic/c", ("api.anthropic.com:443",)),
        (
            {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": "http://127.0.0.1:82"},
            "anthropic/c",
            ("127.0.0.1:82",),
        ),
        ({"OPENROUTER_API_KEY": "k"}, "openrouter/a/b", ("openrouter.ai:443",)),
    ],
)
def test_hosts_are_known(
    tmp_path: Path, variables: dict[str, str], model: str, endpoint: tuple[str, ...]
):
    engine = _engine(tmp_path, **variables)
    assert engine.endpoints(engine.credential(model)) == endpoint


def _task(folder: Path, model: str) -> Task:
    for name in ("work", "skill"):
        (folder / name).mkdir()
    workdir = Workdir(folder, folder / "work", folder / "skill")
    spec = TrialSpec(
        skill=None,
        stimulus=Stimulus(prompt="Go."),
        engine="opencode",
        engine_version="1",
        model=model,
    )
    return Task(spec, workdir, AgentOptions.of(spec), Home.below(workdir))


def test_plugins_for_logins_are_there_only_with_one(tmp_path: Path):
    _log_in(tmp_path, openai=_oauth(HOUR))
    task = _task(tmp_path, "openai/gpt-5")
    switch = "OPENCODE_DISABLE_DEFAULT_PLUGINS"
    assert switch not in _engine(tmp_path).prepare(task).environment
    assert switch in _engine(tmp_path, OPENAI_API_KEY="key").prepare(task).environment


def test_the_programs_own_choice_of_a_model(tmp_path: Path):
    task = _task(tmp_path, "default")
    launch = _engine(tmp_path, ANTHROPIC_API_KEY="key").prepare(task)
    assert "--model" not in launch.arguments
    with pytest.raises(UsageError, match="name of a model"):
        _engine(tmp_path, OPENAI_BASE_URL="http://127.0.0.1:81/v1").prepare(task)


def test_without_ripgrep_no_skill_is_tried(tmp_path: Path):
    (tmp_path / "bin").mkdir()
    task = _task(tmp_path, "anthropic/claude-sonnet-4-5")
    without = _engine(tmp_path, ANTHROPIC_API_KEY="key", PATH=str(tmp_path / "bin"))
    assert without.prepare(task)
    tried = replace(task)
    tried.__dict__["skill"] = "some-skill"
    with pytest.raises(EnvironmentProblem, match="install ripgrep"):
        without.prepare(tried)


def test_inspection_of_a_machine_without_it(tmp_path: Path):
    found = _engine(tmp_path, PATH=str(tmp_path)).inspect()
    assert not found.installed
    assert found.fix == "npm install -g opencode-ai"


@pytest.mark.slow
def test_inspection_of_a_machine_that_has_it(tmp_path: Path):
    program, ripgrep = installed("opencode"), installed("rg")
    alone = tmp_path / "bin"
    alone.mkdir()
    (alone / "opencode").symlink_to(program.resolve())

    bare = _engine(tmp_path, PATH=str(alone)).inspect()
    assert (bare.installed, bare.problem) == (True, "no credential")
    assert bare.fix is not None
    assert "opencode auth login" in bare.fix

    _log_in(tmp_path, openai=_oauth(-HOUR))
    assert _engine(tmp_path, PATH=str(alone)).inspect().problem == "the login has expired"

    lacking = _engine(tmp_path, PATH=str(alone), ANTHROPIC_API_KEY="key").inspect()
    assert lacking.problem == "rg is missing: no skill can be loaded"
    assert lacking.fix == "install ripgrep"

    path = f"{alone}:{ripgrep.parent}"
    fine = _engine(tmp_path, PATH=path, ANTHROPIC_API_KEY="key").inspect()
    assert (fine.problem, fine.fix) == (None, None)
    assert fine.credential == "ANTHROPIC_API_KEY"
    assert fine.endpoints == ("api.anthropic.com:443",)
