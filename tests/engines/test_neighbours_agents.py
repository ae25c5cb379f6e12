"""Real agents with two competing skills: both are offered, and the one taken up is reported."""

import asyncio
from pathlib import Path

import pytest

from tests.engines.driving import Bench, Run, Subject, bench, each_engine
from whet.core.errors import UsageError
from whet.core.trial import TrialSpec
from whet.testing.model_server import Conversation, NativeCall, Script, ToolCall, Turn

pytestmark = pytest.mark.slow

DONE = Turn(text="Done.")


def loads(name: str) -> Turn:
    """Codex has no tool for skills: its model reads the file, whose place it is told."""
    command = f'cat "$CODEX_HOME/skills/{name}/SKILL.md"'
    by_shell = NativeCall(tool="exec_command", arguments={"cmd": command})
    call = ToolCall(action="skill", arguments={"name": name}, native={"responses": by_shell})
    return Turn(calls=(call,))


SCRIPT = Script(
    conversations=(
        Conversation(marker="TAKE-OWN", turns=(loads("greet"), DONE)),
        Conversation(marker="TAKE-OTHER", turns=(loads("scold"), DONE)),
        Conversation(marker="TAKE-NONE", turns=(DONE,)),
        Conversation(marker="TAKE-BARE", turns=(loads("scold"), DONE)),
    )
)
EXPECTED = {"TAKE-OWN": ["greet"], "TAKE-OTHER": ["scold"], "TAKE-NONE": [], "TAKE-BARE": ["scold"]}


def skill(name: str, manner: str) -> dict[str, str]:
    front = f"---\nname: {name}\ndescription: {name.title()}s people in the manner of {manner}\n---"
    return {"SKILL.md": f"{front}\nThe secret of {name} is {manner.upper()}.\n"}


def specs(made: Bench, subject: Subject) -> dict[str, TrialSpec]:
    own = made.package(skill("greet", "Zanzibar"), "library-greet")
    other = made.package(skill("scold", "Timbuktu"), "library-scold")
    agent = subject.engine(made)
    plain = {
        marker: made.spec(agent, f"{marker}, please.", model=subject.model, skill=own)
        for marker in ("TAKE-OWN", "TAKE-OTHER", "TAKE-NONE")
    }
    plain["TAKE-BARE"] = made.spec(agent, "TAKE-BARE, please.", model=subject.model)
    return {
        marker: one.model_copy(update={"neighbours": (other,)}) for marker, one in plain.items()
    }


def runs_of(made: Bench, subject: Subject) -> dict[str, Run]:
    agent, room = subject.engine(made), asyncio.Semaphore(2)

    async def one(spec: TrialSpec) -> Run:
        async with room:
            return await made.driven(agent, spec)

    async def every() -> dict[str, Run]:
        wanted = specs(made, subject)
        found = await asyncio.gather(*map(one, wanted.values()))
        return dict(zip(wanted, found, strict=True))

    return asyncio.run(every())


@each_engine
def test_both_are_offered_and_the_one_taken_up_is_reported(
    subject: Subject, tmp_path: Path
) -> None:
    with bench(tmp_path, SCRIPT) as made:
        runs = runs_of(made, subject)
        sent = {
            marker: "\n".join((r.body or b"").decode() for r in made.server.requests_for(marker))
            for marker in runs
        }
    for marker, run in runs.items():
        assert run.ended.failure is None, (marker, run.steps)
        assert run.skills == EXPECTED[marker], marker
        assert run.outputs == {}
        # The model is told of both before it decides; without the one on trial, of the other.
        assert "in the manner of Timbuktu" in sent[marker]
        assert ("in the manner of Zanzibar" in sent[marker]) is (marker != "TAKE-BARE")
    # Only what is taken up is read.
    assert "is ZANZIBAR" in sent["TAKE-OWN"]
    assert "is TIMBUKTU" not in sent["TAKE-OWN"]
    assert "is TIMBUKTU" in sent["TAKE-OTHER"]
    assert "is ZANZIBAR" not in sent["TAKE-OTHER"]
    assert "is ZANZIBAR" not in sent["TAKE-NONE"]


@each_engine
def test_two_of_one_name_are_refused_before_the_program_starts(
    subject: Subject, tmp_path: Path
) -> None:
    with bench(tmp_path, SCRIPT) as made:
        own = made.package(skill("greet", "Zanzibar"), "library-greet")
        twin = made.package(skill("greet", "Timbuktu"), "library-twin")
        agent = subject.engine(made)
        spec = made.spec(agent, "TAKE-OWN", model=subject.model, skill=own)
        with pytest.raises(UsageError, match="called 'greet'"):
            made.drive(agent, spec.model_copy(update={"neighbours": (twin,)}))
        assert made.server.requests == ()
