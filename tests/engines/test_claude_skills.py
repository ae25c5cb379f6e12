"""Which skills the agent is offered, and when one counts as taken up."""

from pathlib import Path

import pytest

from tests.engines.claude_trials import call, claude, greeting, several, trial
from tests.engines.driving import Run, bench, says
from whet.testing.model_server import Conversation, Script, Turn

pytestmark = pytest.mark.slow


def test_arms_with_and_without_a_skill(tmp_path: Path) -> None:
    loads = Turn(calls=(call("Skill", skill="greet"),))
    script = Script(
        conversations=(
            Conversation(marker="ARM-NONE", turns=(loads, Turn(text="No such skill."))),
            Conversation(marker="ARM-IDLE", turns=(Turn(text="No need."),)),
            Conversation(marker="ARM-TEXT", turns=(Turn(text="Ahoy."),)),
            Conversation(
                marker="ARM-OTHER",
                turns=(Turn(calls=(call("Skill", skill="simplify"),)), Turn(text="Done.")),
            ),
        )
    )
    with bench(tmp_path, script) as made:
        text = made.package({"content.txt": "Always speak like a PIRATE-OF-OLD."})
        specs = [
            trial(made, "ARM-NONE", files={"note.txt": "a note"}),
            trial(made, "ARM-IDLE", skill=greeting(made)),
            trial(made, "ARM-TEXT", skill=text),
            trial(made, "ARM-OTHER", skill=greeting(made)),
        ]
        runs = [run for run in several(made, specs) if isinstance(run, Run)]
        sent = {
            marker: str([request.body for request in made.server.requests_for(marker)])
            for marker in ("ARM-NONE", "ARM-IDLE", "ARM-TEXT", "ARM-OTHER")
        }
    none, idle, words, other = runs
    # Without the skill it is not offered, and calling it all the same loads nothing.
    assert "Zanzibar" not in sent["ARM-NONE"]
    assert none.skills == []
    assert [returned.ok for returned in none.returned.values()] == [False]
    # Offered and not taken up.
    assert "Zanzibar" in sent["ARM-IDLE"]
    assert idle.skills == []
    # A text holds from the first word on; there is nothing to take up.
    assert "PIRATE-OF-OLD" in sent["ARM-TEXT"]
    assert words.skills == []
    # One of the program's own is not ours, and has its own name.
    assert other.skills == ["simplify"]
    assert all(run.ended.failure is None and run.outputs == {} for run in runs)


def test_a_prompt_may_call_the_skill_by_its_name(tmp_path: Path) -> None:
    with bench(tmp_path, says("Hello, Bob.")) as made:
        run = made.drive(claude(made), trial(made, "/greet Bob", skill=greeting(made)))
    assert run.skills == ["greet"]
    assert "Say hello to Bob" in run.sent


@pytest.mark.parametrize("prompt", ["/clear all of it", "/greet nobody", "/usr/bin/env is what?"])
def test_a_prompt_is_no_other_command(tmp_path: Path, prompt: str) -> None:
    with bench(tmp_path, says("I see.")) as made:
        run = made.drive(claude(made), trial(made, prompt))
    assert run.ended.answer == "I see."
    assert prompt in run.sent
    assert run.skills == []


def test_a_skill_without_front_matter_has_the_name_of_the_library(tmp_path: Path) -> None:
    with bench(tmp_path, says(Turn(calls=(call("Skill", skill="made-up"),)), "Done.")) as made:
        plain = greeting(made, "Greet in the manner of Zanzibar, please.\n")
        run = made.drive(claude(made), trial(made, "Greet Bob.", skill=plain))
    assert run.skills == ["made-up"]
