"""Jobs of several turns: questions and replies, repairs, and what lies between the turns."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest

from tests.engines.contracting import REPORT, REPORT_FILE, RIVERS, Job, Json, skill
from tests.engines.simulation import spec
from whet.core.errors import EngineFailure, UsageError
from whet.core.failure import Failure
from whet.core.request import Reply, Request
from whet.core.step import Step
from whet.engines.simulated import SimulatedEngine

REPAIR = "Your last reply does not fit the output contract:\n\n- $.words: 'x' is no integer"
ASKS = """Read the file.
- Ask the user for the name of the reader.
- Then confirm with the user that the file is the right one.
- Ask the user to choose between short, long and very long.
- Ask the user to upload `notes.txt`.

Never ask the user for a password.
"""


def talk(text: str, schema: Json | None = REPORT) -> str:
    return skill(schema, mode="interactive", text=text)


def final(output: Json) -> Json:
    assert output["__SKILL_DONE__"] is True
    return {name: value for name, value in output.items() if name != "__SKILL_DONE__"}


def test_without_a_question_it_is_done_at_once(tmp_path: Path) -> None:
    job = Job(tmp_path / "job", talk("Count the words."))
    done = job.turn()
    assert final(done.output)["words"] == len(RIVERS.split())
    assert set(done.files) == {"report.md"}


def test_it_asks_one_thing_after_the_other_and_uses_the_replies(tmp_path: Path) -> None:
    job = Job(tmp_path / "job", talk(ASKS))
    first = job.turn()
    assert first.output == {
        "__SKILL_DONE__": False,
        "message": "Please give me the name of the reader.",
        "ui_hints": {
            "kind": "open_text",
            "prompt": "Please give me the name of the reader.",
            "hint": "In your own words.",
        },
    }
    assert first.files == {}
    assert first.end.conversation == job.talk
    assert first.skills == ["counting"]

    second = job.turn("Ada of Zanzibar")
    assert second.hints["kind"] == "confirm"
    assert second.skills == []
    assert second.calls == []

    third = job.turn("Yes.")
    assert third.hints["options"] == [
        {"label": name, "value": name} for name in ("short", "long", "very long")
    ]

    fourth = job.turn("very long")
    assert fourth.hints["files"] == [{"name": "notes.txt", "required": True, "accept": ".txt"}]
    place = job.workdir.work / "uploads" / "replies" / "4"
    place.mkdir(parents=True)
    (place / "notes.txt").write_text("Ducks swim there, too.\n")

    done = job.turn(f"These files were uploaded:\n- {place}/notes.txt")
    output = final(done.output)
    assert output["words"] == len(RIVERS.split()) + 4
    assert done.calls == [
        ("Read", "uploads/replies/4/notes.txt"),
        ("Write", "artifacts/report.md"),
    ]
    for reply in ("Ada of Zanzibar", "very long", "uploads/replies/4/notes.txt"):
        assert reply in done.files["report.md"]
        assert reply in str(output["summary"])
    assert str(tmp_path) not in done.files["report.md"]
    assert len({turn.end.conversation for turn in (first, second, third, fourth, done)}) == 1


@pytest.mark.parametrize(
    ("reply", "confirmed"), [("Yes.", True), ("No.", False), ("不同意", False), ("好", True)]
)
def test_a_decision_shows_in_the_output(tmp_path: Path, reply: str, *, confirmed: bool) -> None:
    schema: Json = {
        "type": "object",
        "properties": {"confirmed": {"type": "boolean"}, "reply": {"type": "string"}},
        "required": ["confirmed", "reply"],
    }
    job = Job(tmp_path / "job", talk("Ask the user to confirm that.", schema))
    assert job.turn().hints["kind"] == "confirm"
    assert final(job.turn(reply).output) == {"confirmed": confirmed, "reply": reply}


def test_chinese_questions(tmp_path: Path) -> None:
    text = "先询问用户目标读者是谁。然后向用户确认文件无误。再请用户上传 数据.csv。"
    job = Job(tmp_path / "job", talk(text))
    asked = [job.turn(), job.turn("学生"), job.turn("是")]
    assert [turn.hints["kind"] for turn in asked] == ["open_text", "confirm", "upload_files"]
    assert "目标读者是谁" in str(asked[0].hints["prompt"])
    assert asked[0].hints["hint"] == "请用自己的话回答。"
    done = job.turn("没有文件")
    assert "学生" in done.files["report.md"]


def test_a_job_that_only_talks(tmp_path: Path) -> None:
    job = Job(tmp_path / "job", skill(None, [], mode="interactive", text="Ask the user for more."))
    assert job.turn().output["__SKILL_DONE__"] is False
    done = job.turn("There is no more.")
    assert isinstance(done.output["answer"], str)
    assert "There is no more." in done.output["answer"]


def test_nobody_is_asked_in_the_other_mode(tmp_path: Path) -> None:
    done = Job(tmp_path / "job", skill(text=ASKS)).turn()
    assert done.fits(REPORT)


def test_words_without_a_question_are_heard_too(tmp_path: Path) -> None:
    """What is no JSON is shown to a person as a question."""
    job = Job(tmp_path / "job", talk("Go."), options={"simulate": {"bad_output": 2}})
    job.turn()
    assert not job.turn(REPAIR).end.answer.startswith("{")
    done = job.turn("Take more care of the ducks.")
    assert "the ducks" in str(final(done.output)["summary"])
    assert "does not fit" not in done.files["report.md"]


def test_a_conversation_goes_on_in_a_copy_of_its_folder(tmp_path: Path) -> None:
    job = Job(tmp_path / "job", talk("Ask the user for a name. Ask the user for a place."))
    job.turn()
    root, kept = job.workdir.root, tmp_path / "kept"
    for place in ("home", "work"):
        shutil.copytree(root / place, kept / place)
    one = job.turn("Ada")
    shutil.rmtree(root / "home")
    shutil.rmtree(root / "work")
    for place in ("home", "work"):
        shutil.copytree(kept / place, root / place)
    again = job.turn("Ada")
    assert again.end.answer == one.end.answer
    assert "Ada" in job.turn("Rome").files["report.md"]


def test_what_it_remembers_is_no_output(tmp_path: Path) -> None:
    job = Job(tmp_path / "job", talk("Ask the user for a name."))
    job.turn()
    found = {str(path.relative_to(job.root)) for path in job.root.rglob("*") if path.is_file()}
    assert found == {"skill/SKILL.md", "work/uploads/document", "home/conversation.json"}


@pytest.mark.parametrize("name", ["another", "", "../x", "simulated-0123456789abcdef", "x" * 9_999])
def test_a_conversation_that_never_was(tmp_path: Path, name: str) -> None:
    job = Job(tmp_path / "job")
    job.talk = name
    with pytest.raises(UsageError, match="has no conversation"):
        job.turn("Go on.")
    job.talk = None
    job.turn()
    job.talk = name
    with pytest.raises(UsageError, match="has no conversation"):
        job.turn("Go on.")
    assert (job.workdir.root / "home" / "conversation.json").exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"name": 7}', "\0", '{"name": "x", "more": 1}'])
def test_a_damaged_memory_is_none(tmp_path: Path, text: str) -> None:
    job = Job(tmp_path / "job")
    job.turn()
    (job.workdir.root / "home" / "conversation.json").write_text(text)
    with pytest.raises(UsageError, match="has no conversation"):
        job.turn("Go on.")


def test_a_plain_skill_has_no_conversation(tmp_path: Path) -> None:
    job = Job(tmp_path / "job", "Use type hints.")
    assert job.turn().end.conversation is None
    job.talk = "simulated-0123456789abcdef"
    with pytest.raises(UsageError, match="has no conversation"):
        job.turn("Go on.")


def test_nobody_can_answer_it_while_it_works(tmp_path: Path) -> None:
    job = Job(tmp_path / "job")

    async def answerer(_request: Request) -> Reply:
        raise AssertionError("nobody is asked")

    async def steps() -> list[Step]:
        talk_ = SimulatedEngine().converse(spec(), job.workdir, answerer=answerer)
        return [step async for step in talk_]

    with pytest.raises(UsageError, match="let somebody answer it"):
        asyncio.run(steps())


@pytest.mark.parametrize("mode", ["auto", "interactive"])
@pytest.mark.parametrize("bad", [1, 2, 3, 4])
def test_so_many_answers_do_not_fit(tmp_path: Path, mode: str, bad: int) -> None:
    text = skill(mode=mode, text="Count.")
    job = Job(tmp_path / "job", text, options={"simulate": {"bad_output": bad}})
    turns = [job.turn(None if number == 0 else REPAIR) for number in range(bad + 1)]
    assert [turn.fits(REPORT) for turn in turns] == [*[False] * bad, True]
    # One kind of mistake after the other.
    assert [turn.end.answer.startswith("{") for turn in turns[:-1]] == [
        number % 2 == 0 for number in range(bad)
    ]
    assert turns[-1].output["words"] == len(RIVERS.split())


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"x": {}}, "required": ["x"]},
        {"type": "object", "properties": {"x": {"enum": ["a", None]}}, "required": ["x"]},
        {"type": "object"},
        {"type": "object", "properties": {"x": {"type": ["string", "null"]}}},
    ],
)
def test_any_schema_can_be_missed(tmp_path: Path, schema: Json) -> None:
    job = Job(tmp_path / "job", skill(schema), options={"simulate": {"bad_output": 1}})
    assert not job.turn().fits(schema)
    assert job.turn(REPAIR).fits(schema)


def test_a_file_is_forgotten_and_made_up_for(tmp_path: Path) -> None:
    optional: Json = {"path": "artifacts/extra.txt", "required": False, "field": None}
    text = skill(artifacts=[optional, REPORT_FILE])
    job = Job(tmp_path / "job", text, options={"simulate": {"missing_artifact": 2}})
    turns = [job.turn(), job.turn(REPAIR), job.turn(REPAIR)]
    assert [set(turn.files) for turn in turns] == [
        *({"extra.txt"}, {"extra.txt"}, {"extra.txt", "report.md"}),
    ]
    assert all(turn.output["report"] == "artifacts/report.md" for turn in turns)


def test_a_path_outside_is_named_and_never_touched(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("hands off")
    job = Job(tmp_path / "job", options={"simulate": {"outside": str(secret)}})
    done = job.turn()
    assert done.output["report"] == str(secret)
    assert secret.read_text() == "hands off"
    assert "hands off" not in str(done.steps)


@pytest.mark.parametrize(
    "simulate", [{"bad_output": -1}, {"missing_artifact": "x"}, {"outside": 7}, {"bad_output": 0.5}]
)
def test_a_knob_that_cannot_be(tmp_path: Path, simulate: Json) -> None:
    with pytest.raises(UsageError, match=f"options.simulate.{next(iter(simulate))}"):
        Job(tmp_path / "job", options={"simulate": simulate}).turn()


def test_other_troubles_strike_jobs_as_well(tmp_path: Path) -> None:
    with pytest.raises(EngineFailure, match="simulated crash"):
        Job(tmp_path / "a", options={"simulate": {"crash": 1}}).turn()
    with pytest.raises(EngineFailure, match="simulated rate limit"):
        Job(tmp_path / "b", options={"simulate": {"rate_limit": 1}}).turn()
    refused = Job(tmp_path / "c", options={"simulate": {"fail": 1, "fail_kind": "refusal"}}).turn()
    assert (refused.end.failure, refused.end.conversation) == (Failure.REFUSAL, None)


def test_every_turn_is_plain_json_to_the_tape(tmp_path: Path) -> None:
    job = Job(tmp_path / "job", talk("Ask the user for a name."))
    for turn in (job.turn(), job.turn("half an emoji \ud83d")):
        json.dumps(turn.output, allow_nan=False).encode()
        turn.end.answer.encode()
