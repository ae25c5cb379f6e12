"""Capability runs among secrets and hostile cases."""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from tests.app.measuring import (
    assert_whole,
    carried_out,
    case,
    commanded,
    events,
    free_app,
    request,
    sayings,
    started,
    write_set,
)
from whet.app.capability import private
from whet.app.capability.report import export_run, forms
from whet.app.capability.runs import Evaluations
from whet.app.secret_sweep import sweep_secrets
from whet.core.errors import InvalidSuite

SECRET = "s3cret-of-the-notes-server"
TELLS = 'read -r task; case "$task" in length) echo "${#2}" ;; *) echo "$2" ;; esac'


def simulated(**overrides: Any) -> dict[str, Any]:
    known = {"model_name": "simulated", "case_set": "mini", "language": "en-US"}
    return {**known, "config_overrides": overrides}


def test_secrets_of_servers_are_shown_nowhere_and_kept_only_while_needed(tmp_path: Path) -> None:
    write_set(tmp_path / "workspace", sayings(2))
    server = {"command": "notes", "env": {"NOTES_TOKEN": SECRET}}
    with free_app(tmp_path / "workspace") as app:
        run_id = started(app, simulated(mcp_servers={"notes": server}))
        shown = Evaluations(app).get(run_id).to_json()
        assert '"NOTES_TOKEN": "[redacted]"' in shown
        state = app.store.states.get(private.KIND, run_id)
        assert state is not None
        assert SECRET not in str(state)
        assert app.secrets.reveal(state.value)["mcp_servers"] == {"notes": server}
        asyncio.run(Evaluations(app).run(run_id))
        told = [shown, Evaluations(app).get(run_id).to_json(), str(events(app, run_id))]
        told += [export_run(app, run_id, form) for form in forms(app)]
        assert SECRET not in str(told)
        sweep_secrets(app.settings, app.store)
        assert not app.secrets.list()


def test_an_agent_gets_its_secrets_and_whatever_it_says_is_without_them(tmp_path: Path) -> None:
    asks = [case("got", "length", str(len(SECRET))), case("says", "it", "[redacted]")]
    write_set(tmp_path / "workspace", asks)
    options = {"argv": ["/bin/sh", "-c", TELLS, "agent", "--token", SECRET]}
    body = {**simulated(options=options), "model_name": "command"}
    with free_app(tmp_path / "workspace") as app:
        detail = carried_out(app, body)
        assert [item.status for item in detail.items] == ["passed", "passed"]
        assert SECRET not in f"{detail.to_json()}{events(app, detail.run.run_id)}"


@pytest.mark.parametrize(
    "wrong",
    [
        {"weight": 10**400},
        {"weight": 1e308},
        {"files": {"../out": "x"}},
        {"files": {"/out": "x"}},
        {"files": {"a\0b": "x"}},
        {"files": {"{run_id}/../../out": "x"}},
        {"files": {"a": "x", "a/b": "y"}},
        {"checker": "file_exists", "expected": "../../etc/passwd"},
        {"checker": "regex", "expected": "(a"},
        {"checker": "json_schema", "expected": {"schema": {"$ref": "file:///etc/passwd"}}},
        {"checker": [{"type": "exact", "expected": "x", "weight": 1e308}]},
        {"id": "../../out"},
    ],
)
def test_a_hostile_case_is_refused_and_starts_nothing(
    wrong: dict[str, Any], tmp_path: Path
) -> None:
    write_set(tmp_path / "workspace", [{**case("a", "say a"), **wrong}])
    with free_app(tmp_path / "workspace") as app:
        with pytest.raises(InvalidSuite):
            started(app, simulated())
        assert app.store.events.last() == 0


@pytest.mark.slow
def test_many_files_and_rules_are_read_in_time(tmp_path: Path) -> None:
    rules = [{"type": "contains", "expected": str(n)} for n in range(3000)]
    files = {f"d{n}/f.txt": "x" for n in range(20_000)}
    write_set(tmp_path / "workspace", [case("a", "say a", checker=rules, files=files)])
    with free_app(tmp_path / "workspace") as app:
        began = time.process_time()
        Evaluations(app).plan(request(simulated()))
        assert time.process_time() - began < 15


def test_half_an_emoji_anywhere_ends_no_run(tmp_path: Path) -> None:
    half = "\ud83d"
    asks = [case("a", f"say {half}", half), case("b", "say b", "b", files={"x.txt": half})]
    write_set(tmp_path / "workspace", asks)
    with free_app(tmp_path / "workspace") as app:
        detail = carried_out(app, commanded(tmp_path))
        assert_whole(app, detail)
    assert (detail.run.status, detail.items[1].status) == ("finished", "passed")
