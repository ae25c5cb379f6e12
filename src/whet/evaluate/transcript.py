"""What an agent did, as a text to read: for people, and shortened for judges."""

import json
from collections.abc import Iterator

from whet.core.trial import TrialRecord
from whet.documents.session import Session, ToolCall
from whet.documents.text import parse_json
from whet.ports.blobs import Blobs

WHOLE = 16_000
SHORT = 600
MOST = 24_000
"""Characters of a shortened transcript; what is beyond is left out of its middle."""


def session_of(record: TrialRecord, blobs: Blobs) -> Session:
    """The session log that was kept of a record."""
    name = f"session of trial {record.address[:16]}"
    return Session.parse(parse_json(blobs.get(record.session), name), name)


def transcript(session: Session, each: int = WHOLE) -> str:
    """The session in Markdown, with at most *each* characters of what a call took and gave."""
    parts = [f"# {session.task_title}", "## Eval Prompt", session.user_prompt]
    if session.messages:
        parts += ["## Messages", *session.messages]
    if session.tool_calls:
        parts += ["## Tool calls", *(_told(call, each) for call in session.tool_calls)]
    if session.error:
        parts += ["## Error", session.error]
    parts += ["## Answer", session.final_answer or "(none)"]
    return "\n\n".join(parts) + "\n"


def shortened(session: Session) -> str:
    """The calls in order and what was said, in a few pages; the prompt and the answer are not
    in it."""
    lines = [*(session.messages or ()), *(_told(call, SHORT) for call in session.tool_calls)]
    text = "\n\n".join(lines)
    if len(text) <= MOST:
        return text
    half = MOST // 2
    return f"{text[:half]}\n\n[… {len(text) - MOST} characters left out …]\n\n{text[-half:]}"


def _told(call: ToolCall, each: int) -> str:
    return "\n".join(_lines(call, each))


def _lines(call: ToolCall, each: int) -> Iterator[str]:
    failed = " (failed)" if call.output.status == "failed" else ""
    yield f"### {call.call_id} {call.tool_name}{failed}"
    yield _cut(json.dumps(call.input.params, ensure_ascii=False), each)
    result = call.output.result
    content = (result.model_extra or {}).get("content") if result else None
    if call.output.error:
        yield _cut(call.output.error, each)
    elif isinstance(content, str):
        yield _cut(content, each)
    elif result is not None and result.display:
        yield result.display


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]} […]"
