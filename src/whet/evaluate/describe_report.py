"""The document of a search for a better description."""

from whet.documents.skill_creator import DescriptionIteration, DescriptionLoop
from whet.evaluate.describe import HOLDOUT, SEED, Found, Tried
from whet.evaluate.plan import Pin
from whet.evaluate.trigger_report import counts, summary


def loop_document(found: Found, pin: Pin, runs: int) -> DescriptionLoop:
    """What was tried and what came of it.

    Results on held-out queries stand only beside the two descriptions that were compared at the
    end; nobody looked at the others there.
    """
    original, best = found.history[0], found.history[found.best]
    held_out = _score(best, held_out=True)
    return DescriptionLoop(
        exit_reason=found.exit_reason,
        original_description=original.description,
        best_description=best.description,
        best_score=held_out or _score(best) or "0/0",
        best_train_score=_score(best) or "0/0",
        best_test_score=held_out,
        final_description=found.final,
        iterations_run=len(found.history),
        holdout=HOLDOUT,
        train_size=len(found.split.train),
        test_size=len(found.split.held_out),
        history=tuple(_iteration(n, tried) for n, tried in enumerate(found.history, start=1)),
        verdict=found.verdict,
        engine=pin.engine,
        model=pin.model,
        seed=SEED,
        runs_per_query=runs,
        notes=found.notes or None,
    ).lean()


def _iteration(number: int, tried: Tried) -> DescriptionIteration:
    train, results = summary(tried.train), counts(tried.train)
    test = None if tried.held_out is None else summary(tried.held_out)
    return DescriptionIteration(
        iteration=number,
        description=tried.description,
        train_passed=train.passed,
        train_failed=train.failed,
        train_total=train.total,
        train_results=results,
        test_passed=test.passed if test else None,
        test_failed=test.failed if test else None,
        test_total=test.total if test else None,
        test_results=None if tried.held_out is None else counts(tried.held_out),
        passed=train.passed,
        failed=train.failed,
        total=train.total,
        results=results,
    )


def _score(tried: Tried, *, held_out: bool = False) -> str | None:
    """Like ``17/20``."""
    part = tried.held_out if held_out else tried.train
    if part is None:
        return None
    told = summary(part)
    return f"{told.passed}/{told.total}"
