"""Texts from skills, cases and models: as text and nothing else, and never too much of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from whet.documents.session import Session
from whet.documents.trial_view import CallView, ProducedFile, TextView
from whet.exporters.plain import line, start
from whet.replay.acts import acts_of, output_of
from whet.replay.timeline import page

MOST_TEXT = 20_000
MOST_EVIDENCE = 4_000
MOST_OUTPUT = 2_000
MOST_MESSAGES = 100
MOST_FILES = 20
MOST_CALLS = 500
CALL = 100
"""Characters that a call takes besides its texts."""


@dataclass
class Room:
    """How much is shown of texts; *left* is what there is for all of them together."""

    left: int = 10**9

    def text(self, text: str, most: int = MOST_TEXT) -> TextView:
        """As much of it as there is room for."""
        shown = start(text, max(0, min(most, self.left)))
        self.left -= len(shown)
        return TextView(text=shown, length=max(len(text), len(shown)))

    def evidence(self, text: str) -> TextView:
        """Why somebody decided something."""
        return self.text(text, MOST_EVIDENCE)

    def file(self, path: str, data: bytes, size: int) -> ProducedFile:
        """A file by the beginning of its content; what is no text is only named."""
        content = None
        if b"\0" not in data:
            text = data.decode(errors="replace")
            content = self.text(text)
            # Of what was not read, bytes are the best that is known.
            unread = max(0, size - len(data))
            content = content.model_copy(update={"length": content.length + unread})
        return ProducedFile(path=line(path, 300), size=size, content=content)

    def messages(self, session: Session) -> tuple[TextView, ...]:
        """What the agent said on the way."""
        said = session.messages or ()
        return tuple(self.text(one, MOST_OUTPUT) for one in said[:MOST_MESSAGES])

    def calls(self, session: Session) -> tuple[CallView, ...]:
        """The calls in the order of the log."""
        acts = acts_of(session)
        shown: list[CallView] = []
        for row in page(acts, 0, MOST_CALLS).calls:
            if self.left <= 0:
                break
            subject = line(row.subject or row.display, 300)
            self.left -= len(subject) + CALL
            shown.append(
                CallView(
                    number=row.index + 1,
                    tool=line(row.tool, 100),
                    subject=subject,
                    failed=row.failed,
                    duration_ms=row.duration_ms,
                    output=self.text(output_of(acts[row.index].call), MOST_OUTPUT),
                )
            )
        return tuple(shown)


def files_in(folder: Path, apart: Iterable[str] = ()) -> Sequence[Path]:
    """The files of a folder, without links, in order."""
    left_out = {folder / name for name in apart}
    found = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sorted(path for path in found if path not in left_out)
