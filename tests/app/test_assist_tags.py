"""Automatic tags in the library: proposed, logged, told as they come, and never lost."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.app.assisting import Answer, assisting, logs, pending, says, sessions
from tests.app.opening import fill
from tests.app.recording import hand
from tests.curate.shelves import add_skill, identity
from tests.flows.command import executions
from tests.run.agents import ScriptedAgent, Waiting
from whet.app.library.assist import Assistant
from whet.app.library.assist_tags import MOST, AutoTags, TagBatch
from whet.app.library.library import library
from whet.app.watch import watch
from whet.core.budget import NO_LIMITS, Purse
from whet.core.errors import NotFound, UsageError
from whet.core.step import Step
from whet.core.trial import TrialSpec
from whet.curate import tags
from whet.curate.tag_logs import ABANDONED
from whet.documents.assets import AutoTagLog
from whet.ports.workdir import Workdir

NONSENSE = "no idea what you mean"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    fill(tmp_path / "workspace")
    return tmp_path / "workspace"


def tagged(assistant: Assistant, *references: str, engine: str | None = "hand") -> TagBatch:
    tagging = AutoTags(assistant)
    return asyncio.run(tagging.run(tagging.batch(references, assistant.how(engine))))


def agent(answer: Answer) -> ScriptedAgent:
    return hand(says(answer))


def by_name(**answers: JsonValue) -> Answer:
    """An answer for each asset, by a word that its question has."""

    def answer(prompt: str) -> JsonValue:
        return next(answers[name] for name in answers if name in prompt)

    return answer


def kinds(assistant: Assistant, identity: str) -> list[str]:
    return [event.kind for event in assistant.app.store.events.since(0, identity)]


@pytest.mark.parametrize("kind", ["skill", "baseline"])
def test_without_a_model_words_of_the_text_are_proposed(kind: str, workspace: Path) -> None:
    is_skill = kind == "skill"
    names = ("Writer", "Author") if is_skill else ("Tests",)
    with assisting(workspace, kind="skill" if is_skill else "baseline") as assistant:
        done = tagged(assistant, *names, engine=None)
        entry = assistant.library.entry(names[0])
        assert entry.pending_tag_count == len(done.assets[0].tags) > 0, "lists know of it"
        assert entry.tags == ()
        assert kinds(assistant, done.id) == [
            "auto_tag.started",
            *("auto_tag.settled" for _ in names),
            "auto_tag.finished",
        ]
    assert (done.status, done.simulated, done.engine, done.tokens) == (
        "completed",
        True,
        "simulated",
        0,
    )
    for asset in done.assets:
        assert (asset.status, asset.error) == ("completed", None)
        assert pending(workspace, asset.name) == [*asset.tags]
        [log] = logs(workspace, asset.name)
        assert (log.simulated, log.target_type, log.target_id) == (True, kind, asset.id)
        assert log.triggered_by == ("batch" if is_skill else "user")
    assert sessions(workspace) == {"closed"}


def test_a_model_is_asked_and_what_it_took_is_told(workspace: Path) -> None:
    engine = agent(by_name(docstring={"tags": ["python", "Docs"]}, brief={"tags": ["short"]}))
    with assisting(workspace, engine) as assistant:
        tags.add(workspace, identity("Writer"), "Python", assistant.app.clock.now())
        done = tagged(assistant, "Writer", identity("Author")[:6])
    assert [(asset.name, asset.tags) for asset in done.assets] == [
        ("Writer", ("Docs",)),
        ("Author", ("short",)),
    ]
    assert (done.simulated, done.model, done.failed) == (False, "default", 0)
    assert (done.tokens, done.cost_usd) == (30, 0.5)
    assert pending(workspace, "Writer") == ["Docs"]
    [log] = logs(workspace, "Writer")
    assert (log.status, log.cli_version, log.model_version) == ("completed", "1", "default")
    assert log.raw_output == '{"tags": ["python", "Docs"]}'


def test_who_is_asked_again_is_told_what_is_there(workspace: Path) -> None:
    answers: list[JsonValue] = [{"tags": ["one"]}, {"tags": ["One", "two"]}]
    prompts: list[str] = []

    def answer(prompt: str) -> JsonValue:
        prompts.append(prompt)
        return answers[len(prompts) - 1]

    with assisting(workspace, agent(answer)) as assistant:
        tagged(assistant, "Writer")
        [first] = tags.tags_of(workspace, identity("Writer")).auto
        now = assistant.app.clock.now()
        tags.review(workspace, identity("Writer"), [tags.Review(first.id, "reject")], now)
        assert tagged(assistant, "Writer").assets[0].tags == ("two",)
    assert "propose others.\n\n~~~\none\n~~~" in prompts[1], "it had this one"
    assert pending(workspace, "Writer") == ["two"]


def test_nonsense_fails_for_one_and_touches_no_tag(workspace: Path) -> None:
    engine = agent(by_name(docstring=NONSENSE, brief={"tags": ["short"]}))
    with assisting(workspace, engine) as assistant:
        tags.add(workspace, identity("Writer"), "mine", assistant.app.clock.now())
        folder = assistant.library.version("Writer").folder
        before = (folder / "tags.json").read_bytes()
        done = tagged(assistant, "Writer", "Author")
        assert (folder / "tags.json").read_bytes() == before
    assert (done.status, done.failed) == ("completed", 1)
    assert [asset.status for asset in done.assets] == ["failed", "completed"]
    assert "no usable answer from hand" in (done.assets[0].error or "")
    [log] = logs(workspace, "Writer")
    assert (log.status, log.raw_output, log.parsed_tags) == ("failed", NONSENSE, ())
    assert log.error == done.assets[0].error
    assert pending(workspace, "Author") == ["short"]
    assert sessions(workspace) == {"closed"}
    assert len(engine.starts) == 3, "nonsense was asked for once more"


def test_an_asset_that_is_edited_meanwhile_gets_the_tags_in_its_newest_version(
    workspace: Path,
) -> None:
    def edits(_prompt: str) -> JsonValue:
        with library(workspace, "skill") as shelf:
            shelf.edit("Writer", {"content": "Another text.", "purpose": "prose"}, "v1")
        return {"tags": ["new"]}

    with assisting(workspace, agent(edits)) as assistant:
        tagged(assistant, "Writer")
        assert assistant.library.entry("Writer").meta.version == "v2"
    assert pending(workspace, "Writer") == ["new"]
    for version in (0, 1):
        assert [log.status for log in logs(workspace, "Writer", version)] == ["completed"]


def test_what_cannot_be_read_or_written_fails_alone(workspace: Path) -> None:
    gone = add_skill(workspace, "Gone")
    full = add_skill(workspace, "Full")
    with assisting(workspace, agent(lambda _prompt: {"tags": ["x"]})) as assistant:
        (gone / "content.txt").unlink()
        (full / "tags.json").write_text("broken")
        done = tagged(assistant, "Gone", "Full", "Writer")
    assert [(asset.name, asset.status) for asset in done.assets] == [
        ("Gone", "failed"),
        ("Full", "failed"),
        ("Writer", "completed"),
    ]
    assert "content.txt" in (done.assets[0].error or "")
    assert "tags.json" in (done.assets[1].error or "")
    assert (full / "tags.json").read_text() == "broken"


@pytest.mark.slow
def test_who_is_meant_is_known_before_anybody_is_asked(workspace: Path) -> None:
    engine = agent(lambda _prompt: {"tags": ["x"]})
    with assisting(workspace, engine) as assistant:
        tagging, asked = AutoTags(assistant), assistant.how("hand")
        twice = tagging.batch(["Writer", identity("Writer"), "Author"], asked)
        assert [name for _, name in twice.assets] == ["Writer", "Author"]
        with pytest.raises(NotFound):
            tagging.batch(["Writer", "nobody"], asked)
        with pytest.raises(UsageError, match="no asset"):
            tagging.batch([], asked)
        with pytest.raises(NotFound):
            tagging.get("nothing")
        for number in range(MOST + 1):
            add_skill(workspace, f"s{number}")
        assistant.library.index.refresh()
        every = tagging.every(untagged=False)
        assert len(every) == len({*every}) == MOST + 3, "more than a page"
        with pytest.raises(UsageError, match=f"at most {MOST}"):
            tagging.batch(every, asked)
        tags.add(workspace, identity("s1"), "mine", assistant.app.clock.now())
        tagged(assistant, "s2", engine=None)
        assert {*every} - {*tagging.every(untagged=True)} == {identity("s1"), identity("s2")}
    assert not engine.starts


def test_somebody_who_stops_it_finds_logs_that_say_so_and_pays_for_nothing_twice(
    workspace: Path,
) -> None:
    waiting, answers = Waiting(), says(lambda _prompt: {"tags": ["good"]})

    async def script(spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
        chosen = waiting if "brief" in spec.stimulus.prompt else answers
        async for step in chosen(spec, workdir):
            yield step

    async def stopped(assistant: Assistant) -> str:
        tagging = AutoTags(assistant)
        batch = tagging.batch(["Writer", "Author"], assistant.how("hand"))
        work = asyncio.ensure_future(tagging.run(batch))
        await waiting.begun.wait()
        async for news in watch(assistant.app.store.events, 0, batch.id):
            if any(event.kind == "auto_tag.settled" for event in news):
                break
        assert tagging.get(batch.id).status == "running"
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        return batch.id

    with assisting(workspace, hand(script)) as assistant:
        identity = asyncio.run(stopped(assistant))
        state = AutoTags(assistant).get(identity)
        assert kinds(assistant, identity)[-1] == "auto_tag.interrupted"
    assert (state.status, state.error) == ("interrupted", None)
    assert [asset.status for asset in state.assets] == ["completed", "waiting"]
    [log] = logs(workspace, "Author")
    assert (log.status, log.error) == ("failed", "stopped before there was an answer")
    assert sessions(workspace) == {"closed"}
    with assisting(workspace, hand(answers)) as assistant:
        assert AutoTags(assistant).get(identity) == state
        assert tagged(assistant, "Author").assets[0].tags == ("good",)
    assert not [outcome for _, outcome in executions(workspace) if outcome is None]


def test_what_a_process_left_when_it_died_is_put_right_by_the_next(workspace: Path) -> None:
    engine = agent(lambda _prompt: {"tags": ["good"]})
    with assisting(workspace, engine) as gone:
        tagging = AutoTags(gone)
        batch = tagging.batch(["Writer", "Author"], gone.how("hand"))
        gone.claim(tagging._run(batch, Purse(NO_LIMITS)), tagging._start(batch))
        session = gone.sessions().begin("auto_tag", "skill", identity("Writer"))
        assert tagging.get(batch.id).status == "running"
        with assisting(workspace) as other:
            assert AutoTags(other).get(batch.id).status == "running", "seen from elsewhere"
        log = AutoTagLog(
            session_id=session.session_id,
            triggered_at=session.created_at,
            triggered_by="batch",
            target_type="skill",
            target_id=identity("Writer"),
            status="running",
            duration_ms=0,
            cli_version="1",
            model_version="default",
            raw_output="",
            parsed_tags=(),
            error=None,
        )
        name = "auto_tag_log/session_20200101000000.json"
        tags.keep_log(workspace, identity("Writer"), name, log)
        assert tagged(gone, "Writer").failed == 0
        assert [one.status for one in logs(workspace, "Writer")] == ["running", "completed"]
    with assisting(workspace, engine) as assistant:
        state = AutoTags(assistant).get(batch.id)
        assert (state.status, state.ended_at) == ("interrupted", None)
        tagged(assistant, "Writer")
    first, *others = logs(workspace, "Writer")
    assert (first.status, first.error, first.raw_output) == ("failed", ABANDONED, ABANDONED)
    assert {one.status for one in others} == {"completed"}


def test_batches_of_skills_are_none_of_baselines(workspace: Path) -> None:
    with assisting(workspace) as assistant:
        done = tagged(assistant, "Writer", engine=None)
    with assisting(workspace, kind="baseline") as other, pytest.raises(NotFound):
        AutoTags(other).get(done.id)
