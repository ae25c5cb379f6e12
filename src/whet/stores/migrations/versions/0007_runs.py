"""One table of runs takes the place of the states of experiments, evals, wishes and background
work."""

import json
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

from whet.stores.columns import Count, Word

revision = "0007"
down_revision = "0006"

_MOVED = ("experiment", "eval", "control", "background", "evaluation")


def upgrade() -> None:
    table = op.create_table(
        "runs",
        sa.Column("id", Word, primary_key=True),
        sa.Column("kind", Word, nullable=False),
        sa.Column("status", Word, nullable=False),
        sa.Column("owner", Word, nullable=False),
        sa.Column("parent", Word),
        sa.Column("is_unattended", sa.Boolean, nullable=False),
        sa.Column("epoch", Count, nullable=False),
        sa.Column("created_at", Word, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
    )
    op.create_index("runs_by_time", "runs", ["created_at", "id"])
    op.create_index("runs_by_status", "runs", ["status", "created_at"])
    op.create_index("runs_by_parent", "runs", ["parent"])
    connection = op.get_bind()
    states = _table(connection, "states")
    rows = [*_runs(connection, states)]
    if rows:
        connection.execute(table.insert(), rows)
    connection.execute(sa.delete(states).where(states.c.kind.in_(_MOVED)))


def _table(connection: sa.Connection, name: str) -> sa.Table:
    return sa.Table(name, sa.MetaData(), autoload_with=connection)


_States = dict[str, dict[str, tuple[str, int, dict[str, Any]]]]


def _runs(connection: sa.Connection, states: sa.Table) -> Iterator[dict[str, Any]]:
    """Every run that the states tell of."""
    found: _States = {kind: {} for kind in _MOVED}
    query = sa.select(states).where(states.c.kind.in_(_MOVED))
    for row in connection.execute(query).mappings():
        told = row["created_at"], row["revision"], json.loads(row["value"])
        found[row["kind"]][row["key"]] = told
    made: dict[str, dict[str, Any]] = {}
    for key, (created_at, _, value) in found["experiment"].items():
        made[key] = _project(key, value, created_at)
    for key, (created_at, _, value) in found["eval"].items():
        made[key] = _eval(key, value, created_at)
    evaluations = _table(connection, "evaluation_runs")
    for row in connection.execute(sa.select(evaluations)).mappings():
        made[row["run_id"]] = _capability(row)
    _add_background(made, found)
    _add_wishes(made, found)
    return map(_row, made.values())


def _add_background(made: dict[str, dict[str, Any]], found: _States) -> None:
    """Mark the runs that the next server goes on with, unless somebody else has since."""
    for key, (created_at, _, value) in found["background"].items():
        if value and (run := made.get(key) or _assist(value, created_at)):
            made[key] = run
            run["is_unattended"] = value["owners"][-1] == run["owner"]
            run["request"] = run.get("request") or value.get("options") or {}


def _add_wishes(made: dict[str, dict[str, Any]], found: _States) -> None:
    for key, (_, wishes, value) in found["control"].items():
        if key in made:
            made[key]["wishes"] = wishes
            known = found["background"].get(key, ("", 0, {}))[2].get("wish", wishes)
            if made[key]["status"] == "running" and wishes > known:
                made[key]["wish"] = value.get("wish")


def _row(run: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": run["id"],
        "kind": run["kind"],
        "status": run["status"],
        "owner": run["owner"],
        "parent": None,
        "is_unattended": run["is_unattended"],
        "epoch": 1,
        "created_at": run["created_at"],
        "data": json.dumps(run, ensure_ascii=True),
    }


def _run(kind: str, value: dict[str, Any], created_at: str) -> dict[str, Any]:
    names = ("ended_at", "error", "elapsed_s")
    return {
        **{name: value[name] for name in names if name in value},
        "kind": kind,
        "status": value.get("status") or "interrupted",
        "owner": value.get("owner") or "",
        "started_at": value.get("started_at") or created_at,
        "epoch": 1,
        "is_unattended": False,
        "created_at": created_at,
    }


def _project(key: str, value: dict[str, Any], created_at: str) -> dict[str, Any]:
    told = {
        "id": key,
        "name": value.get("name") or key,
        "details": {"folder": value.get("folder") or "", "failed": value.get("failed")},
        "total": value.get("total_trials") or 0,
        "wish": value.get("control"),
    }
    return {**_run("project", value, created_at), **told}


def _eval(key: str, value: dict[str, Any], created_at: str) -> dict[str, Any]:
    request: dict[str, Any] = value.get("request") or {}
    told: dict[str, Any] = {
        "id": key,
        "name": value.get("skill") or key,
        "details": {"legs": value.get("legs") or [], "warnings": value.get("warnings") or []},
        "request": request,
        "budget": request.get("budget") or {},
        "total": value.get("total_trials") or 0,
    }
    return {**_run("eval", value, created_at), **told}


def _capability(row: sa.RowMapping) -> dict[str, Any]:
    status = "completed" if row["status"] == "finished" else row["status"]
    value = {
        "status": status,
        "owner": row["owner"] or "",
        "started_at": row["started_at"],
        "ended_at": row["finished_at"],
        "error": row["error"],
        "elapsed_s": row["elapsed_s"],
    }
    told = {"id": row["run_id"], "name": row["case_set"]}
    return {**_run("capability", value, row["started_at"]), **told}


def _assist(value: dict[str, Any], created_at: str) -> dict[str, Any] | None:
    """Work that only the list of background work knows."""
    if value["kind"] not in ("auto_tag", "generation"):
        return None
    known = {"status": "running", "owner": value["owners"][-1]}
    told = {"id": value["id"], "name": value["id"]}
    return {**_run(value["kind"], known, created_at), **told}
