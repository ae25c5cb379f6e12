"""Values of secrets leave the database: references take their places, or a mark where nobody can
need them any more."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

import sqlalchemy as sa
from alembic import context, op

from whet.core.access import widening
from whet.core.confidential import replace_secrets
from whet.core.redaction import MARK, SHORTEST, Redactor

revision = "0006"
down_revision = "0005"

_OVER = ("succeeded", "failed", "cancelled")
_AT_ONCE = 500


def upgrade() -> None:
    connection = op.get_bind()
    tables = sa.MetaData()
    tables.reflect(connection)
    cleaning = _Cleaning(connection, tables, context.config.attributes.get("seal") or _mark)
    cleaning.states()
    cleaning.jobs()
    cleaning.runs()
    cleaning.rest()


def _mark(_place: str, _secret: str, _owner: str) -> str:
    return MARK


def _member(value: Any, name: str) -> Any:
    return cast("dict[str, Any]", value).get(name) if isinstance(value, dict) else None


class _Cleaning:
    def __init__(
        self, connection: sa.Connection, tables: sa.MetaData, seal: Callable[[str, str, str], str]
    ) -> None:
        self._connection = connection
        self._tables = tables.tables
        self._seal = seal
        self._found: set[str] = set()

    def _sealed(self, value: Any, owner: str, place: str = "") -> Any:
        """A value with its secrets replaced; those of no *owner* by a mark."""

        def replace(at: str, secret: str) -> str:
            self._found.add(secret)
            return self._seal(at, secret, owner) if owner and secret != MARK else MARK

        sealed: Any = replace_secrets({place: value} if place else value, replace)
        return sealed[place] if place else sealed

    def _options(self, options: dict[str, Any], owner: str) -> dict[str, Any]:
        wide = widening(options)
        return {**options, **self._sealed(wide, owner)}

    def states(self) -> None:
        table = self._tables["states"]
        kinds = ("job_private", "evaluation_options", "eval")
        for row in self._rows(table, table.c.kind.in_(kinds)):
            value = json.loads(row["value"])
            if row["kind"] == "job_private":
                value = self._private(value, f"job-{row['key']}")
            elif row["kind"] == "evaluation_options":
                value = self._options(value, f"run-{row['key']}")
            else:
                request: dict[str, Any] = value.get("request") or {}
                if not request.get("options"):
                    continue
                owner = "" if value.get("status") == "completed" else "shared"
                request["options"] = self._options(request["options"], owner)
            self._put(table, row, {"value": json.dumps(value)})

    def _private(self, value: dict[str, Any], owner: str) -> dict[str, Any]:
        told: dict[str, Any] = {"environment": value.pop("env", {}), "webhook": {}}
        if secret := value.pop("webhook_secret", ""):
            told["webhook"]["secret"] = secret
        sealed = self._sealed(told, owner)
        left = {"env": sealed["environment"], "webhook_secret": sealed["webhook"].get("secret", "")}
        return {**value, **left} if any(left.values()) else value

    def jobs(self) -> None:
        table = self._tables["jobs"]
        for row in self._rows(table):
            job = json.loads(row["data"])
            is_over = job.get("state") in _OVER
            before = json.dumps(job)
            options: dict[str, Any] = job.get("options") or {}
            if options.get("engine"):
                options["engine"] = self._options(options["engine"], "" if is_over else "shared")
            if job.get("webhook"):
                owner = f"job-{job['request_id']}"
                job["webhook"] = self._sealed({"url": job["webhook"]}, owner, "webhook")["url"]
            if options.get("env") or job.get("webhook") or json.dumps(job) != before:
                # A digest of the request, and whoever has it can try what the secret might be.
                job["digest"] = MARK
            if json.dumps(job) != before:
                self._put(table, row, {"data": json.dumps(job, ensure_ascii=False)})

    def runs(self) -> None:
        table = self._tables["evaluation_runs"]
        for row in self._rows(table, table.c.config_snapshot.is_not(None)):
            snapshot = json.loads(row["config_snapshot"])
            pin: Any = _member(snapshot, "pin")
            if not _member(pin, "options"):
                continue
            options = self._options(pin["options"], "")
            if options != pin["options"]:
                pin["options"] = options
                self._put(table, row, {"config_snapshot": json.dumps(snapshot)})

    def rest(self) -> None:
        """Whatever else has one of the secrets in it, as events and messages may."""
        secrets = [each for each in self._found if len(each) >= SHORTEST and each != MARK]
        if not secrets:
            return
        clean = Redactor(secrets)
        for table in self._tables.values():
            texts = [c.name for c in table.columns if isinstance(c.type, sa.Text)]
            keys = {c.name for c in table.primary_key.columns}
            names = [name for name in texts if name not in keys]
            for row in self._rows(table) if keys and names else ():
                told = {name: clean.text(row[name]) for name in names if row[name] is not None}
                changed = {name: text for name, text in told.items() if text != row[name]}
                if changed:
                    self._put(table, row, changed)

    def _rows(
        self, table: sa.Table, *conditions: sa.ColumnElement[bool]
    ) -> Iterator[dict[Any, Any]]:
        keys = [*table.primary_key.columns]
        wanted = [c for c in table.columns if not isinstance(c.type, sa.LargeBinary)]
        named = self._connection.execute(sa.select(*keys).where(*conditions)).all()
        for start in range(0, len(named), _AT_ONCE):
            for one in named[start : start + _AT_ONCE]:
                same = [key == value for key, value in zip(keys, one, strict=True)]
                found = self._connection.execute(sa.select(*wanted).where(*same)).mappings()
                yield from (dict(row) for row in found)

    def _put(self, table: sa.Table, row: Mapping[str, Any], change: dict[str, str]) -> None:
        same = [key == row[key.name] for key in table.primary_key.columns]
        self._connection.execute(sa.update(table).where(*same).values(change))
