"""Capability runs among secrets and hostile cases."""

import asyncio
from pathlib import Path
from typing import Any

from tests.app.measuring import carried_out, case, events, free_app, sayings, started, write_set
from whet.app.capability import private
from whet.app.capability.report import export_run, forms
from whet.app.capability.runs import Evaluations

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
        assert SECRET in str(app.store.states.get(private.KIND, run_id))
        asyncio.run(Evaluations(app).run(run_id))
        told = [shown, Evaluations(app).get(run_id).to_json(), str(events(app, run_id))]
        told += [export_run(app, run_id, form) for form in forms(app)]
        assert SECRET not in str(told)
        assert SECRET not in str(app.store.states.get(private.KIND, run_id))


def test_an_agent_gets_its_secrets_and_whatever_it_says_is_without_them(tmp_path: Path) -> None:
    asks = [case("got", "length", str(len(SECRET))), case("says", "it", "[redacted]")]
    write_set(tmp_path / "workspace", asks)
    options = {"argv": ["/bin/sh", "-c", TELLS, "agent", "--token", SECRET]}
    body = {**simulated(options=options), "model_name": "command"}
    with free_app(tmp_path / "workspace") as app:
        detail = carried_out(app, body)
        assert [item.status for item in detail.items] == ["passed", "passed"]
        assert SECRET not in f"{detail.to_json()}{events(app, detail.run.run_id)}"
