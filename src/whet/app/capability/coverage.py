"""What a set of cases, a file with cases or a run touches."""

from pathlib import Path

from whet.app.app import App
from whet.app.capability.find import find
from whet.app.capability.runs import Evaluations
from whet.app.capability.sets import case_sets, load
from whet.core.errors import NotFound, UsageError
from whet.documents.capability import CapabilityCaseSet, EvaluationDetail
from whet.documents.capability_report import CaseCoverage
from whet.evaluate.capability.coverage import coverage
from whet.evaluate.capability.select import pick


def coverage_of(app: App, subject: str, language: str | None = None) -> CaseCoverage:
    """Of the set of that name, else of that file, else of that run; raises ``NotFound``. With a
    *language* only its cases count."""
    names = sorted({one.name for one in case_sets(app.settings.workspace)})
    if subject in names:
        return Evaluations(app).coverage(subject, language)
    if Path(subject).is_file():
        given = load(Path(subject))
        return coverage((given if language is None else _spoken(given, language),))
    try:
        run_id = find(app, subject)
    except NotFound:
        told = f"no case set, file or run {subject[:200]!r}; case sets: {', '.join(names)}"
        raise NotFound(told) from None
    if language is not None:
        raise UsageError("--language goes with a case set only: a run has one already")
    return kept_coverage(app, Evaluations(app).get(run_id))


def kept_coverage(app: App, detail: EvaluationDetail) -> CaseCoverage:
    """The same as ``run_coverage``; raises ``NotFound`` where there is nothing to look at."""
    found = run_coverage(app, detail)
    if found is None:
        raise NotFound(f"the cases of run {detail.run.run_id} are not in the store any more")
    return found


def run_coverage(app: App, detail: EvaluationDetail) -> CaseCoverage | None:
    """Of the cases that a run has, in its language; None where they are not kept any more."""
    kept = app.store.evaluations.get_case_set(detail.run.case_set_digest or "")
    if kept is None:
        return None
    ids = {item.case_id for item in detail.items}
    cases = [case for case, _ in pick((kept,), detail.run.language) if case.id in ids]
    return coverage((kept.model_copy(update={"cases": tuple(cases)}),))


def _spoken(given: CapabilityCaseSet, language: str) -> CapabilityCaseSet:
    """The set with only the cases that a run in that language would have."""
    cases = tuple(case for case, _ in pick((given,), language))
    return given.model_copy(update={"cases": cases})
