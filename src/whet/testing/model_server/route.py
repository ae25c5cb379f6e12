"""What a method and a path ask for, and in which protocol."""

from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import unquote, urlsplit

from whet.testing.model_server import anthropic, chat, gemini, responses
from whet.testing.model_server.wire import JsonObject, Wire

Want = Literal["answer", "token count", "models", "model", "sign of life", "nothing known"]


@dataclass(frozen=True, slots=True)
class Route:
    """What is wanted; *said* is what the path says and other protocols say in the body."""

    wire: Wire
    want: Want
    said: JsonObject = field(default_factory=JsonObject)


def route(method: str, path: str) -> Route:
    """Read the first line of a request."""
    segments = [unquote(part) for part in urlsplit(path).path.split("/") if part]
    match method, segments:
        case "POST", ["v1", "messages"]:
            return Route(anthropic, "answer")
        case "POST", ["v1", "messages", "count_tokens"]:
            return Route(anthropic, "token count")
        case "POST", ["v1", "responses"]:
            return Route(responses, "answer")
        case "POST", ["v1", "chat", "completions"]:
            return Route(chat, "answer")
        case "POST", ["v1" | "v1beta", "models", call]:
            return _gemini(call)
        case "GET", ["v1" | "v1beta" as version, "models", *names]:
            return _listing(gemini if version == "v1beta" else chat, names)
        case "GET" | "HEAD", []:
            return Route(chat, "sign of life")
        case _:
            return Route(chat, "nothing known")


def _gemini(call: str) -> Route:
    model, _, verb = call.partition(":")
    match verb:
        case "generateContent" | "streamGenerateContent":
            stream = verb == "streamGenerateContent"
            return Route(gemini, "answer", {"model": model, "stream": stream})
        case "countTokens":
            return Route(gemini, "token count")
        case _:
            return Route(gemini, "nothing known")


def _listing(wire: Wire, names: list[str]) -> Route:
    return Route(wire, "model", {"model": "/".join(names)}) if names else Route(wire, "models")
