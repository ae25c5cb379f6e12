"""What somebody says of a session: phases by the signals of its calls, by hand, or by an engine.

In a file of the workspace annotations stand where the format has them. The record of a trial never
changes: what is said of its session is a state in the database, beside the record.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from whet.app.sessions.requests import PhasesByHand
from whet.app.sessions.shelf import ANNOTATIONS, Loaded, Shelf, state_key
from whet.app.sessions.views import AnnotatedSession
from whet.core.errors import Conflict, InvalidDocument, NotFound, UsageError
from whet.core.foreign import obj
from whet.core.instant import iso
from whet.curate.locks import locked
from whet.documents.files import write_atomic
from whet.documents.session import PhaseAnnotation, Session
from whet.ports.ask import Ask
from whet.ports.session_entry import SessionEntry
from whet.replay import annotate_ask
from whet.replay.acts import Acts, acts_of
from whet.replay.annotate import FEWEST, auto_annotated, auto_annotations, wants_annotation
from whet.replay.annotators import (
    AUTO,
    Annotator,
    added,
    annotations_of,
    annotator_of,
    annotators,
    free_ids,
    removed,
    replaced,
    with_annotations,
    without_annotations,
)
from whet.run.assist.asking import How, answered

LOCK = "sessions"
"""Held by whoever changes a file there."""

_TRIES = 5
_MOST_ASKED = 2

Change = Callable[[Session], Session]


@dataclass(frozen=True)
class Annotating:
    """Changes what is said of sessions."""

    shelf: Shelf

    def auto(self, reference: str) -> AnnotatedSession:
        """By the signals of the calls; raises ``UsageError`` for fewer than five of them."""

        def change(session: Session) -> Session:
            count = len(session.tool_calls)
            if not wants_annotation(count, asked=True):
                raise UsageError(f"{count} calls speak for themselves; {FEWEST} are the fewest")
            return auto_annotated(session, self._now(), asked=True)

        return _told(self.change(reference, change), AUTO)

    def by_hand(self, reference: str, given: PhasesByHand) -> AnnotatedSession:
        """Add phases, or put them in place of all that the same person said before. What need not
        be said is filled in: an id, who says it and when, and that one is sure. Raises
        ``InvalidDocument``."""
        who = Annotator("human", given.name or None)
        rows = [obj(one.lean().to_data()) for one in given.phase_annotations]

        def change(session: Session) -> Session:
            base = without_annotations(session, who) if given.replace else session
            made = self._made(base, who, rows)
            return with_annotations(base, who, made) if given.replace else added(base, *made)

        return _told(self.change(reference, change), who)

    async def by_engine(self, reference: str, how: How, ask: Ask) -> AnnotatedSession:
        """Ask a model; an answer that does not fit is asked for once more. Raises ``AskFailure``,
        and ``InvalidDocument`` with all that is wrong with the answer."""
        loaded = self.shelf.load(reference)
        name = how.engine if how.model in ("default", how.engine) else f"{how.engine}:{how.model}"
        who = Annotator("agent", name)
        acts = acts_of(without_annotations(loaded.session, who))
        if not len(acts):
            raise UsageError(f"session {loaded.entry.name!r} has no calls to be annotated")
        if how.simulated:
            # There is no model behind it: the signals answer, under its name.
            rows = auto_annotations(acts, self._now())
            names = free_ids(acts.session, "agent", len(rows))
            made = [
                row.model_copy(
                    update={"annotation_id": i, "annotated_by": "agent", "annotator": name}
                )
                for i, row in zip(names, rows, strict=True)
            ]
        else:
            made = await self._asked(acts, how, name, ask)

        def change(session: Session) -> Session:
            return with_annotations(session, who, made)

        return _told(self.change(loaded.entry.name, change), who)

    def edit(self, reference: str, annotation: Mapping[str, JsonValue]) -> AnnotatedSession:
        """Another text for an annotation that is there; raises ``NotFound``."""
        one = PhaseAnnotation.parse(dict(annotation), "annotation")
        done = self.change(reference, lambda session: replaced(session, one))
        return _told(done, annotator_of(one))

    def remove(self, reference: str, what: str) -> tuple[str, ...]:
        """Take away all of one annotator (``auto:signals``, ``human:anna``, or the kind where
        there is one of it), or one annotation by its id. Returns those who are left."""

        def change(session: Session) -> Session:
            known = annotators(session)
            meant = [who for who in known if what in (who.label, who.kind)]
            exact = [who for who in meant if who.label == what]
            if len(exact or meant) == 1:
                return without_annotations(session, (exact or meant)[0])
            if meant:
                labels = ", ".join(who.label for who in meant)
                raise UsageError(f"{what!r} is several annotators: {labels}")
            try:
                return removed(session, what)
            except NotFound:
                labels = ", ".join(who.label for who in known) or "nobody"
                said = f"there is no annotator or annotation {what[:100]!r}; annotated by: {labels}"
                raise NotFound(said) from None

        done = self.change(reference, change)
        return tuple(who.label for who in annotators(done.session))

    def change(self, reference: str, change: Change) -> Loaded:
        """Change a session as it is now. Of two changes at once both are made, one by one."""
        entry = self.shelf.find(reference)
        if entry.path is None:
            return self._change_trial(entry, change)
        path = self.shelf.app.settings.workspace / entry.path
        with locked(self.shelf.app.settings.workspace, LOCK):
            loaded = self.shelf.load(entry.name)
            after = change(loaded.session)
            write_atomic(path, after.to_json().encode(errors="replace"), durable=True)
            self.shelf.index.look_at(entry.name)
        return Loaded(loaded.entry, after)

    def _change_trial(self, entry: SessionEntry, change: Change) -> Loaded:
        states = self.shelf.app.store.states
        for attempt in range(_TRIES):
            loaded = self.shelf.load(entry.name)
            after = change(loaded.session)
            rows = [one.to_data() for one in after.phase_annotations or ()]
            value: dict[str, JsonValue] = {"phase_annotations": rows}
            try:
                kept = states.put(ANNOTATIONS, state_key(entry), loaded.revision, value)
            except Conflict:
                if attempt == _TRIES - 1:
                    raise
                continue
            return Loaded(entry, after, kept.revision)
        raise AssertionError("unreachable")

    async def _asked(
        self, acts: Acts, how: How, name: str, ask: Ask
    ) -> tuple[PhaseAnnotation, ...]:
        query = annotate_ask.question(acts, how.engine, how.model)
        problems: tuple[str, ...] = ()
        for _ in range(_MOST_ASKED):
            reply = await answered(ask, query)
            found = annotate_ask.read_answer(acts, reply.value, name, self._now())
            if not found.problems:
                return found.annotations
            problems = found.problems
            query = annotate_ask.again(query, reply.text, problems)
        raise InvalidDocument(f"the answer of {name}", "", "; ".join(problems))

    def _made(
        self, session: Session, who: Annotator, rows: Sequence[Mapping[str, JsonValue]]
    ) -> list[PhaseAnnotation]:
        names = free_ids(session, who.kind, len(rows))
        return [
            PhaseAnnotation.parse(
                {
                    "annotation_id": name,
                    "confidence": "high",
                    "annotated_at": self._now(),
                    **row,
                    "annotated_by": who.kind,
                    **({} if who.name is None else {"annotator": who.name}),
                },
                f"annotation {number}",
            )
            for number, (name, row) in enumerate(zip(names, rows, strict=True), start=1)
        ]

    def _now(self) -> str:
        return iso(self.shelf.app.clock.now())


def _told(loaded: Loaded, who: Annotator) -> AnnotatedSession:
    return AnnotatedSession(
        name=loaded.entry.name,
        annotator=who.label,
        phase_annotations=tuple(annotations_of(loaded.session, who)),
        annotators=tuple(one.label for one in annotators(loaded.session)),
    )
