"""Asking a model over HTTP, all the way: the engine is the real one, the model is scripted."""

import asyncio
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.run.agents import OneEngine, runner
from whet.core.case import Limits
from whet.core.errors import AskFailure
from whet.engines.api import ApiEngine
from whet.ports.ask import Query, Reply
from whet.ports.machine import Machine
from whet.ports.store import Store
from whet.run.ask import TrialAsk
from whet.testing.model_server import Answer, Conversation, ModelServer, Problem, Script, Turn

pytestmark = pytest.mark.slow  # loading the libraries of a provider takes seconds

NUMBERS: dict[str, JsonValue] = {"type": "array", "items": {"type": "integer"}, "minItems": 1}
POINT: dict[str, JsonValue] = {
    "type": "object",
    "properties": {"x": {"type": "integer", "minimum": 3}},
    "required": ["x"],
}
LIMITS = Limits(timeout_seconds=600)
SCRIPT = Script(
    conversations=(
        Conversation(
            marker="COUNT",
            turns=(Turn(hits=(Answer(text="[1, 2,]"), Answer(text="Sorry: [1, 2]"))),),
        ),
        Conversation(marker="LOCKED", turns=(Turn(error=Problem(status=401)),)),
    )
)


@pytest.fixture
def server() -> Generator[ModelServer]:
    with ModelServer(SCRIPT) as made:
        yield made


@pytest.fixture
def ask(server: ModelServer, store: Store, scratch: Path, tmp_path: Path) -> TrialAsk:
    environment = {"OPENAI_API_KEY": "key-of-openai", "OPENAI_BASE_URL": f"{server.url}/v1"}
    made, _ = runner(store, scratch)
    return TrialAsk(replace(made, parts=OneEngine(ApiEngine(Machine(environment, tmp_path)))))


def test_a_broken_answer_is_mended_by_the_model(ask: TrialAsk, server: ModelServer) -> None:
    question = Query("COUNT to two.", "api", "openai:gpt-5", NUMBERS, LIMITS)

    async def twice() -> tuple[Reply, Reply]:
        return await ask(question), await ask(question)

    reply, again = asyncio.run(twice())
    assert (reply.value, reply.text, reply.repaired) == ([1, 2], "Sorry: [1, 2]", True)
    assert reply.usage.input_tokens == 200
    assert again == reply
    assert len(server.requests) == 2
    assert "[1, 2,]" in str(server.requests[1].json)


def test_a_schema_goes_to_the_service_and_its_limits_are_checked_here(
    ask: TrialAsk, server: ModelServer
) -> None:
    question = Query("Where?", "api", "openai:gpt-5", POINT, LIMITS)
    assert asyncio.run(ask(question)).value == {"x": 3}
    [request] = server.requests
    assert "json_schema" in str(request.json)


def test_a_locked_door_is_a_failure_of_the_engine(ask: TrialAsk, server: ModelServer) -> None:
    with pytest.raises(AskFailure, match="401") as caught:
        asyncio.run(ask(Query("LOCKED", "api", "openai:gpt-5", None, LIMITS)))
    assert caught.value.kind == "engine"
    assert len(server.requests) == 1
