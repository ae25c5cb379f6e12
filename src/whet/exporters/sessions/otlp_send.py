"""Sending traces to whoever collects them, over HTTP as OTLP has it.

It blocks, and ends in time whatever the other side does: the request is made in a thread, which is
left behind where it does not come back.
"""

import http.client
import json
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import cast
from urllib.parse import SplitResult

from pydantic import JsonValue

from whet.core.errors import EnvironmentProblem, UsageError
from whet.core.outbound import ANYWHERE, OutboundPolicy, web_address
from whet.exporters.outbound_http import outbound_connection
from whet.exporters.plain import line

PATH = "/v1/traces"
TIMEOUT_SECONDS = 30.0
"""For one request, from its beginning to its end."""

MOST_BYTES = 8_000_000
"""Of one request; collectors take 20 MiB and some less, so a long trace is sent in several."""

MOST_ANSWER = 65_536
_LONGEST_NUMBER = 19


@dataclass(frozen=True, slots=True)
class Sent:
    """What came of it."""

    spans: int
    rejected: int = 0
    message: str = ""
    """What the other side had to say."""


def send(
    text: str,
    endpoint: str,
    headers: Mapping[str, str] | None = None,
    timeout: float = TIMEOUT_SECONDS,
    policy: OutboundPolicy = ANYWHERE,
) -> Sent:
    """Send what ``OtlpExporter`` wrote to *endpoint*, with ``/v1/traces`` if it has no such path.

    Nobody else is asked: redirects are not followed, and no proxy is used. Raises ``UsageError``
    for an endpoint that is none, ``EnvironmentProblem`` where it does not take the spans. Neither
    tells *headers*, which may have a key."""
    place = _place(endpoint, policy)
    sent = rejected = 0
    said = ""
    for spans, body in _requests(text):
        answer = _within(
            outbound_connection(place, timeout, policy), place, body, dict(headers or {})
        )
        sent += spans
        rejected += answer.rejected
        said = said or answer.message
    return Sent(sent, rejected, said)


def _place(endpoint: str, policy: OutboundPolicy) -> SplitResult:
    try:
        web_address(endpoint, "endpoint")
    except UsageError:
        raise UsageError(
            "an endpoint is like http://localhost:4318, and a key goes into a header"
        ) from None
    place = policy.check(endpoint, "endpoint")
    if not _is_sent_as_it_is(place.path + place.query):
        raise UsageError("the endpoint's path has signs that must be written as %20 and such")
    path = place.path.rstrip("/")
    return place._replace(path=path if path.endswith(PATH) else path + PATH)


def _is_sent_as_it_is(path: str) -> bool:
    return path.isascii() and path.isprintable() and " " not in path


def _requests(text: str) -> Iterator[tuple[int, bytes]]:
    """The spans in as many requests as they need, and how many are in each."""
    whole = cast("dict[str, JsonValue]", json.loads(text))
    match whole:
        case {
            "resourceSpans": [
                {"resource": resource, "scopeSpans": [{"scope": scope, "spans": [*spans]}]}
            ]
        }:
            pass
        case _:
            raise UsageError("these are no traces of a session")
    written = [json.dumps(span, separators=(",", ":")) for span in spans]
    around = json.dumps({"resource": resource, "scopeSpans": [{"scope": scope, "spans": []}]})
    before, _, after = around.rpartition("[]")
    batch: list[str] = []
    size = 0
    for span in [*written, None]:
        if batch and (span is None or size + len(span) > MOST_BYTES):
            body = f'{{"resourceSpans":[{before}[{",".join(batch)}]{after}]}}'
            yield len(batch), body.encode()
            batch, size = [], 0
        if span is not None:
            batch.append(span)
            size += len(span) + 1


def _within(
    made: http.client.HTTPConnection, place: SplitResult, body: bytes, headers: dict[str, str]
) -> Sent:
    found: list[Sent | str] = []
    timeout = made.timeout or TIMEOUT_SECONDS

    def post() -> None:
        found.append(_post(made, place, body, headers))

    worker = threading.Thread(target=post, daemon=True, name="whet-otlp")
    worker.start()
    worker.join(timeout)
    name = line(f"{place.scheme}://{place.netloc}{place.path}", 200)
    if not found:
        made.close()
        raise EnvironmentProblem(f"{name} did not answer within {timeout:g} s")
    if isinstance(answer := found[0], str):
        raise EnvironmentProblem(f"{name} {answer}")
    return answer


def _post(
    connection: http.client.HTTPConnection,
    place: SplitResult,
    body: bytes,
    headers: dict[str, str],
) -> Sent | str:
    """What came of it, or what went wrong."""
    path = f"{place.path}?{place.query}" if place.query else place.path
    sent = {**headers, "Content-Type": "application/json", "User-Agent": "whet"}
    try:
        connection.request("POST", path, body, sent)
        response = connection.getresponse()
        answer = response.read(MOST_ANSWER)
    except (OSError, http.client.HTTPException) as error:
        return f"could not be reached: {line(str(error), 200) or type(error).__name__}"
    except ValueError:
        # What the library says of it has the header in it.
        return "was not asked: a header has signs that no header may have"
    finally:
        connection.close()
    if not HTTPStatus.OK <= response.status < HTTPStatus.MULTIPLE_CHOICES:
        return f"answered {response.status}{_reason(answer)}"
    return _partial(answer)


def _reason(answer: bytes) -> str:
    match _read(answer):
        case {"message": str(message)} if message:
            return f": {line(message, 200)}"
        case _:
            return ""


def _partial(answer: bytes) -> Sent:
    """A collector may take some spans only, and say so."""
    match _read(answer):
        case {"partialSuccess": dict(partial)}:
            rejected = str(partial.get("rejectedSpans", 0))
            message = line(str(partial.get("errorMessage", "")), 500)
            is_number = rejected.isdecimal() and len(rejected) <= _LONGEST_NUMBER
            return Sent(0, int(rejected) if is_number else 0, message)
        case _:
            return Sent(0)


def _read(answer: bytes) -> JsonValue:
    try:
        return cast("JsonValue", json.loads(answer))
    except (ValueError, RecursionError):
        return None
