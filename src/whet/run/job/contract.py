"""What a package promises to yield, told to the agent: appended to its own copy of the skill.

The words and the check come from the same schema. The package itself is never touched.
"""

import json

from pydantic import JsonValue

from whet.core.address import digest_bytes, digest_tree
from whet.core.arm import SkillPackage
from whet.core.files import FileRef
from whet.core.job import Mode
from whet.curate.manifest import ArtifactRule, JobPackage
from whet.ports.blobs import Blobs

DONE = "__SKILL_DONE__"
FOLDER = "artifacts"

OPENING = "<!-- whet:output-contract -->"
CLOSING = "<!-- /whet:output-contract -->"
_FENCE = "json whet-contract"

_FINAL = """\
When the work is done, your whole last reply is one JSON object that fits the schema below, without
anything before or after it and without a code fence."""
_FINAL_MARKED = f"""\
When the work is done, your whole reply is one JSON object that fits the schema below, with
`"{DONE}": true` beside its other members, and nothing before or after it."""
_TEXT = "When the work is done, say in plain words what came of it."
_TEXT_MARKED = f"""\
When the work is done, your whole reply is the JSON object
`{{"{DONE}": true, "answer": "what came of it"}}`, and nothing before or after it."""
_PENDING = f"""\
If you need something from the person you work for, do not guess: end your turn with this JSON
object instead, and nothing else. You are told the reply and go on.

```json
{{
  "{DONE}": false,
  "message": "why you ask",
  "ui_hints": {{"kind": "open_text", "prompt": "the question"}}
}}
```

`kind` is `open_text`, `choose_one` (with `"options": [{{"label": "…", "value": "…"}}]`), `confirm`
(yes or no), or `upload_files` (with `"files": [{{"name": "…", "required": true}}]`). `hint` may say
more."""
_ALONE = "Nobody is there to answer questions: decide by yourself what is left open."
_FILES = f"""\
Write these files, at exactly these paths in your working folder. Nothing outside `{FOLDER}/` is
delivered."""
_SOME_FILES = (
    f"Files that you want to deliver go into the folder `{FOLDER}/` of your working folder."
)


def contract_of(package: JobPackage, mode: Mode) -> dict[str, JsonValue]:
    """The promise as data."""
    output = package.output
    rules: list[JsonValue] = [_rule(each) for each in package.artifacts]
    return {
        "mode": mode,
        "schema": None if output is None else dict(output),
        "artifacts": rules,
    }


def section(package: JobPackage, mode: Mode) -> str:
    """The promise in words, with the data at its end."""
    is_interactive, has_schema = mode == "interactive", package.output is not None
    parts = ["## Output contract"]
    if package.artifacts:
        parts += [_FILES, "\n".join(map(_line, package.artifacts))]
    else:
        parts.append(_SOME_FILES)
    if has_schema:
        parts.append(_FINAL_MARKED if is_interactive else _FINAL)
    else:
        parts.append(_TEXT_MARKED if is_interactive else _TEXT)
    parts.append(_PENDING if is_interactive else _ALONE)
    data = json.dumps(contract_of(package, mode), ensure_ascii=False, indent=1)
    parts.append(f"{_ticks(data)}{_FENCE}\n{data}\n{_ticks(data)}")
    return f"{OPENING}\n" + "\n\n".join(parts) + f"\n{CLOSING}\n"


def with_contract(
    skill: SkillPackage, package: JobPackage, mode: Mode, blobs: Blobs
) -> tuple[SkillPackage, bytes]:
    """The agent's own copy of the skill, and the text of its entry, which has to be kept."""
    entry = skill.entry
    text = blobs.get(entry.digest).decode(errors="replace")
    before = _without(text).rstrip("\n")
    data = f"{before}\n\n{section(package, mode)}".encode()
    return _replaced(skill, entry.path, data), data


def _replaced(skill: SkillPackage, path: str, data: bytes) -> SkillPackage:
    new = FileRef(path=path, digest=digest_bytes(data), size=len(data))
    files = tuple(new if file.path == path else file for file in skill.files)
    tree = digest_tree({file.path: file.digest for file in files})
    return skill.model_copy(update={"files": files, "digest": tree})


def _without(text: str) -> str:
    """A package that has such a section of its own, copied from a run, does not get two."""
    start = text.find(OPENING)
    end = text.find(CLOSING, start)
    return text if start < 0 or end < 0 else text[:start] + text[end + len(CLOSING) :]


def _rule(rule: ArtifactRule) -> dict[str, JsonValue]:
    return {
        "path": f"{FOLDER}/{rule.pattern}",
        "role": rule.role,
        "required": rule.required,
        "field": rule.field,
    }


def _line(rule: ArtifactRule) -> str:
    needed = "required" if rule.required else "optional"
    field = f", named by the member `{rule.field}` of the JSON object" if rule.field else ""
    return f"- `{FOLDER}/{rule.pattern}` ({needed}, {rule.role}){field}"


def _ticks(data: str) -> str:
    ticks = "```"
    while ticks in data:
        ticks += "`"
    return ticks
