"""What somebody types as a reply to a question."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from whet.app.settings import read
from whet.cli.command import Call
from whet.cli.job.output import how_to_reply
from whet.cli.job.question import print_question, reply_value
from whet.core.job import Choice, Interaction, Job, Kind, Slot

CHOICES = (
    Choice(label="The short one", value="short"),
    Choice(label="2", value="long"),
    Choice(label="third", value="3rd"),
)


def question(kind: Kind, **more: object) -> Interaction:
    about = {"id": 1, "kind": kind, "message": "Well?", "asked_at": "", **more}
    return Interaction.model_validate(about)


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("short", "short"),
        ("The short one", "short"),
        (" 1 ", "short"),
        ("2", "long"),
        ("3", "3rd"),
        ("0", None),
        ("4", None),
        ("-1", None),
        ("²", None),
        ("", None),
        ("9" * 5000, None),
    ],
)
def test_a_choice_is_made_by_value_label_or_number(said: str, value: str | None) -> None:
    asked = question("choose_one", options=CHOICES)
    assert reply_value(asked, said) == value


@given(st.text())
def test_whatever_is_typed_is_a_choice_or_none(said: str) -> None:
    found = reply_value(question("choose_one", options=CHOICES), said)
    assert found in (None, "short", "long", "3rd")


def test_yes_and_no_in_both_languages() -> None:
    asked = question("confirm")
    assert reply_value(asked, " YES") is True
    assert reply_value(asked, "n") is False
    assert reply_value(asked, "是") is True
    assert reply_value(asked, "否") is False
    for said in ("", "maybe", "yes no"):
        assert reply_value(asked, said) is None


def test_a_text_is_taken_as_it_is_unless_it_is_empty() -> None:
    asked = question("open_text")
    assert reply_value(asked, "  42 ") == "  42 "
    assert reply_value(asked, "  ") is None


def test_a_question_cannot_steer_the_terminal() -> None:
    hostile = "\x1b[2J\x07[bold]x[/bold]\u202e"
    slots = (Slot(name="a", hint=hostile),)
    options = (Choice(label=hostile, value="v"),)
    asked = question("choose_one", message=hostile, hint=hostile, options=options, files=slots)
    stream = io.StringIO()
    print_question(Console(file=stream, highlight=False), asked, "en")
    shown = stream.getvalue()
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "\u202e" not in shown
    assert "[bold]x[/bold]" in shown


def test_a_command_to_paste_has_nothing_of_the_agents_in_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WHET_LANGUAGE", "en")
    call = Call(read(None), None, json=False)
    hostile = "x; $(touch /tmp/owned) | `id`"
    job = Job(
        request_id="12345678-0000",
        run_id="r",
        state="waiting_user",
        skill_id="s",
        engine="simulated",
        engine_version="1",
        model="m",
        sandbox="none",
        mode="interactive",
        created_at="",
        updated_at="",
    )
    choices = (Choice(label=hostile, value=hostile),)
    asked = question("choose_one", options=choices)
    told = how_to_reply(call, job, asked)
    assert told == "answer with: whet job reply 12345678 VALUE"
    asked = question("upload_files", files=(Slot(name=hostile),))
    told = how_to_reply(call, job, asked)
    assert told == f"answer with: whet job reply 12345678 --file '{hostile}'=PATH"
