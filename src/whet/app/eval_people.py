"""People in the loop: drafts of suites, and edits they accept."""

import asyncio
from codecs import BOM_UTF8
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from pydantic import JsonValue, ValidationError

from whet.app.app import opened
from whet.app.config import machine_of
from whet.app.eval_iterations import Place, one_iteration
from whet.app.parts import InstalledParts, every_checker
from whet.app.settings import Settings
from whet.core.counts import counted
from whet.core.errors import Conflict, InvalidDocument, NotFound, UsageError
from whet.documents.benchmark import Benchmark
from whet.documents.evals import EvalFeedbackAggregate
from whet.documents.files import write_atomic
from whet.documents.text import parse_json, read_json
from whet.evaluate.iteration import Iteration
from whet.evaluate.starter import Draft, Subject, starter
from whet.evaluate.starter_ask import ModelDrafter
from whet.evaluate.suite import FILE, parse_suite
from whet.evaluate.suite_edits import SuiteEdit, difference, edited_text, write_suite
from whet.evaluate.suite_proposals import Asked, SuiteSource, asked, may_propose, proposed, question
from whet.ports.checker import Checker
from whet.ports.engine import Engine
from whet.ports.inspected import Inspected

PROPOSALS = "suite_edits.json"


@dataclass(frozen=True)
class Improvement:
    """A suite, what its runs say of it, and the edits that follow, in an order that stays."""

    place: Place
    iteration: Iteration
    text: str
    data: JsonValue
    aggregate: EvalFeedbackAggregate
    edits: tuple[SuiteEdit, ...]
    asked: Asked | None


def drafted(settings: Settings, skill: Subject, place: Place, number: int) -> tuple[Draft, str]:
    """A first suite, and who wrote it: the name of a model, or nothing."""
    engine = _engine(settings, place)
    if engine is None or engine.simulated:
        return starter(skill, number), ""
    model = model_of(engine, place.model)
    with opened(settings) as app:
        drafter = ModelDrafter(app.ask(), engine.name, model, checkers(settings))
        return asyncio.run(drafter(skill, number)), f"{engine.name}:{model}"


def improvement(settings: Settings, place: Place, number: int | None) -> Improvement:
    """What the runs of an iteration say of the suite, with the edits that are known."""
    iteration = one_iteration(settings, place, number)
    text = (place.folder / FILE).read_bytes().decode("utf-8-sig")
    data = parse_json(text.encode(), str(place.folder / FILE))
    aggregate = EvalFeedbackAggregate.load(iteration.folder / "eval_feedback_aggregate.json")
    benchmark = None
    with suppress(NotFound):
        benchmark = Benchmark.load(iteration.folder / "benchmark.json")
    stored = _stored(iteration)
    edits = (*proposed(aggregate, benchmark, data), *(stored.edits if stored else ()))
    return Improvement(place, iteration, text, data, aggregate, edits, stored)


def ask_for_edits(settings: Settings, found: Improvement, author: Place) -> Improvement:
    """The same with edits of a model, which is asked once: numbers stay what they were."""
    engine = _engine(settings, author)
    if engine is None or engine.simulated:
        return found
    model = model_of(engine, author.model)
    if found.asked and (found.asked.engine, found.asked.model) == (engine.name, model):
        return found
    source = SuiteSource(found.place.folder, found.data, checkers(settings))
    query = question(engine.name, model, found.aggregate, found.data)
    with opened(settings) as app:
        answer = asyncio.run(asked(app.ask(), query, source))
    path = found.iteration.folder / PROPOSALS
    write_atomic(path, answer.model_dump_json(indent=2) + "\n", durable=False)
    return improvement(settings, found.place, found.iteration.number)


def applied(found: Improvement, edits: Sequence[SuiteEdit]) -> str:
    """The text of the suite with *edits*."""
    return edited_text(found.text, found.data, edits)


def apply(settings: Settings, found: Improvement, edits: Sequence[SuiteEdit]) -> str:
    """Write the suite with *edits*, and return the change as a diff; empty if there is none.

    Raises ``InvalidSuite`` and writes nothing if mistakes would be in it, and ``Conflict`` if
    somebody edited the suite meanwhile.
    """
    after = applied(found, edits)
    change = difference(found.text, after)
    if change:
        data = parse_json(after.encode(), FILE)
        parse_suite(data, found.place.folder, checkers(settings))
        path = found.place.folder / FILE
        if path.read_bytes().removeprefix(BOM_UTF8) != found.text.encode():
            raise Conflict(str(path), "the text that was shown", "another one")
        write_suite(found.place.folder, after)
    return change


def chosen(found: Improvement, numbers: Iterable[int]) -> list[SuiteEdit]:
    """The edits with these numbers; raises ``UsageError``."""
    edits: list[SuiteEdit] = []
    for number in dict.fromkeys(numbers):
        if not 1 <= number <= len(found.edits):
            raise UsageError(f"there is no edit {number}; there are {len(found.edits)}")
        edits.append(found.edits[number - 1])
    return edits


def checkers(settings: Settings) -> dict[str, Checker]:
    """Every installed type of check."""
    return every_checker(InstalledParts(settings.machine))


def model_of(engine: Engine, model: str | None) -> str:
    """The model to ask; raises ``UsageError`` where the engine has none of its own."""
    if model is not None:
        return model
    if isinstance(engine, Inspected) and not engine.inspect().has_default_model:
        raise UsageError(f"{engine.name} takes no model by itself; name one with --model")
    return "default"


def _engine(settings: Settings, place: Place) -> Engine | None:
    return InstalledParts(machine_of(settings)).engine(place.engine) if place.engine else None


def _stored(iteration: Iteration) -> Asked | None:
    path = iteration.folder / PROPOSALS
    try:
        found = Asked.model_validate(read_json(path))
    except NotFound:
        return None
    except ValidationError as error:
        raise InvalidDocument(
            path, "", f"{counted(error.error_count(), 'mistake', 'mistakes')}; delete it"
        ) from None
    if not all(may_propose(edit) for edit in found.edits):
        raise InvalidDocument(path, "", "it has a check that no model may propose; delete it")
    return found
