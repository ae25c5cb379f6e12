"""Whether anything went wrong on the way."""

import re
from collections.abc import Iterator, Sequence

from whet.checkers import fields
from whet.checkers.search import unix
from whet.checkers.verdict import failed, passed, shown, vacuous
from whet.core.check import CheckResult, CheckSpec
from whet.core.counts import counted
from whet.documents.session import Session, ToolCall
from whet.ports.checker import Subject

_SIGNS = re.compile(r"Error:|FAILED|Exception:|Traceback \(most recent|Command failed")
_MOST = 3


class NoErrors:
    """Nothing failed, and nothing in the transcript looks like an error.

    The prompt, what the agent passed to tools and what it merely read are not searched: a task
    or a file may speak of errors.
    """

    name = "no_errors"
    version = "1"

    def validate(self, spec: CheckSpec) -> Sequence[str]:
        """See the port."""
        return fields.problems(spec, {}, {})

    def check(self, spec: CheckSpec, subject: Subject) -> CheckResult:
        """See the port."""
        record, session = subject.record, subject.session
        found = [f"the run failed: {shown(record.error or str(record.failure))}"]
        found = found if record.status == "failed" else []
        if session is not None:
            found += _failures(session)
            found += _signs(session, record.answer)
        if found:
            more = f" and {len(found) - _MOST} more" if len(found) > _MOST else ""
            return failed(spec, "; ".join(found[:_MOST]) + more)
        if session is None:
            return vacuous(spec, "there is no transcript")
        return passed(
            spec,
            f"No errors in {counted(len(session.tool_calls), 'call', 'calls')} and what was said",
        )


def _failures(session: Session) -> Iterator[str]:
    for call in session.tool_calls:
        if call.output.status == "failed":
            yield f"{shown(call.tool_name)} failed: {shown(call.output.error or '')}"


def _signs(session: Session, answer: str) -> Iterator[str]:
    for where, text in _transcript(session, answer):
        for number, line in enumerate(unix(text).split("\n"), start=1):
            if _SIGNS.search(line):
                yield f"{where}:{number}: {shown(line.strip())}"


def _transcript(session: Session, answer: str) -> Iterator[tuple[str, str]]:
    """What happened, as text; the answer often is the last message."""
    messages = session.messages or ()
    for number, message in enumerate(messages, start=1):
        yield f"message {number}", message
    if answer not in messages:
        yield "answer", answer
    for call in session.tool_calls:
        if call.tool_category != "perception" and call.output.status == "success":
            yield shown(call.tool_name), "\n".join(_results(call))


def _results(call: ToolCall) -> Iterator[str]:
    """What a call gave back: all of it where it was kept, else the short form."""
    if (result := call.output.result) is not None:
        content = (result.model_extra or {}).get("content")
        yield content if isinstance(content, str) else result.display or ""
