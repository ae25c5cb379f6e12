"""What an agent asks while it works, and what it is told."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue


@dataclass(frozen=True, slots=True)
class Question:
    """One question with the answers it offers; without any, every text will do."""

    text: str
    choices: tuple[str, ...] = ()
    several: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """The agent waits: for leave to call a tool, or for answers to its questions."""

    id: str
    kind: Literal["permission", "question"]
    tool: str
    params: Mapping[str, JsonValue]
    questions: tuple[Question, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """What the agent is told; ``answers`` by the text of the question."""

    allow: bool
    reason: str = ""
    """Why not; the agent reads it."""

    answers: Mapping[str, str] = field(default_factory=dict[str, str])
