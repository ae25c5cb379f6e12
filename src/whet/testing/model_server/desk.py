"""Decide what a request gets."""

import threading
from collections import Counter
from dataclasses import replace

from whet.core.errors import InvalidDocument
from whet.testing.model_server.dialogue import Place, find
from whet.testing.model_server.listing import model_list, one_model, token_count
from whet.testing.model_server.log import LoggedRequest, RequestLog
from whet.testing.model_server.response import Response, answered, plain, refused
from whet.testing.model_server.route import Route, route
from whet.testing.model_server.schema import example
from whet.testing.model_server.script import Answer, Problem, Script
from whet.testing.model_server.tools import put
from whet.testing.model_server.wire import Asked, Reply, encoded

EXHAUSTED = "The script has no further turn."


class Desk:
    """Answers by the script and keeps the log. Thread-safe."""

    def __init__(self, script: Script, log: RequestLog) -> None:
        self._script = script
        self._log = log
        self._lock = threading.Lock()
        self._hits: Counter[tuple[int | None, int]] = Counter()

    def receive(
        self, request: LoggedRequest, fault: Problem | None = None
    ) -> tuple[Response, LoggedRequest]:
        """The response, and the request with what was decided about it.

        *fault* is what was wrong with the request before anybody looked into its body.
        """
        way = route(request.method, request.path)
        if not self._log.admit():
            message = "the scripted model takes no more requests, its limit is reached"
            response = refused(way.wire, Problem(status=429, message=message))
            return response, replace(request, status=response.status)
        if fault:
            response = refused(way.wire, fault)
        elif way.want == "answer":
            response, request = self._answered(way, replace(request, wire=way.wire.NAME))
        else:
            response = self._aside(way, request)
        request = replace(request, status=response.status)
        self._log.add(request)
        return response, request

    def _answered(self, way: Route, request: LoggedRequest) -> tuple[Response, LoggedRequest]:
        try:
            data = request.json
        except InvalidDocument as error:
            return refused(way.wire, Problem(status=400, message=str(error))), request
        if not isinstance(data, dict):
            message = "the body must be a JSON object"
            return refused(way.wire, Problem(status=400, message=message)), request
        asked = way.wire.understood(data | way.said)
        place = find(self._script, asked.dialogue)
        hit = self._hit(place)
        answer = _scripted(place, hit, asked)
        reply = Reply(
            id=f"{'default' if place.number is None else f'c{place.number}'}_t{place.turn}",
            model=asked.model,
            answer=answer,
            calls=tuple(put(call, way.wire.NAME, asked.tools) for call in answer.calls),
        )
        response = answered(way.wire, reply, stream=asked.stream)
        return response, replace(request, marker=place.marker, turn=place.turn, hit=hit)

    def _hit(self, place: Place) -> int:
        key = (place.number, place.turn)
        with self._lock:
            self._hits[key] += 1
            return self._hits[key] - 1

    def _aside(self, way: Route, request: LoggedRequest) -> Response:
        wire = way.wire
        match way.want:
            case "token count":
                return plain(token_count(wire.NAME, request.body or b""))
            case "models":
                return plain(model_list(wire.NAME, self._script.models))
            case "model":
                return plain(one_model(wire.NAME, str(way.said["model"])))
            case "sign of life":
                return plain({})
            case _:
                message = f"the scripted model does not know {request.method} {request.path}"
                return refused(wire, Problem(status=404, message=message))


def _scripted(place: Place, hit: int, asked: Asked) -> Answer:
    if place.turn < len(place.turns):
        return place.turns[place.turn].on(hit)
    if place.turns:
        last = place.turns[-1].on(hit)
        # A refusal stays one however often it is asked again; a tool call would never end.
        return Answer(text=EXHAUSTED) if last.calls else last
    if asked.schema is not None:
        return Answer(text=encoded(example(asked.schema)).decode())
    return Answer(text="OK")
