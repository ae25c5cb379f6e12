"""What clients ask beside answers: which models there are, and how long a text is."""

from collections.abc import Sequence

from whet.testing.model_server.call import WireName
from whet.testing.model_server.wire import JsonObject

BYTES_PER_TOKEN = 4


def token_count(wire: WireName, body: bytes) -> JsonObject:
    """A rough count that grows with the request."""
    count = len(body) // BYTES_PER_TOKEN + 1
    return {"totalTokens": count} if wire == "gemini" else {"input_tokens": count}


def model_list(wire: WireName, names: Sequence[str]) -> JsonObject:
    """The list of models; Anthropic's and OpenAI's have the same path, so this is both."""
    models = [one_model(wire, name) for name in names]
    if wire == "gemini":
        return {"models": [*models]}
    return {
        "object": "list",
        "data": [*models],
        "has_more": False,
        "first_id": names[0] if names else None,
        "last_id": names[-1] if names else None,
    }


def one_model(wire: WireName, name: str) -> JsonObject:
    """One model."""
    if wire == "gemini":
        methods: JsonObject = {"supportedGenerationMethods": ["generateContent", "countTokens"]}
        limits: JsonObject = {"inputTokenLimit": 1_000_000, "outputTokenLimit": 65_536}
        return {"name": f"models/{name}", "displayName": name, **methods, **limits}
    return {
        "id": name,
        "object": "model",
        "type": "model",
        "display_name": name,
        "created": 0,
        "created_at": "1970-01-01T00:00:00Z",
        "owned_by": "whet",
    }
