"""What is seen in a session: figures, timeline, pages of calls, verdicts; two side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from whet.app.app import App
from whet.app.sessions.shelf import Loaded
from whet.documents.session_comparison import SessionComparison
from whet.documents.session_figures import SessionFigures
from whet.documents.session_timeline import CallDetail, CallPage, SessionTimeline, VerdictLink
from whet.replay import compare as comparing
from whet.replay import statistics, timeline, verdicts
from whet.replay.acts import Acts, acts_of
from whet.replay.timeline import Looks


@dataclass(frozen=True)
class View:
    """A session to be looked at. What several looks need is worked out once."""

    app: App
    loaded: Loaded

    @cached_property
    def acts(self) -> Acts:
        """Its calls, read."""
        return acts_of(self.loaded.session)

    @cached_property
    def verdicts(self) -> Sequence[verdicts.Verdict]:
        """What checks and judges decided of the trial, by the newest grade of each standard: all
        that was said under several rubrics stands beside each other, the newest last."""
        entry = self.loaded.entry
        if entry.trial_address is None or entry.generation is None:
            return ()
        grades = [
            grade
            for grade in self.app.store.ledger.grades_of(entry.trial_address)
            if grade.generation == entry.generation
        ]
        # What was graded last is what holds; earlier standards are history.
        return verdicts.verdicts_of(grades[-1], grades[-1].specs) if grades else ()

    @cached_property
    def links(self) -> Sequence[VerdictLink]:
        """The calls that each verdict speaks of."""
        return verdicts.links(self.acts, self.verdicts)

    def figures(self) -> SessionFigures:
        """Everything that can be counted."""
        return self._figures

    @cached_property
    def _figures(self) -> SessionFigures:
        return statistics.figures(self.acts)

    def timeline(self) -> SessionTimeline:
        """All of it at a glance, in a small answer."""
        return self._timeline

    @cached_property
    def _timeline(self) -> SessionTimeline:
        return timeline.timeline(self.acts, self.links)

    @cached_property
    def _looks(self) -> Looks:
        return Looks(self.acts, self.links)

    def page(self, offset: int, limit: int) -> CallPage:
        """The calls from a place on, at most 500."""
        return timeline.page_of(self._looks, offset, limit)

    def detail(self, place: int) -> CallDetail:
        """One call with its neighbours; raises ``NotFound``."""
        return timeline.detail_of(self._looks, place)


def compare(left: View, right: View) -> SessionComparison:
    """Two sessions, call by call."""
    return comparing.compare(left.acts, right.acts)
