"""Whatever strangers send, no option that widens access is honoured without consent."""

import asyncio
import json
import shutil
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.app.bundling import bundle, packed, unpacked, with_config
from tests.app.jobs.offices import done, wanted
from tests.app.opening import allow
from tests.security.attacks import SECRETS, office_with, package, project_in, stealing, user_on
from whet.app.app import App
from whet.app.cassettes import every_trial, export_cassette, import_cassette
from whet.app.clock import SystemClock
from whet.app.eval_plan import plan
from whet.app.eval_request import EvalRequest
from whet.app.evals import Evals
from whet.app.experiments import Experiments
from whet.app.jobs.create import create
from whet.app.projects.bundle import import_bundle
from whet.app.projects.requests import ProjectListing
from whet.app.projects.shelf import ProjectShelf
from whet.core.access import HARMLESS, widening
from whet.core.errors import ConsentNeeded, WhetError
from whet.core.trial import TrialSpec
from whet.curate.original.workspace import import_workspace

MARK = "whet-started-a-stranger-s-program"


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return bundle(tmp_path_factory.mktemp("good"), trials=False)


def touching(folder: Path) -> list[str]:
    """A program that leaves a mark wherever it runs."""
    return ["/bin/sh", "-c", f"touch {folder / MARK}"]


texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=20)
names = st.sampled_from([*SECRETS, "HOME", "PATH"])
hosts = st.sampled_from(["127.0.0.1:80", "evil.example:443", "[::1]:22"])
paths = st.sampled_from(["/etc/passwd", "/root", "/", "~/.ssh", "/proc/self/environ"])
servers = st.dictionaries(
    texts,
    st.one_of(
        st.fixed_dictionaries({"command": paths, "args": st.lists(texts, max_size=2)}),
        st.fixed_dictionaries({"url": st.just("http://evil.example/mcp")}),
    ),
    min_size=1,
    max_size=2,
)
WIDE: dict[str, st.SearchStrategy[Any]] = {
    "pass_environment": st.lists(names, min_size=1, max_size=3),
    "environment": st.dictionaries(names, texts, min_size=1, max_size=3),
    "allow_hosts": st.lists(hosts, min_size=1, max_size=3),
    "readable": st.lists(paths, min_size=1, max_size=3),
    "mcp_servers": servers,
    "extra_flags": st.lists(texts, min_size=1, max_size=3),
    "cassette": paths,
    "argv": st.lists(texts, min_size=1, max_size=3),
}
harmless = st.fixed_dictionaries(
    {}, optional={"max_turns": st.integers(1, 9), "allowed_tools": st.lists(texts, max_size=2)}
)


def both(wide: dict[str, Any], plain: dict[str, Any]) -> dict[str, Any]:
    return {**plain, **wide}


dangerous = st.builds(both, st.fixed_dictionaries({}, optional=WIDE).filter(bool), harmless)
"""Options with at least one that widens access."""

runnable = st.fixed_dictionaries(
    {},
    optional={
        "pass_environment": st.lists(st.sampled_from([*SECRETS]), min_size=1, max_size=3),
        "environment": st.dictionaries(st.sampled_from(["A", "B_C"]), st.just("x"), min_size=1),
        "allow_hosts": st.lists(st.sampled_from(["127.0.0.1:80", "[::1]:22"]), min_size=1),
        "readable": st.lists(st.sampled_from(["/etc/hostname", "/usr/share/doc"]), min_size=1),
        "prompt_by": st.sampled_from(["stdin", "file", "argument"]),
    },
)
"""Options that a program would start with, were they honoured."""


@given(options=st.dictionaries(texts, st.one_of(st.none(), texts, st.lists(texts)), max_size=6))
def test_every_option_is_harmless_by_name_or_widens(options: dict[str, Any]) -> None:
    wide = widening(options)
    for name, value in options.items():
        assert (name in wide) == (name not in HARMLESS and value not in (None, [], {}))


@pytest.fixture(scope="module")
def user(tmp_path_factory: pytest.TempPathFactory) -> Generator[App]:
    folder = tmp_path_factory.mktemp("user")
    with user_on(folder / "workspace") as app:
        yield app


@settings(deadline=None)
@given(options=dangerous, engine=st.sampled_from(["command", "claude", "codex", "gemini", "api"]))
def test_the_one_function_says_no(user: App, options: dict[str, Any], engine: str) -> None:
    """To every engine, for whatever a file asks, and again at the start of every trial."""
    agent = user.parts.engine(engine)
    with pytest.raises(ConsentNeeded) as refusal:
        user.access.decide(agent, options)
    message = str(refusal.value)
    assert "\n" not in message
    assert message.isprintable()
    for name in widening(options):
        assert name in message
    spec = TrialSpec.model_validate(
        {
            "skill": None,
            "stimulus": {"prompt": "Hello."},
            "engine": engine,
            "engine_version": "1",
            "model": "default",
            "options": options,
        }
    )
    handled = asyncio.run(user.runner(0)(spec))
    assert (handled.executions, type(handled.error)) == (0, ConsentNeeded)


FORMS = ("package", "project", "workspace", "copied workspace", "suite", "case")


@pytest.mark.parametrize("form", FORMS)
@settings(
    deadline=None, max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(options=runnable, sandbox=st.sampled_from(["none", "landlock", None, "x"]))
def test_no_form_of_file_gets_more_than_any_agent_has(
    form: str, options: dict[str, Any], sandbox: str | None, good: bytes, tmp_path: Path
) -> None:
    folder = tmp_path / str(len([*tmp_path.iterdir()]))
    folder.mkdir()
    options = {**options, "argv": touching(folder)}
    with pytest.raises(WhetError):
        _try(form, folder, good, options, sandbox)
    assert not [*folder.rglob(MARK)]


def _try(
    form: str, folder: Path, good: bytes, options: dict[str, Any], sandbox: str | None
) -> None:
    """Have somebody's file run, as a user would who agrees to its cost."""
    here = folder / "here"
    change = {
        "cli_config__engine": "command",
        "cli_config__engine_version": None,
        "cli_config__sandbox": sandbox,
        "cli_config__options": options,
    }
    match form:
        case "package":
            evil = package(folder, "report", engine_options=options)
            with user_on(here) as app, office_with(app, evil) as office:
                request = wanted(skill_id="report", engine="command", input={})
                done(office, create(office, request))
        case "project":
            members = unpacked(good)
            with_config(**change, status="pending")(members)
            members = {k: v for k, v in members.items() if not k.startswith("results/")}
            (folder / "sent.zip").write_bytes(packed(members))
            with user_on(here) as app:
                run(app, import_bundle(app, folder / "sent.zip").project.folder)
        case "workspace":
            project_in(folder / "there", good, **change)
            here.mkdir()
            import_workspace(folder / "there", here, SystemClock().now())
            run_all(here)
        case "copied workspace":
            project_in(folder / "there", good, **change)
            shutil.copytree(folder / "there", here)
            run_all(here)
        case _:
            with user_on(here) as app:
                run_suite(app, suite(folder, form, options))


@settings(
    deadline=None, max_examples=2, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(options=runnable)
def test_a_cassette_of_a_stranger_s_program_starts_nothing(
    options: dict[str, Any], good: bytes, tmp_path: Path
) -> None:
    """Its trials were run with such options elsewhere, where somebody had agreed to them."""
    folder = tmp_path / str(len([*tmp_path.iterdir()]))
    there, here = folder / "there" / "workspace", folder / "here" / "workspace"
    options = {**options, "argv": touching(folder)}
    change = {
        "cli_config__engine": "command",
        "cli_config__engine_version": None,
        "cli_config__options": options,
    }
    project_in(there, good, **change)
    with user_on(there, WHET_SANDBOX="off") as app:
        app.access.give("command", widening(options))
        [project] = ProjectShelf(app).page(ProjectListing()).items
        asyncio.run(Experiments(app).run(project))
        export_cassette(app, folder / "tape.zip", every_trial(app))
    assert (folder / MARK).exists(), "whoever honours the options is seen"
    (folder / MARK).unlink()
    shutil.copytree(there / "projects", here / "projects")
    with user_on(here, WHET_SANDBOX="off") as app:
        assert import_cassette(app, folder / "tape.zip").new
        [project] = ProjectShelf(app).page(ProjectListing()).items
        asyncio.run(Experiments(app, imported=True).run(project))
    assert not (folder / MARK).exists()


def run(app: App, folder: Path) -> None:
    [project] = ProjectShelf(app).page(ProjectListing()).items
    assert project.folder == folder
    asyncio.run(Experiments(app).run(project))


def run_all(workspace: Path) -> None:
    with user_on(workspace) as app:
        [project] = ProjectShelf(app).page(ProjectListing()).items
        asyncio.run(Experiments(app).run(project))


def suite(folder: Path, form: str, options: dict[str, Any]) -> Path:
    """A skill with evals that bring options along, for all or for one of them."""
    skill = folder / "skill"
    (skill / "evals").mkdir(parents=True)
    (skill / "SKILL.md").write_text("---\nname: skill\ndescription: Writes.\n---\nWrite.\n")
    more = {"engine": "command", "options": options, "engine_options": options, "sandbox": "none"}
    case = {"id": 1, "prompt": "Say hello.", "expectations": ["It says hello."]}
    document = {"skill_name": "skill", "evals": [{**case, **(more if form == "case" else {})}]}
    if form == "suite":
        document |= {"eval_config": {"runs_per_eval": 1, **more}, **more}
    (skill / "evals" / "evals.json").write_text(json.dumps(document))
    return skill


def run_suite(app: App, skill: Path) -> None:
    request = EvalRequest(skill=str(skill), engines=("command",), judges=("simulated",))
    asyncio.run(Evals(app).run(plan(app, request)))


def test_consent_is_for_exactly_that_and_for_this_place(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "elsewhere" / "here"
    options = stealing(80)
    with user_on(here) as app:
        agent = app.parts.engine("command")
        app.access.give("command", widening(options))
        app.access.decide(agent, options)
        others: tuple[dict[str, Any], ...] = (
            {**options, "readable": ["/etc"]},
            {**options, "allow_hosts": ["127.0.0.1:81"]},
            {"argv": options["argv"], "pass_environment": ["HOME"]},
        )
        for other in others:
            with pytest.raises(ConsentNeeded):
                app.access.decide(agent, other)
        with pytest.raises(ConsentNeeded):
            app.access.decide(app.parts.engine("claude"), options)
        assert not [*here.rglob("*consent*.json")]
    config = tmp_path / "config"
    kept = [*(config / "consents").iterdir()]
    assert [each.stat().st_mode & 0o777 for each in kept] == [0o600]
    shutil.copytree(here, there)
    environment = {"WHET_CONFIG_DIR": str(config)}
    with user_on(there, **environment) as app, pytest.raises(ConsentNeeded):
        app.access.decide(agent, options)
    # What was agreed to can be taken back.
    with user_on(here) as app:
        [code] = app.access.consents().given
        app.access.revoke(code[:8])
        with pytest.raises(ConsentNeeded):
            app.access.decide(agent, options)


def test_consent_that_lies_in_the_workspace_is_no_consent(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    with (
        user_on(workspace, WHET_CONFIG_DIR=str(workspace / "config")) as app,
        pytest.raises(WhetError, match="WHET_CONFIG_DIR"),
    ):
        app.access.decide(app.parts.engine("command"), stealing(80))


def test_a_policy_replaces_consent_where_there_is_no_person(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    options = stealing(80)
    full: dict[str, Any] = {
        "programs": [sys.executable],
        "environment": ["ACME_*", "PRIVATE_NOTE"],
        "hosts": ["127.0.0.1:80"],
    }
    with user_on(workspace) as app:
        agent = app.parts.engine("command")
        for name in full:
            allow(workspace, **{key: value for key, value in full.items() if key != name})
            with pytest.raises(ConsentNeeded):
                app.access.decide(agent, options)
        allow(workspace, **full)
        app.access.decide(agent, options)
        allow(workspace, **full, engines=["claude"])
        with pytest.raises(ConsentNeeded, match="allows claude"):
            app.access.decide(agent, {})
        allow(workspace, sandbox="bubblewrap", surprise=1)
        with pytest.raises(WhetError, match="surprise"):
            app.access.decide(agent, options)


@pytest.mark.parametrize(
    ("allowed", "wanted_path"),
    [
        ("/usr/share", "/usr/share/../../etc/passwd"),
        ("/usr/share", "usr/share"),
        ("/usr/share", "/usr/shared"),
        ("relative", f"{Path.cwd()}/relative"),
    ],
)
def test_a_path_leads_out_of_what_the_policy_allows(
    tmp_path: Path, allowed: str, wanted_path: str
) -> None:
    workspace = tmp_path / "workspace"
    allow(workspace, paths=[allowed])
    with user_on(workspace) as app, pytest.raises(ConsentNeeded):
        app.access.decide(app.parts.engine("command"), {"readable": [wanted_path]})


@pytest.mark.parametrize(
    "url",
    [
        "http://evil.example\\@good.example:443/mcp",
        "https://good.example@evil.example/mcp",
        "https://good.example\t.evil.example/mcp",
        "https://good.example.evil.example/mcp",
        "ftp://good.example/mcp",
    ],
)
def test_an_address_is_read_otherwise_by_the_agent_s_program(tmp_path: Path, url: str) -> None:
    workspace = tmp_path / "workspace"
    allow(workspace, hosts=["good.example:443"])
    with user_on(workspace) as app:
        agent = app.parts.engine("claude")
        app.access.decide(agent, {"mcp_servers": {"n": {"url": "https://good.example/mcp"}}})
        with pytest.raises(ConsentNeeded):
            app.access.decide(agent, {"mcp_servers": {"n": {"url": url}}})
