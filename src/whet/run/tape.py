"""Taping: the steps of an execution, kept as they come for whoever plays them again."""

from whet.core.confidential import references_in
from whet.core.redaction import Redactor
from whet.core.step import Step
from whet.core.trial import TrialSpec
from whet.documents.tape import MOST_BYTES, header, line


class Tape:
    """Collects steps, which must be without secrets already; ``data`` is the tape or None.

    There is none when it would be too long, when a step does not fit into JSON, or when the
    trial itself has a secret in it: its tape would be of another trial without. Variables that
    it gives its agent are secrets, however short.
    """

    def __init__(self, spec: TrialSpec, redactor: Redactor, most: int = MOST_BYTES) -> None:
        first = header(spec)
        self._lines = [first]
        self._left = most - len(first)
        has_secrets = any(True for _ in references_in(spec.options))
        secret = has_secrets or bool(spec.options.get("environment"))
        self._whole = self._left >= 0 and not secret and redactor.data(first) == first

    def add(self, step: Step) -> bytes | None:
        """Take the next step; returns its line, whether there is a tape or not, and None for one
        that cannot be written."""
        try:
            new = line(step)
        except (TypeError, ValueError, RecursionError):
            self._drop()
            return None
        if self._whole:
            self._left -= len(new)
            self._lines.append(new)
            if self._left < 0:
                self._drop()
        return new

    def data(self) -> bytes | None:
        """All lines so far."""
        return b"".join(self._lines) if self._whole else None

    def _drop(self) -> None:
        self._whole = False
        self._lines.clear()
