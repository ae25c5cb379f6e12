"""Experiments of both doors as people look at them."""

from whet.app.app import App
from whet.app.eval_report import report_legs
from whet.app.evals import Evals, EvalState
from whet.app.views.eval_trial import RunPlaces
from whet.app.views.evals import EvalViews
from whet.app.views.page import Cases
from whet.app.views.project import ProjectViews
from whet.app.views.project_trial import Wanted, project_trial
from whet.app.views.texts import Room
from whet.core.errors import NotFound
from whet.documents.experiment_view import ExperimentView
from whet.documents.trial_view import TrialView


class Views:
    """Looks at experiments; made once, it remembers what the next look needs again."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._projects = ProjectViews(app)
        self._evals = EvalViews(app)

    def project(self, identity: str, cases: Cases) -> ExperimentView:
        """A project as it is now; raises ``NotFound``."""
        return self._projects.view(identity, cases)

    def project_trial(self, identity: str, wanted: Wanted) -> TrialView:
        """One of its trials; raises ``NotFound``."""
        return project_trial(self._app, self._projects, identity, wanted)

    def eval(self, identity: str, cases: Cases) -> ExperimentView:
        """A run of a suite as it is now; raises ``NotFound``."""
        return self._evals.view(Evals(self._app).get(identity), cases)

    def eval_trial(self, identity: str, leg: int, wanted: Wanted) -> TrialView:
        """One of its runs; raises ``NotFound``."""
        state = Evals(self._app).get(identity)
        places = self._places(state, leg)
        return places.trial(places.find(wanted.case, wanted.arm, wanted.attempt), Room())

    def _places(self, state: EvalState, leg: int) -> RunPlaces:
        if leg >= len(state.legs):
            raise NotFound(f"eval run {state.id!r} has no leg {leg}; it has {len(state.legs)}")
        found, evals = report_legs(self._app, state)
        at = found[leg]
        if at is None:
            raise NotFound(f"eval run {state.id!r} has no results yet")
        folder = self._app.settings.workspace / state.legs[leg].folder
        return RunPlaces(leg, folder, at.benchmark, evals)
