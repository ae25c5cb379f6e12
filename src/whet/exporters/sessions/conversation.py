"""What was said in a session: by the user, and by the agent on the way."""

from collections.abc import Iterator
from typing import NamedTuple

from whet.documents.session import Session
from whet.exporters.sessions.layout import moment


class Said(NamedTuple):
    """One thing that was said."""

    by: str
    """``user`` or ``agent``."""

    at: str | None
    """When, if the log has it."""

    text: str


def said_in(session: Session) -> list[Said]:
    """Everything but the first prompt and the last answer, which stand by themselves; in the order
    of time, as far as it is known."""
    asked = [Said("user", prompt.at, prompt.text) for prompt in session.prompts or ()]
    found = [*asked[1:], *_messages(session)]
    times = [at for one in found if (at := moment(one.at or "")) is not None]
    if len(times) == len(found):
        found = [found[place] for place in sorted(range(len(found)), key=times.__getitem__)]
    if found and found[-1].by == "agent" and found[-1].text == session.final_answer:
        found.pop()
    return found


def _messages(session: Session) -> Iterator[Said]:
    messages, times = session.messages or (), session.messages_at or ()
    is_timed = len(times) == len(messages)
    for place, text in enumerate(messages):
        yield Said("agent", times[place] if is_timed else None, text)
