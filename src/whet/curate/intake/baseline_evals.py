"""The eval suite of a skill as a baseline, and a baseline as an eval suite.

Both have something that the other has no place for. It is kept under a key of its own, so that
the way there and back changes nothing.
"""

from collections.abc import Iterator, Mapping, Sequence

from pydantic import JsonValue

from whet.core.errors import InvalidImport
from whet.curate.draft import BaselineDraft
from whet.curate.intake.case_rows import DEEPEST, is_deeper
from whet.curate.segments import shown
from whet.documents.cases import BaselineCase
from whet.documents.evals import Eval, EvalSuite
from whet.documents.rubrics import QualityRubric

_SUFFIX = " evals"

_OTHERWISE = {
    "prompt": "input",
    "structural_expectations": "checks",
    "quality_rubric": "rubric",
}


def baseline_name(skill_name: str) -> str:
    """What the evals of a skill are called as a baseline."""
    return skill_name + _SUFFIX


def rows_from_evals(data: JsonValue, source: str) -> tuple[str, list[JsonValue], tuple[str, ...]]:
    """The name of the skill, its evals as cases, and what is to be told."""
    if is_deeper(data, DEEPEST):
        raise InvalidImport(source, [f"is nested more than {DEEPEST} levels deep"])
    if problems := EvalSuite.mistakes(data):
        raise InvalidImport(source, problems)
    suite = EvalSuite.parse(data, source)
    notes = tuple(_notes(suite))
    return suite.skill_name, [_row(each) for each in suite.evals], notes


def evals_of(draft: BaselineDraft) -> tuple[EvalSuite, tuple[str, ...]]:
    """The cases as evals, and what an eval cannot say."""
    rubrics = dict.fromkeys(_named_rubric(case, draft) for case in draft.cases)
    notes = [
        f"an eval cannot name a rubric, so {shown(name)} is left out" for name in rubrics if name
    ]
    suite = EvalSuite(
        skill_name=draft.about.name.removesuffix(_SUFFIX),
        evals=tuple(_eval(case, draft) for case in draft.cases),
    )
    return suite, tuple(notes)


def _row(each: Eval) -> JsonValue:
    data = each.to_data()
    if not isinstance(data, dict):
        return data
    row: dict[str, JsonValue] = {}
    for key, value in data.items():
        if value in (None, []):
            continue
        row[_OTHERWISE.get(key, key)] = value
    if each.expectations:
        row["expected_output"] = _joined(each.expected_output, each.expectations)
    return {**row, "id": str(each.id)}


def _joined(expected: str, expectations: Sequence[str]) -> str:
    """What is expected with the expectations in words below it: all of it is for the judge."""
    listed = "\n".join(f"- {text}" for text in expectations)
    return f"{expected}\n\n{listed}" if expected else listed


def _notes(suite: EvalSuite) -> Iterator[str]:
    if suite.eval_config is not None:
        yield "eval_config is not taken: how cases are run is a matter of the project"
    if any(each.expectations for each in suite.evals):
        yield "expectations in words now stand in what is expected, for the judge to read"
    if names := sorted({name for each in suite.evals for name in each.files}):
        yield f"files are kept as names only: {', '.join(map(repr, names[:10]))}"


def _named_rubric(case: BaselineCase, draft: BaselineDraft) -> str | None:
    rubric = _rubric(case, draft)
    return rubric if isinstance(rubric, str) else None


def _rubric(case: BaselineCase, draft: BaselineDraft) -> str | QualityRubric | None:
    return draft.rubric if case.rubric is None else case.rubric


def _eval(case: BaselineCase, draft: BaselineDraft) -> Eval:
    data = case.lean().to_data()
    source: Mapping[str, JsonValue] = data if isinstance(data, dict) else {}
    names = {here: there for there, here in _OTHERWISE.items()}
    written: dict[str, JsonValue] = {}
    written |= {names.get(key, key): value for key, value in source.items() if value is not None}
    rubric = _rubric(case, draft)
    written.pop("quality_rubric", None)
    if isinstance(rubric, QualityRubric):
        written["quality_rubric"] = rubric.to_data()
    written["id"] = _number(case.id)
    written["expected_output"] = _parted(case, written.get("expectations"))
    return Eval.parse(written, case.id)


def _parted(case: BaselineCase, expectations: JsonValue) -> str:
    """What is expected without the expectations, where they were put below it."""
    if not isinstance(expectations, list):
        return case.expected_output
    texts = [text for text in expectations if isinstance(text, str)]
    listed = _joined("", texts)
    if case.expected_output == listed:
        return ""
    return case.expected_output.removesuffix(f"\n\n{listed}")


def _number(identity: str) -> int | str:
    """The id as the number that it was, if it was one."""
    is_number = identity.isascii() and identity.isdigit() and str(int(identity[:18])) == identity
    return int(identity) if is_number else identity
