"""The engines around real agents do what every engine must do."""

from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from tests.engines.driving import SANDBOX, SECONDS, Subject, bench, each_engine
from whet.ports.engine import Engine
from whet.testing import engine
from whet.testing.model_server import Conversation, Script, ToolCall, Turn

pytestmark = pytest.mark.slow

NOTE = "note.txt"
SCRIPT = Script(
    conversations=(
        Conversation(
            marker="Write a note",
            turns=(
                Turn(
                    text="I write it.",
                    calls=(
                        ToolCall(action="write", arguments={"path": NOTE, "content": "a note"}),
                    ),
                ),
                Turn(text="It is written."),
            ),
        ),
        Conversation(
            marker="Wait for ever",
            turns=(
                Turn(
                    text="I wait.",
                    calls=(ToolCall(action="shell", arguments={"command": "tail -f /dev/null"}),),
                ),
            ),
        ),
    )
)


@each_engine
@pytest.mark.parametrize("check", engine.CHECKS, ids=lambda check: check.__name__)
def test_a_real_agent_is_an_engine(
    subject: Subject, check: Callable[[engine.Subject], None], tmp_path: Path
) -> None:
    with bench(tmp_path, SCRIPT) as made:
        check(
            engine.Subject(
                make=lambda: cast(Engine, subject.engine(made)),
                prompt="Write a note.",
                endless="Wait for ever.",
                model=subject.model,
                sandbox=SANDBOX,
                writes=NOTE,
                seconds=SECONDS,
            )
        )
