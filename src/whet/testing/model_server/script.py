"""The script of a model: what it answers, in words that belong to no protocol."""

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, JsonValue, ValidationError, model_validator

from whet.core.errors import InvalidDocument
from whet.documents.base import Filled, Items
from whet.documents.complaint import complaint
from whet.documents.text import read_json
from whet.testing.model_server.call import ToolCall
from whet.testing.model_server.part import Part

StopReason = Literal["end", "tool", "length", "refusal"]
Seconds = Annotated[float, Field(ge=0, le=86_400)]
Count = Annotated[int, Field(ge=0)]


class Tokens(Part):
    """What an answer is said to have consumed."""

    input: Count = 100
    """Without those read from or written to a cache."""
    output: Count = 10
    """With those of reasoning."""
    cache_read: Count = 0
    cache_write: Count = 0
    reasoning: Count = 0

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        if self.reasoning > self.output:
            raise ValueError("reasoning tokens are part of the output and cannot be more")
        return self

    @property
    def prompt(self) -> int:
        """All tokens that went in, cached or not."""
        return self.input + self.cache_read + self.cache_write


class Problem(Part):
    """An HTTP error instead of an answer."""

    status: Annotated[int, Field(ge=400, le=599)]
    type: Filled | None = None
    """The protocol's name of the error; by default the one that belongs to the status."""
    message: str = "the script says so"
    retry_after: Count | None = None
    """Seconds, as a header; Gemini has them in the body too."""


class Answer(Part):
    """What the model says once."""

    text: str | Items[str] = ""
    """A list is streamed piece by piece."""
    thinking: str = ""
    calls: Items[ToolCall] = ()
    usage: Tokens = Tokens()
    stop: StopReason | None = None
    """By default ``tool`` if there are calls, else ``end``."""
    error: Problem | None = None
    delay: Seconds = 0
    """Before the headers."""
    chunk_delay: Seconds = 0
    """Between two chunks of a stream."""
    hang: bool = False
    """Never answers; together with ``cut`` the stream stays open after its last chunk."""
    cut: Count | None = None
    """A stream ends after so many chunks, and in any case before its last."""

    @model_validator(mode="after")
    def _is_answer_or_error(self) -> Self:
        beside = self.model_fields_set - {"error", "delay"}
        if self.error and beside:
            raise ValueError(f"an error may have a delay, but no {min(beside)}")
        return self

    @property
    def pieces(self) -> tuple[str, ...]:
        """The text as it is streamed."""
        pieces = (self.text,) if isinstance(self.text, str) else self.text
        return tuple(piece for piece in pieces if piece)

    @property
    def full_text(self) -> str:
        """The text in one piece."""
        return "".join(self.pieces)

    @property
    def stops(self) -> StopReason:
        """Why the answer ends."""
        return self.stop or ("tool" if self.calls else "end")


class Turn(Answer):
    """The model's n-th answer in a conversation.

    With ``hits`` the first request gets the first of them, the second the next, and the last
    one stays. Nothing else may stand beside them.
    """

    hits: Items[Answer] = ()

    @model_validator(mode="after")
    def _is_hits_or_answer(self) -> Self:
        if self.hits and self.model_fields_set != {"hits"}:
            raise ValueError("a turn with hits has nothing else: put it into one of the hits")
        return self

    def on(self, hit: int) -> Answer:
        """The answer to the request number *hit*, from 0."""
        return self.hits[min(hit, len(self.hits) - 1)] if self.hits else self


class Conversation(Part):
    """Turns for requests whose user text has the marker in it.

    One that goes on after its last turn gets that turn again, or a plain text if it calls a tool.
    """

    marker: Filled
    turns: Items[Turn]

    @model_validator(mode="after")
    def _has_a_turn(self) -> Self:
        # A minimum length of the field would complain a second time about every other mistake.
        if not self.turns:
            raise ValueError("a conversation needs at least one turn")
        return self


class Script(Part):
    """Everything a scripted model knows."""

    conversations: Items[Conversation] = ()
    default: Items[Turn] = ()
    """For requests without a marker. Empty: ``OK``, or a JSON value when the request asks
    for one."""
    models: Items[Filled] = ("scripted-model",)
    """What a list of models names; a request may name any other."""

    @model_validator(mode="after")
    def _has_a_model_and_each_marker_once(self) -> Self:
        if not self.models:
            raise ValueError("a script needs the name of at least one model")
        markers = [conversation.marker for conversation in self.conversations]
        if twice := [marker for marker in markers if markers.count(marker) > 1]:
            raise ValueError(f"two conversations have the marker {twice[0]!r}")
        return self

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a file; raises ``NotFound`` or an ``InvalidDocument`` that names the place."""
        return cls.parse(read_json(path), str(path))

    @classmethod
    def parse(cls, data: JsonValue, source: str) -> Self:
        """Check a JSON value; *source* is its name in error messages."""
        try:
            return cls.model_validate(data)
        except ValidationError as error:
            raise InvalidDocument(source, *complaint(error, data)) from None
