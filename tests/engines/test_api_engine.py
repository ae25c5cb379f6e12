"""Models behind an API, asked for real over every protocol; the model is the scripted one."""

import asyncio
from collections.abc import Generator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from whet.core.address import digest_bytes, digest_tree
from whet.core.arm import SkillPackage
from whet.core.case import Limits, Stimulus
from whet.core.errors import EngineFailure, UsageError
from whet.core.failure import Failure
from whet.core.files import FileRef
from whet.core.step import Ended, Said, Spent, Step
from whet.core.trial import TrialSpec
from whet.engines.api import ApiEngine
from whet.ports.machine import Machine
from whet.ports.workdir import Workdir
from whet.testing.model_server import (
    Conversation,
    ModelServer,
    Problem,
    Script,
    Tokens,
    Turn,
)

pytestmark = [
    pytest.mark.slow,  # loading the libraries of three providers takes seconds
    pytest.mark.filterwarnings("ignore:.*invalid escape sequence"),  # in one of them
]

ANTHROPIC, OPENAI, CHAT, GOOGLE = (
    "anthropic:claude-sonnet-4-6",
    "openai:gpt-5",
    "openai-chat:gpt-4o",
    "google:gemini-2.5-flash",
)
MODELS = [ANTHROPIC, OPENAI, CHAT, GOOGLE]
OBJECT: dict[str, JsonValue] = {
    "type": "object",
    "properties": {"a": {"type": "integer"}},
    "required": ["a"],
    "additionalProperties": False,
}

TURNS = {
    "HELLO": Turn(
        text=("Hel", "lo."), usage=Tokens(input=100, output=20, cache_read=30, cache_write=5)
    ),
    "MUTE": Turn(text=""),
    "REFUSE": Turn(text="No.", stop="refusal"),
    "LENGTH": Turn(text="far too lo", stop="length"),
    "HANG": Turn(hang=True),
    "STALL": Turn(text=("one ", "two ", "three"), cut=4, hang=True),
    "CUT": Turn(text=("one ", "two ", "three"), cut=4),
    "E401": Turn(error=Problem(status=401, message="the key is wrong")),
    "E402": Turn(error=Problem(status=429, message="insufficient_quota: pay first")),
    "E429": Turn(error=Problem(status=429, message="slow down", retry_after=1)),
    "E500": Turn(error=Problem(status=500, message="oops")),
    "E529": Turn(error=Problem(status=529, message="overloaded")),
    "E404": Turn(error=Problem(status=404, message="no such model")),
    "E422": Turn(error=Problem(status=422, message="what is this\nsupposed to be")),
    "LONG": Turn(error=Problem(status=400, message="prompt is too long: 9 tokens > 8 maximum")),
}


@pytest.fixture
def server() -> Generator[ModelServer]:
    script = Script(
        conversations=tuple(
            Conversation(marker=name, turns=(turn,)) for name, turn in TURNS.items()
        )
    )
    with ModelServer(script) as made:
        yield made


@pytest.fixture
def engine(server: ModelServer, tmp_path: Path) -> ApiEngine:
    environment = {
        "ANTHROPIC_BASE_URL": server.url,
        "ANTHROPIC_API_KEY": "key-of-anthropic",
        "OPENAI_BASE_URL": f"{server.url}/v1/",
        "OPENAI_API_KEY": "key-of-openai",
        "GOOGLE_GEMINI_BASE_URL": server.url,
        "GEMINI_API_KEY": "key-of-google",
        "HTTPS_PROXY": "http://127.0.0.1:9",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "NO_PROXY": "example.com,127.0.0.1",
    }
    return ApiEngine(Machine(environment, tmp_path))


def spec(
    model: str,
    prompt: str,
    skill: SkillPackage | None = None,
    schema: dict[str, JsonValue] | None = None,
) -> TrialSpec:
    return TrialSpec(
        skill=skill,
        stimulus=Stimulus(prompt=prompt, limits=Limits(timeout_seconds=600)),
        engine="api",
        engine_version="1",
        model=model,
        options={"allowed_tools": [], "output_schema": schema},
    )


def folders(root: Path, skill: dict[str, str] | None = None) -> Workdir:
    (root / "work").mkdir()
    if skill is None:
        return Workdir(root, root / "work", None)
    for path, text in skill.items():
        target = root / "skill" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return Workdir(root, root / "work", root / "skill")


def asked(engine: ApiEngine, trial: TrialSpec, where: Workdir) -> list[Step]:
    async def collect() -> list[Step]:
        return [step async for step in engine.run(trial, where)]

    return asyncio.run(collect())


def ended(steps: list[Step]) -> Ended:
    [end] = [step for step in steps if isinstance(step, Ended)]
    assert steps[-1] is end
    return end


def sent(server: ModelServer) -> Any:
    [request] = server.requests
    return request.json


@pytest.mark.parametrize("model", MODELS)
def test_a_prompt_goes_in_and_text_comes_out(
    engine: ApiEngine, server: ModelServer, tmp_path: Path, model: str
) -> None:
    steps = asked(engine, spec(model, "HELLO there"), folders(tmp_path))
    end = ended(steps)
    assert (end.answer, end.failure, end.error, end.cut) == ("Hello.", None, None, False)
    assert [step.text for step in steps if isinstance(step, Said)] == ["Hello."]
    usage = end.usage
    # Two of the protocols have no word for tokens written to a cache.
    assert (usage.cache_read_tokens, usage.output_tokens) == (30, 20)
    assert usage.input_tokens + usage.cache_write_tokens == 105
    assert usage.total_tokens == 155
    assert usage.cost_usd is not None
    assert 0 < usage.cost_usd < 0.01
    assert [step for step in steps if isinstance(step, Spent)][-1].usage == usage
    [request] = server.requests
    key = f"key-of-{model.partition(':')[0].partition('-')[0]}"
    assert any(key in value for value in request.headers.values())


def test_nobody_knows_the_price_of_an_unknown_model(engine: ApiEngine, tmp_path: Path) -> None:
    end = ended(asked(engine, spec("anthropic:nobody-knows-it", "HELLO"), folders(tmp_path)))
    assert end.answer == "Hello."
    assert end.usage.cost_usd is None
    assert end.usage.input_tokens == 100


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    ("prompt", "kind"),
    [
        ("E401", Failure.AUTH),
        ("E402", Failure.AUTH),
        ("E429", Failure.RATE_LIMIT),
        ("E500", Failure.OVERLOAD),
        ("E529", Failure.OVERLOAD),
    ],
)
def test_troubles_are_sorted_and_not_tried_again(
    engine: ApiEngine, server: ModelServer, tmp_path: Path, model: str, prompt: str, kind: Failure
) -> None:
    with pytest.raises(EngineFailure) as caught:
        asked(engine, spec(model, prompt), folders(tmp_path))
    assert caught.value.kind is kind
    problem = TURNS[prompt].error
    assert problem is not None
    assert problem.message in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    assert len(server.requests) == 1


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("prompt", "said"), [("E404", "no such model"), ("E422", "what is this")])
def test_what_the_service_will_never_take_is_the_callers_mistake(
    engine: ApiEngine, server: ModelServer, tmp_path: Path, model: str, prompt: str, said: str
) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        asked(engine, spec(model, prompt), folders(tmp_path))
    assert repr(model.partition(":")[2]) in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    assert len(server.requests) == 1


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    ("prompt", "kind"),
    [("REFUSE", Failure.REFUSAL), ("LENGTH", Failure.CONTEXT), ("LONG", Failure.CONTEXT)],
)
def test_a_limit_of_the_model_is_its_answer(
    engine: ApiEngine, tmp_path: Path, model: str, prompt: str, kind: Failure
) -> None:
    end = ended(asked(engine, spec(model, prompt), folders(tmp_path)))
    assert end.failure is kind
    assert end.error
    assert end.cut == (prompt == "LENGTH")


@pytest.mark.parametrize("model", MODELS)
def test_an_answer_that_breaks_off_is_no_answer(
    engine: ApiEngine, server: ModelServer, tmp_path: Path, model: str
) -> None:
    try:
        failure = ended(asked(engine, spec(model, "CUT"), folders(tmp_path))).failure
    except EngineFailure as error:
        failure = error.kind
    assert failure is Failure.NETWORK
    assert len(server.requests) == 1


def test_a_server_that_is_not_there_is_a_network_trouble(tmp_path: Path) -> None:
    with ModelServer(Script()) as gone:
        url = gone.url
    environment = {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "key-of-anthropic"}
    with pytest.raises(EngineFailure) as caught:
        asked(ApiEngine(Machine(environment, tmp_path)), spec(ANTHROPIC, "?"), folders(tmp_path))
    assert caught.value.kind is Failure.NETWORK


@pytest.mark.parametrize("model", MODELS)
def test_a_model_that_hangs_can_be_left(
    engine: ApiEngine, server: ModelServer, tmp_path: Path, model: str
) -> None:
    where = folders(tmp_path)

    async def leave() -> None:
        async def work() -> list[Step]:
            return [step async for step in engine.run(spec(model, "HANG"), where)]

        task = asyncio.create_task(work())
        assert await asyncio.to_thread(server.wait_for, 1, 120)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(leave())
    assert len(server.requests) == 1


def test_what_is_used_up_is_told_before_the_end(engine: ApiEngine, tmp_path: Path) -> None:
    where = folders(tmp_path)

    async def first() -> Step:
        async with aclosing(engine.run(spec(ANTHROPIC, "STALL"), where)) as steps:
            return await anext(steps)

    step = asyncio.run(first())
    assert isinstance(step, Spent)
    assert step.usage.input_tokens == 100
    assert step.usage.cost_usd


def package(kind: Any, *paths: str) -> SkillPackage:
    refs = tuple(FileRef(path=path, digest=digest_bytes(b""), size=0) for path in paths)
    tree = digest_tree({ref.path: ref.digest for ref in refs})
    return SkillPackage(name="s", kind=kind, digest=tree, files=refs)


@pytest.mark.parametrize("model", MODELS)
def test_a_skill_is_the_system_prompt(
    engine: ApiEngine, server: ModelServer, tmp_path: Path, model: str
) -> None:
    markdown = "---\nname: s\ndescription: d\n---\nBe sharp.\n---\nAlways.\n"
    skill = package("package", "SKILL.md", "run.py")
    where = folders(tmp_path, {"SKILL.md": markdown, "run.py": "print(1)"})
    assert ended(asked(engine, spec(model, "HELLO", skill), where)).answer == "Hello."
    body = str(sent(server))
    assert "Be sharp.\\n---\\nAlways." in body
    assert "description: d" not in body
    assert "print(1)" not in body


def test_the_text_of_a_skill_goes_in_as_it_is(
    engine: ApiEngine, server: ModelServer, tmp_path: Path
) -> None:
    where = folders(tmp_path, {"content.txt": "---\nBe sharp."})
    asked(engine, spec(ANTHROPIC, "HELLO", package("text", "content.txt")), where)
    assert sent(server)["system"][0]["text"] == "---\nBe sharp."


@pytest.mark.parametrize("model", MODELS)
def test_a_schema_is_the_services_business_where_it_can(
    engine: ApiEngine, server: ModelServer, tmp_path: Path, model: str
) -> None:
    end = ended(asked(engine, spec(model, "a number please", schema=OBJECT), folders(tmp_path)))
    assert end.answer == '{"a":1}'
    assert "fits this JSON Schema" not in str(sent(server))


@pytest.mark.parametrize(
    ("model", "schema"), [(OPENAI, {"type": "array"}), ("anthropic:nobody-knows-it", OBJECT)]
)
def test_and_else_it_stands_in_words(
    engine: ApiEngine,
    server: ModelServer,
    tmp_path: Path,
    model: str,
    schema: dict[str, JsonValue],
) -> None:
    end = ended(asked(engine, spec(model, "HELLO", schema=schema), folders(tmp_path)))
    assert end.answer == "Hello."
    assert "fits this JSON Schema" in str(sent(server))
