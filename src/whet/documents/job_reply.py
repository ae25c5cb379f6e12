"""Replies to the questions of an agent that does a job."""

from pydantic import ConfigDict, JsonValue

from whet.core.value import LARGEST_NUMBER
from whet.documents.base import Document, Filled, Items
from whet.documents.job import Whole

_A_WHOLE: JsonValue = {"type": "integer", "minimum": -LARGEST_NUMBER, "maximum": LARGEST_NUMBER}
_NAMED: JsonValue = [
    {"required": [name], "properties": {name: _A_WHOLE}} for name in ("interaction_id", "id")
]


class InteractionReply(Document):
    """The body of a reply to an agent's question, which ``interaction_id`` or ``id`` names."""

    model_config = ConfigDict(json_schema_extra={"anyOf": _NAMED})

    interaction_id: Whole | None = None
    id: Whole | None = None
    response: JsonValue = None
    idempotency_key: str | None = None


class Binding(Document):
    """Which of the files of a reply is for which slot."""

    slot: Filled
    file_index: int


class ReplyFiles(Document):
    """What comes along with the files of a reply; the question is named as in other replies."""

    interaction_id: int | None = None
    id: int | None = None
    bindings: Items[Binding]
    message: str | None = None
    idempotency_key: str | None = None
