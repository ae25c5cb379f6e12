"""The cases of a baseline as the core has them."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import ValidationError

from whet.core.case import Case, Limits, Standard, Stimulus
from whet.core.errors import InvalidSuite, UsageError
from whet.core.rubric import SIX_DIMENSIONS, Rubric
from whet.documents.cases import BaselineCase, BaselineCases
from whet.documents.rubrics import QualityRubric
from whet.evaluate.check import read_checks
from whet.evaluate.rubrics import MOST_WEIGHT, named_rubric, read_rubric
from whet.ports.checker import Checker

NO_RUBRIC = "none"
"""Says that checks alone decide."""


@dataclass(frozen=True)
class CaseReader:
    """Reads the cases of one baseline, and lists every mistake in them."""

    source: str
    """What is named in messages."""

    set: str
    timeout_seconds: float
    """For cases without a time of their own."""

    checkers: Mapping[str, Checker]

    def read(self, document: BaselineCases) -> tuple[Case, ...]:
        """All cases; raises ``InvalidSuite`` with all that is wrong with them."""
        problems: list[str] = []
        of_all = SIX_DIMENSIONS
        if document.rubric is not None:
            of_all = self._rubric(document.rubric, "rubric", problems)
        found = [self._case(case, of_all, problems) for case in document.cases]
        if problems:
            raise InvalidSuite(self.source, problems)
        return tuple(case for case in found if case is not None)

    def _case(self, case: BaselineCase, of_all: Rubric | None, problems: list[str]) -> Case | None:
        checks = read_checks(
            [check.to_data() for check in case.checks or ()], case.id, self.checkers
        )
        problems += checks.problems
        rubric = of_all
        if case.rubric is not None:
            rubric = self._rubric(case.rubric, f"{case.id}: rubric", problems)
        if rubric is None and not checks.specs and not problems:
            problems.append(f"{case.id}: nothing to grade it by: no rubric and no checks")
        if case.files:
            problems.append(f"{case.id}: files: a baseline has none; run it as evals of a skill")
        if case.weight and not 1 / MOST_WEIGHT <= case.weight <= MOST_WEIGHT:
            problems.append(
                f"{case.id}: weight: must be 0, or {1 / MOST_WEIGHT:f} to {MOST_WEIGHT}"
            )
            return None
        try:
            return Case(
                id=case.id,
                set=self.set,
                name=case.name,
                category=case.category,
                stimulus=Stimulus(
                    prompt=case.input,
                    limits=Limits(timeout_seconds=case.timeout_seconds or self.timeout_seconds),
                ),
                standard=Standard(
                    expected=case.expected_output,
                    rubric=rubric,
                    weight=1 if case.weight is None else case.weight,
                    checks=checks.specs,
                ),
            )
        except ValidationError as error:
            found = error.errors(include_url=False)[0]
            problems.append(f"{case.id}: {found['loc'][-1]}: {found['msg']}")
            return None

    def _rubric(self, given: str | QualityRubric, where: str, problems: list[str]) -> Rubric | None:
        if given == NO_RUBRIC:
            return None
        if isinstance(given, str):
            try:
                return named_rubric(given)
            except UsageError as error:
                problems.append(f"{where}: {error}")
                return None
        rubric, mistakes = read_rubric(given, where)
        problems += mistakes
        return rubric
