"""The contract of a job package: its ``runner.json`` and schemas, checked as a whole.

Pure: the files go in, a value comes out. A skill without a ``runner.json`` is a plain package: it
takes any input, may be run by every engine, and promises nothing.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, get_args

from packaging.version import InvalidVersion, Version
from pydantic import JsonValue

from whet.core.errors import InvalidDocument, InvalidSkill, UsageError
from whet.core.front_matter import description_of, entries
from whet.curate.runner.artifacts import ArtifactRule, declared_rules, inferred_rules
from whet.curate.runner.engines import RENAMED, effective_engines
from whet.curate.runner.schemas import (
    Key,
    is_file,
    properties,
    read_schemas,
    required,
    schema_places,
)
from whet.curate.segments import segment, shown
from whet.documents.job import ExecutionMode, RunnerManifest
from whet.documents.text import parse_json

if TYPE_CHECKING:  # slow to load, and not every skill has a schema
    from whet.documents.schema import Schema

__all__ = ["PLACES", "ArtifactRule", "JobPackage", "job_package"]

PLACES = ("assets/runner.json", "runner.json")
MODES: tuple[ExecutionMode, ...] = get_args(ExecutionMode)

_FROM_DIGEST = "0.0.0+sha256."
_SCHEMAS = '"schemas": {"output": "assets/output.schema.json"}'
_ENTRIES = ("SKILL.md", "content.txt")
_REFERRED_TO = ("properties", "$defs", "definitions")


@dataclass(frozen=True)
class JobPackage:
    """What a package asks for and promises."""

    id: str
    name: str | None
    description: str | None
    version: str | None
    modes: tuple[ExecutionMode, ...]
    engines: tuple[str, ...]
    """Those that may run it, in the order of their names."""

    input: Mapping[str, JsonValue] | None
    parameter: Mapping[str, JsonValue] | None
    output: Mapping[str, JsonValue] | None
    """The schemas; None where there is none."""

    schema_paths: Mapping[str, str]
    """Where the schemas lie in the package."""

    prompts: Mapping[str, str]
    """What an agent is told, by engine; ``common`` is for those without their own text."""

    artifacts: tuple[ArtifactRule, ...]
    default_options: Mapping[str, JsonValue]
    """``runtime.default_options``, which those of a request go before."""

    max_attempt: int | None
    is_plain: bool
    """Whether there is no ``runner.json``."""

    unused: tuple[str, ...]
    """What it says that has no effect here, field by field."""

    ready: dict[str, "Schema"] = field(repr=False, compare=False)
    """The schemas that were made ready to check values with; see ``schema``."""

    @cached_property
    def file_inputs(self) -> tuple[str, ...]:
        """The inputs that are uploaded files, in the order of the schema."""
        return tuple(name for name, one in properties(self.input).items() if is_file(one))

    @cached_property
    def required_files(self) -> tuple[str, ...]:
        """Those of them that a job cannot do without."""
        needed = required(self.input)
        return tuple(name for name in self.file_inputs if name in needed)

    @cached_property
    def inline_inputs(self) -> tuple[str, ...]:
        """The inputs that are values of the request, in the order of the schema."""
        return tuple(name for name, one in properties(self.input).items() if not is_file(one))

    @cached_property
    def inline_schema(self) -> Mapping[str, JsonValue] | None:
        """What the values of a request must fit before any file is there; None without inputs.
        The properties of files stay, as others may refer to them, and none may be given."""
        if self.input is None:
            return None
        inline: list[JsonValue] = [*self.inline_inputs]
        kept = {key: self.input[key] for key in _REFERRED_TO if key in self.input}
        return {
            **kept,
            "type": "object",
            "required": [name for name in required(self.input) if name in inline],
            "additionalProperties": False,
            "propertyNames": {"enum": inline},
        }

    def schema(self, key: Literal["input", "inline", "parameter", "output"]) -> "Schema | None":
        """One of the schemas, ready to check values with; None where there is none."""
        from whet.documents.strange_schema import StrangeSchema

        source = self.inline_schema if key == "inline" else getattr(self, key)
        if source is not None and key not in self.ready:
            self.ready[key] = StrangeSchema(source)
        return self.ready.get(key)


def job_package(
    content: Mapping[str, bytes],
    name: str,
    supported: Collection[str],
    folder: str | None = None,
    *,
    to_install: bool = False,
) -> JobPackage:
    """The contract of the package with these files; *name* is that of the skill.

    Raises ``InvalidSkill`` with all that is wrong. *supported* are the engines that there are. A
    *folder* that the package came in must be called as the package is. One *to_install* must have
    a ``runner.json`` that declares its schemas; a version of its own it may leave out.
    """
    places = [place for place in PLACES if place in content]
    if not places and to_install:
        raise InvalidSkill(name, [f"has no {PLACES[0]}; import it as a plain skill, or add one"])
    if not places:
        return _plain(name, content, supported)
    if len(places) > 1:
        raise InvalidSkill(name, [f"has both {' and '.join(places)}; keep one of them"])
    raw, told = _read(content[places[0]], places[0], name)
    engines = effective_engines(raw, supported, told)
    declared = declared_rules(raw, told)
    where = schema_places(raw, content, told)
    told += _misnamed(raw, _text(content), folder)
    told += _other_mistakes(raw)
    if to_install:
        told += _undeclared(raw)
    problems: list[str] = []
    ready: dict[str, Schema] = {}
    schemas = read_schemas(where, content, ready, problems)
    inferred: list[str] = []
    artifacts = declared or inferred_rules(schemas.get("output"), inferred)
    problems += (f"{where['output']}: {one}" for one in inferred)
    if told or problems:
        raise InvalidSkill(name, [*(f"{places[0]}: {one}" for one in told), *problems])
    found = _promised(RunnerManifest.parse(raw, places[0]), engines, artifacts, schemas, ready)
    found = replace(found, schema_paths={**where})
    return found if found.description else replace(found, description=_described(content))


def _promised(
    manifest: RunnerManifest,
    engines: tuple[str, ...],
    artifacts: tuple[ArtifactRule, ...],
    schemas: Mapping[Key, Mapping[str, JsonValue]],
    ready: dict[str, "Schema"],
) -> JobPackage:
    return JobPackage(
        id=manifest.id,
        name=manifest.name,
        description=manifest.description,
        version=manifest.version,
        modes=manifest.execution_modes,
        engines=engines,
        input=schemas.get("input"),
        parameter=schemas.get("parameter"),
        output=schemas.get("output"),
        schema_paths={},
        prompts=manifest.entrypoint.prompts if manifest.entrypoint else {},
        artifacts=artifacts,
        default_options=manifest.runtime.default_options if manifest.runtime else {},
        max_attempt=manifest.max_attempt,
        is_plain=False,
        unused=tuple(_unused(manifest)),
        ready=ready,
    )


def _unused(manifest: RunnerManifest) -> Iterator[str]:
    """People who wrote such a field expect something of it, and are told what to do instead."""
    if manifest.runtime and manifest.runtime.dependencies:
        yield "runtime.dependencies: nothing is installed; the agent finds what this machine has"
    if manifest.mcp and manifest.mcp.required_servers:
        yield "mcp.required_servers: no server is connected; the agent has its own tools only"
    if manifest.engine_configs:
        yield "engine_configs: not read; give engine_options in runtime.default_options"
    if manifest.entrypoint and manifest.entrypoint.result_json_filename:
        yield "entrypoint.result_json_filename: not read; the output is the agent's last reply"


def _plain(name: str, content: Mapping[str, bytes], supported: Collection[str]) -> JobPackage:
    return JobPackage(
        id=name,
        name=None,
        description=_described(content),
        version=None,
        modes=MODES,
        engines=tuple(sorted(supported)),
        input=None,
        parameter=None,
        output=None,
        schema_paths={},
        prompts={},
        artifacts=(),
        default_options={},
        max_attempt=None,
        is_plain=True,
        unused=(),
        ready={},
    )


def _read(data: bytes, place: str, name: str) -> tuple[dict[str, JsonValue], list[str]]:
    """``runner.json``, and what is wrong with its shape; raises where there is no sense in it."""
    try:
        raw = parse_json(data, place)
    except InvalidDocument as error:
        raise InvalidSkill(name, [str(error)]) from None
    if not isinstance(raw, dict):
        raise InvalidSkill(name, [f"{place}: must be an object; begin it with {{"])
    # Its old name is told with the other mistakes about engines.
    return raw, RunnerManifest.mistakes({key: raw[key] for key in raw if key != RENAMED})


def _misnamed(manifest: Mapping[str, JsonValue], text: str, folder: str | None) -> Iterator[str]:
    """A package has one name, wherever that stands."""
    own = manifest.get("id")
    if not isinstance(own, str) or not own:
        return
    try:
        segment(own, "id:")
    except UsageError as error:
        yield f"{error}; it becomes the name of a folder"
    named = (entries(text) or {}).get("name")
    if named is None:
        yield f"id: the front matter of SKILL.md has no name; add name: {own}"
    elif named.value != own:
        yield f"id: {shown(own)} is called {shown(named.value)} in SKILL.md; make them the same"
    if folder is not None and folder != own:
        yield f"id: {shown(own)} lies in a folder {shown(folder)}; make them the same"


def _other_mistakes(manifest: Mapping[str, JsonValue]) -> Iterator[str]:
    modes = manifest.get("execution_modes")
    if isinstance(modes, list):
        for mode in MODES:
            if modes.count(mode) > 1:
                yield f"execution_modes: {mode!r} is there {modes.count(mode)} times; name it once"
    most = manifest.get("max_attempt")
    if isinstance(most, int) and most < 1:
        yield f"max_attempt: must be 1 or more, found {most}"
    version = manifest.get("version")
    if isinstance(version, str) and not is_version(version):
        yield f"version: {shown(version)} is no version; write one such as 1.0.0"


def _undeclared(manifest: Mapping[str, JsonValue]) -> Iterator[str]:
    """The schemas that a package must name before it can be installed."""
    schemas = manifest.get("schemas")
    if schemas is None:
        yield f"schemas: is missing; declare them: {_SCHEMAS}"
    elif isinstance(schemas, dict) and schemas.get("output") is None:
        yield f"schemas.output: is missing; declare it, as in {_SCHEMAS}"


def version_from_digest(digest: str) -> str:
    """The version of a package that gives itself none."""
    return f"{_FROM_DIGEST}{digest[:12]}"


def is_from_digest(version: str) -> bool:
    """Whether a version says only which content it is, and not which came later."""
    return version.startswith(_FROM_DIGEST)


def is_version(text: str) -> bool:
    """Whether versions can be told higher and lower by it."""
    try:
        Version(text)
    except InvalidVersion:
        return False
    return True


def _described(content: Mapping[str, bytes]) -> str | None:
    return description_of(_text(content)) or None


def _text(content: Mapping[str, bytes]) -> str:
    """The instructions of a skill."""
    found = (content[entry] for entry in _ENTRIES if entry in content)
    return next(found, b"").decode(errors="replace")
