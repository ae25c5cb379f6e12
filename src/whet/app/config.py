"""``cli/config.json``: what holds where a person names nothing.

A flag beats the environment, the environment beats the file, the file beats what is built in.
"""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol

from pydantic import AfterValidator, Field, JsonValue, TypeAdapter, ValidationError
from pydantic_core import from_json

from whet.app.access import Access, program_options
from whet.app.eval_request import MOST_SECONDS
from whet.app.settings import OVERRIDES, Settings
from whet.core.errors import EnvironmentProblem, InvalidDocument, NotFound, UsageError
from whet.core.instant import iso_seconds
from whet.core.value import LARGEST_NUMBER, Value
from whet.curate.locks import locked
from whet.documents.complaint import complaint
from whet.documents.files import write_atomic
from whet.documents.project import ContextConfig
from whet.documents.settings import CliSettings
from whet.documents.text import read_json
from whet.ports.machine import Machine
from whet.ports.parts import Parts

MOST_RETRIES = 20
MOST_DAYS = 3650
AGENTS_OWN = "default"
"""The model that the agent itself is set up with."""

BUILT_IN: Mapping[str, JsonValue] = {
    "cli_path": "claude",
    "default_engine": "simulated",
    "default_model": AGENTS_OWN,
    # As long as the command takes by itself.
    "default_timeout_seconds": None,
    "default_retry_count": 2,
    "temp_session_ttl_days": 7,
    "context.token_threshold": 80_000,
    # Agents look after that themselves, unless a project tells them to.
    "context.auto_compress": False,
    "context.auto_export": True,
}
"""Every key, with the dots of its place in the file."""


def _on_one_line(text: str) -> str:
    if not text.isprintable() or text != text.strip():
        raise ValueError("has spaces around it, or characters that cannot be printed")
    return text


_Text = Annotated[str, Field(min_length=1, max_length=500), AfterValidator(_on_one_line)]
_KINDS: Mapping[str, TypeAdapter[JsonValue]] = {
    "cli_path": TypeAdapter(_Text),
    "default_engine": TypeAdapter(_Text),
    "default_model": TypeAdapter(_Text),
    "default_timeout_seconds": TypeAdapter(
        Annotated[float, Field(gt=0, le=MOST_SECONDS, allow_inf_nan=False)]
    ),
    "default_retry_count": TypeAdapter(Annotated[int, Field(ge=0, le=MOST_RETRIES)]),
    "temp_session_ttl_days": TypeAdapter(
        Annotated[float, Field(gt=0, le=MOST_DAYS, allow_inf_nan=False)]
    ),
    "context.token_threshold": TypeAdapter(Annotated[int, Field(gt=0, le=LARGEST_NUMBER)]),
    "context.auto_compress": TypeAdapter(bool),
    "context.auto_export": TypeAdapter(bool),
}
_OTHER_PROGRAMS = frozenset({"codex", "gemini", "opencode"})
_TEXTS = frozenset({"cli_path", "default_engine", "default_model"})


def value_schemas() -> dict[str, Any]:
    """How a contract describes values to set, by their key."""
    kinds = {key: {"anyOf": [kind.json_schema(), {"type": "null"}]} for key, kind in _KINDS.items()}
    return {"properties": kinds, "additionalProperties": False, "minProperties": 1}


class Configured(Value):
    """A value, and where it comes from."""

    value: JsonValue
    source: Literal["environment", "file", "built-in"]


class Configuration(Value):
    """Every value that holds now."""

    file: str
    exists: bool
    updated_at: str | None
    """When the file was last changed, as it says."""

    values: dict[str, Configured]


@dataclass(frozen=True)
class Defaults:
    """What flows take where a person names nothing."""

    engine: str
    model: str
    """Empty for what the agent itself is set up with."""

    model_of: str | None
    """The engine whose model that is; None for any."""

    timeout_seconds: float | None
    """None for what the command takes by itself."""

    retries: int
    session_days: float
    context: ContextConfig

    def model_for(self, engine: str) -> str:
        """The model of an engine: one for another engine is none for this."""
        return self.model if self.model_of in (None, engine) else ""

    def filling(
        self, engines: tuple[str, ...] | None, models: tuple[str, ...], timeout: float | None
    ) -> dict[str, object]:
        """The fields of a request, with those that nobody named."""
        engines = (self.engine,) if engines is None else engines
        mine = tuple(f"{name}:{self.model_for(name)}" for name in engines if self.model_for(name))
        return {
            "engines": engines,
            "models": models or mine,
            "timeout_seconds": timeout or self.timeout_seconds,
        }


class WithSettings(Protocol):
    """Whatever knows the settings: an app, say."""

    @property
    def settings(self) -> Settings: ...


def path_of(workspace: Path) -> Path:
    """The file of a workspace."""
    return workspace / "cli" / "config.json"


def configuration(settings: Settings) -> Configuration:
    """Read it; raises ``InvalidDocument`` that names the file, or the variable, that is wrong."""
    path = path_of(settings.workspace)
    data = _data(path)
    found = _flat(data)
    values: dict[str, Configured] = {}
    for key, built_in in BUILT_IN.items():
        if key in settings.overrides:
            name, text = OVERRIDES[key], settings.overrides[key]
            values[key] = Configured(value=_from_text(key, text, name), source="environment")
        elif key in found:
            values[key] = Configured(value=_fitting(key, found[key], path), source="file")
        else:
            values[key] = Configured(value=built_in, source="built-in")
    updated = data.get("updated_at")
    return Configuration(
        file=str(path),
        exists=path.exists(),
        updated_at=updated if isinstance(updated, str) else None,
        values=values,
    )


def change(
    settings: Settings, parts: Parts, changes: Mapping[str, JsonValue], now: datetime
) -> Configuration:
    """Write other values into the file; null stands for what is built in. Raises ``UsageError``
    and changes nothing where one of them cannot be."""
    _check(changes, parts)
    path = path_of(settings.workspace)
    with locked(settings.workspace, "cli-config"):
        data = _data(path)
        context = data.get("context")
        inner = dict(context) if isinstance(context, dict) else {}
        for key, value in {**BUILT_IN, **_flat(data), **changes}.items():
            group, _, name = key.rpartition(".")
            (inner if group else data)[name] = BUILT_IN[key] if value is None else value
        if data["default_engine"] == BUILT_IN["default_engine"]:
            del data["default_engine"]  # the format knows no such key, so only where it matters
        if data["default_timeout_seconds"] is None:
            del data["default_timeout_seconds"]  # every command has its own
        document: dict[str, JsonValue] = {**data, "context": inner}
        document["updated_at"] = iso_seconds(now)
        text = CliSettings.parse(document, str(path)).to_json()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise EnvironmentProblem(f"cannot write {path}: {error.strerror}") from error
        write_atomic(path, text, durable=True)
    return configuration(settings)


def agree_to_program(settings: Settings) -> None:
    """Keep that a person set the program of ``cli_path`` on this machine."""
    said = str(configuration(settings).values["cli_path"].value)
    if said != (engine := _engine_of(said)):
        Access(settings).give(engine, program_options(said))


def defaults(app: WithSettings) -> Defaults:
    """What holds in this workspace where a person names nothing."""
    values = configuration(app.settings).values

    def text(key: str) -> str:
        return str(values[key].value)

    seconds = values["default_timeout_seconds"].value
    model = values["default_model"]
    # What goes before the file is for any engine; what is in it, for the one that it speaks of.
    engine = text("default_engine")
    home = _engine_of(text("cli_path")) if engine == BUILT_IN["default_engine"] else engine
    return Defaults(
        engine=engine,
        model="" if model.value == AGENTS_OWN else text("default_model"),
        model_of=None if model.source == "environment" else home,
        timeout_seconds=None if seconds is None else float(str(seconds)),
        retries=int(text("default_retry_count")),
        session_days=float(text("temp_session_ttl_days")),
        context=ContextConfig(
            token_threshold=int(text("context.token_threshold")),
            auto_compress=values["context.auto_compress"].value is True,
            auto_export=values["context.auto_export"].value is True,
        ),
    )


def machine_of(settings: Settings) -> Machine:
    """The machine, with the program that ``cli_path`` sets for its engine."""
    return replace(settings.machine, program_of=partial(_program_of, settings))


def _program_of(settings: Settings, engine: str) -> str | None:
    """What ``cli_path`` says, if it is for that engine. Nothing in the workspace is started: that
    may have come from anywhere. Raises ``EnvironmentProblem``."""
    said = str(configuration(settings).values["cli_path"].value)
    if said == engine or _engine_of(said) != engine:
        return None
    if "/" not in said:
        _require_agreed(settings, engine, said)
        return said
    back = f"set another: whet config set cli_path={engine}"
    try:
        path = Path(said).expanduser()
    except RuntimeError:
        raise EnvironmentProblem(f"cli_path: {said} names a home that is unknown; {back}") from None
    if not path.is_absolute():
        raise EnvironmentProblem(f"cli_path: {said} is no absolute path; {back}")
    folder = settings.workspace.resolve()
    if path.absolute().is_relative_to(settings.workspace) or path.resolve().is_relative_to(folder):
        raise EnvironmentProblem(
            f"cli_path: {said} lies in the workspace, and nothing there is started; {back}"
        )
    _require_agreed(settings, engine, said)
    return str(path)


def _require_agreed(settings: Settings, engine: str, said: str) -> None:
    """The file may have come with a stranger's workspace, so a person sets the program here."""
    access = Access(settings)
    if access.code(engine, program_options(said)) not in access.consents().given:
        raise EnvironmentProblem(
            f"cli_path: {said} was not set on this machine; if it is yours: "
            f"whet config set cli_path={shlex.quote(said)}"
        )


def _engine_of(cli_path: str) -> str:
    """The engine whose program that is: the one called so, else claude, which the format knows."""
    name = Path(cli_path).name
    return name if name in _OTHER_PROGRAMS else str(BUILT_IN["cli_path"])


def _data(path: Path) -> dict[str, JsonValue]:
    """The content of the file; a key that is missing is as it is built in."""
    try:
        data = read_json(path)
    except NotFound:
        return {}
    if not isinstance(data, dict):
        raise InvalidDocument(path, "", "must be an object")
    if not isinstance(data.get("context", {}), dict):
        raise InvalidDocument(path, "context", "must be an object")
    return data


def _flat(data: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The values of all keys we know, by their place."""
    context = data.get("context", {})
    inner = (
        {f"context.{key}": value for key, value in context.items()}
        if isinstance(context, dict)
        else {}
    )
    return {key: value for key, value in {**data, **inner}.items() if key in BUILT_IN}


def _check(changes: Mapping[str, JsonValue], parts: Parts) -> None:
    if not changes:
        raise UsageError(f"name what to set as KEY=VALUE; known: {', '.join(BUILT_IN)}")
    for key, value in changes.items():
        if key not in BUILT_IN:
            raise UsageError(f"unknown key {key!r}; known: {', '.join(BUILT_IN)}")
        if value is not None:
            _fitting(key, value, key)
    if isinstance(engine := changes.get("default_engine"), str):
        parts.engine(engine)


def _fitting(key: str, value: JsonValue, source: Path | str) -> JsonValue:
    """*value*, if the key can have it; *source* is the file, or the name that a person used."""
    try:
        _KINDS[key].validate_python(value, strict=True)
    except ValidationError as error:
        _, reason = complaint(error, value)
        if key == "default_timeout_seconds":
            reason += f"; to leave it to each command: whet config set {key}=null"
        if isinstance(source, Path):
            raise InvalidDocument(source, key, reason) from None
        raise UsageError(f"{source}: {reason}") from None
    return value


def _from_text(key: str, text: str, variable: str) -> JsonValue:
    """A value from the environment."""
    value: JsonValue = text
    if key not in _TEXTS:
        try:
            value = from_json(text, allow_inf_nan=False)
        except ValueError:
            raise UsageError(f"{variable}: {text!r} is no number") from None
    return _fitting(key, value, variable)
