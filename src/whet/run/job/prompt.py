"""What the agent is told: the task at first, then what is wrong, or what somebody replied."""

import json
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from whet.core.job import Interaction, Response
from whet.core.text import fence
from whet.curate.manifest import JobPackage
from whet.curate.runner.schemas import properties
from whet.run.job.contract import FOLDER

MOST_PROBLEMS = 20

_TASK = """\
Use the skill {name}.

# Inputs

{input}

# Parameters

{parameter}

Do what the skill says with these. Inputs that are files are given by their paths. Write the files \
that you deliver into `{folder}/`, and end as the output contract of the skill says."""

_REPAIR = """\
Your last reply does not fit the output contract:

{problems}

Mend this, and reply again as the contract says: {how}."""

_DECIDE = "Nobody replied in time. Decide by yourself, and go on."


def task(
    package: JobPackage, engine: str, mixed: Mapping[str, JsonValue], about: Mapping[str, JsonValue]
) -> str:
    """The first prompt: the package's own for the engine, else for all, else ours. *mixed* is the
    input, *about* the parameters. Raises ``UsageError`` for a template that goes wrong."""
    source = package.prompts.get(engine) or package.prompts.get("common")
    if source is None:
        return _TASK.format(
            name=package.id, input=_fenced(mixed), parameter=_fenced(about), folder=FOLDER
        )
    # Loading the library behind it takes longer than starting a command does.
    from whet.run.job.template import render

    known = {
        "input": frozenset((*package.inline_inputs, *package.file_inputs)),
        "parameter": frozenset(properties(package.parameter)),
    }
    values: dict[str, JsonValue] = {
        "input": dict(mixed),
        "parameter": dict(about),
        "skill_id": package.id,
        "engine_id": engine,
    }
    return render(source, values, known)


def repair(problems: Sequence[str], *, wants_json: bool) -> str:
    """What is wrong with an output."""
    how = "one JSON object, and nothing else" if wants_json else "in plain words"
    listed = "\n".join(f"- {problem}" for problem in problems[:MOST_PROBLEMS])
    return _REPAIR.format(problems=listed, how=how)


def reply(asked: Interaction, response: Response, work: str) -> str:
    """What somebody answered, as the agent is told it."""
    if response.automatic:
        return _DECIDE
    said = response.value if isinstance(response.value, str) else _json(response.value)
    parts = [said] if said not in ("", "null") else []
    if asked.kind == "confirm" and isinstance(response.value, bool):
        parts = ["Yes." if response.value else "No."]
    if response.files:
        paths = "\n".join(f"- {work}/{file.path}" for file in response.files)
        parts.append(f"These files were uploaded:\n{paths}")
    return "\n\n".join(parts) or _DECIDE


def _fenced(value: Mapping[str, JsonValue]) -> str:
    text = _json(dict(value), indent=1)
    mark = fence(text)
    return f"{mark}json\n{text}\n{mark}"


def _json(value: JsonValue, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)
