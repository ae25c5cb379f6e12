"""The answers that a model is asked for: their JSON Schema, and how they are read.

Every property is required and no other is allowed, as services that hold a model to a schema
want it; evidence stands before what it is evidence for, since models write in order.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from whet.core.case import Standard
from whet.core.errors import JudgeFailure
from whet.core.grade import Claim, DimensionScore, JudgedExpectation, Judgement, Suggestion
from whet.core.rubric import Dimension, Rubric
from whet.core.text import shortened
from whet.ports.comparing import CONTENT, STRUCTURE, Assessment, Preference

MOST_CLAIMS = 20
MOST_SUGGESTIONS = 10
MOST_POINTS = 10
LONGEST = 4_000
"""Characters of one text in an answer that are kept."""

_PLAIN = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_TEXT: dict[str, JsonValue] = {"type": "string"}
_DECISION: dict[str, JsonValue] = {"type": "boolean"}


def keys(rubric: Rubric) -> dict[str, Dimension]:
    """The dimensions by the name of their property: their own name where all names are such
    that every service takes them, else their place."""
    names = [dimension.name for dimension in rubric.dimensions]
    if not all(_PLAIN.fullmatch(name) for name in names):
        names = [f"d{number}" for number in range(1, len(names) + 1)]
    return dict(zip(names, rubric.dimensions, strict=True))


def is_whole(dimension: Dimension) -> bool:
    """Whether only whole numbers are on its scale."""
    return float(dimension.minimum).is_integer() and float(dimension.maximum).is_integer()


def grading_schema(standard: Standard, rubric: Rubric | None) -> dict[str, JsonValue]:
    """What a judgement of one submission looks like."""
    properties: dict[str, JsonValue] = {}
    if count := len(standard.expectations):
        decided = _object(number=_number("integer", 1, count), evidence=_TEXT, passed=_DECISION)
        properties["expectations"] = {**_list(decided, count), "minItems": count}
    if rubric is not None:
        scores = {key: _score(dimension) for key, dimension in keys(rubric).items()}
        properties["scores"] = _object(**scores)
    kind: dict[str, JsonValue] = {"type": "string", "enum": ["factual", "process", "quality"]}
    claim = _object(claim=_TEXT, type=kind, evidence=_TEXT, verified=_DECISION)
    suggestion = _object(assertion={"type": ["string", "null"]}, reason=_TEXT)
    properties["claims"] = _list(claim, MOST_CLAIMS)
    properties["suggestions"] = _list(suggestion, MOST_SUGGESTIONS)
    properties["overall"] = _TEXT
    return _object(**properties)


def comparing_schema() -> dict[str, JsonValue]:
    """What a comparison looks like."""
    points: dict[str, JsonValue] = {
        name: _number("integer", 1, 5) for name in (*CONTENT, *STRUCTURE)
    }
    texts = _list(_TEXT, MOST_POINTS)
    side = _object(
        strengths=texts,
        weaknesses=texts,
        points=_object(**points),
        quality=_number("integer", 1, 10),
    )
    winner: dict[str, JsonValue] = {"type": "string", "enum": ["A", "B", "TIE"]}
    return _object(a=side, b=side, reasoning=_TEXT, winner=winner)


def read_judgement(value: JsonValue, standard: Standard, rubric: Rubric | None) -> Judgement:
    """The judgement in an answer; raises ``JudgeFailure`` if it is none."""
    given = _read(_Judged, value)
    by_key = keys(rubric) if rubric is not None else {}
    if given.scores.keys() != by_key.keys():
        raise JudgeFailure("the judge did not score exactly the dimensions of the rubric")
    return Judgement(
        scores={
            dimension.name: DimensionScore(
                score=given.scores[key].score, evidence=_kept(given.scores[key].evidence)
            )
            for key, dimension in by_key.items()
        },
        expectations=_in_order(given.expectations, standard.expectations),
        claims=tuple(
            Claim(
                claim=_kept(one.claim),
                type=one.type,
                verified=one.verified,
                evidence=_kept(one.evidence),
            )
            for one in given.claims[:MOST_CLAIMS]
        ),
        suggestions=tuple(
            Suggestion(reason=_kept(one.reason), assertion=_kept(one.assertion or "") or None)
            for one in given.suggestions[:MOST_SUGGESTIONS]
        ),
        overall=_kept(given.overall),
    )


def read_preference(value: JsonValue) -> Preference:
    """The comparison in an answer; raises ``JudgeFailure`` if it is none."""
    given = _read(_Compared, value)
    return Preference(
        winner=given.winner,
        reasoning=_kept(given.reasoning),
        a=_assessment(given.a),
        b=_assessment(given.b),
    )


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True)


class _Score(_Answer):
    score: float
    evidence: str


class _Decided(_Answer):
    number: int
    passed: bool
    evidence: str


class _Claimed(_Answer):
    claim: str
    type: Literal["factual", "process", "quality"]
    verified: bool
    evidence: str


class _Suggested(_Answer):
    assertion: str | None
    reason: str


class _Judged(_Answer):
    scores: dict[str, _Score] = {}
    expectations: list[_Decided] = []
    claims: list[_Claimed]
    suggestions: list[_Suggested]
    overall: str


class _Side(_Answer):
    points: dict[str, float]
    quality: float
    strengths: list[str]
    weaknesses: list[str]


class _Compared(_Answer):
    a: _Side
    b: _Side
    reasoning: str
    winner: Literal["A", "B", "TIE"]


_Shape = TypeVar("_Shape", bound=_Answer)


def _read(shape: type[_Shape], value: JsonValue) -> _Shape:
    try:
        return shape.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise JudgeFailure(f"the judge's answer does not fit: {where}: {first['msg']}") from None


def _in_order(given: Sequence[_Decided], texts: Sequence[str]) -> tuple[JudgedExpectation, ...]:
    """Every expectation once, in the order of the case, however the model ordered them."""
    by_number = {one.number: one for one in given}
    if len(given) != len(texts) or by_number.keys() != set(range(1, len(texts) + 1)):
        raise JudgeFailure("the judge did not decide every expectation exactly once")
    return tuple(
        JudgedExpectation(
            text=text, passed=by_number[n].passed, evidence=_kept(by_number[n].evidence)
        )
        for n, text in enumerate(texts, 1)
    )


def _assessment(side: _Side) -> Assessment:
    if side.points.keys() != {*CONTENT, *STRUCTURE}:
        raise JudgeFailure("the judge did not give exactly the points that are asked for")
    if not all(1 <= number <= 5 for number in side.points.values()) or not 1 <= side.quality <= 10:
        raise JudgeFailure("the judge gave points outside their scale")
    return Assessment(
        points=dict(side.points),
        quality=side.quality,
        strengths=tuple(map(_kept, side.strengths[:MOST_POINTS])),
        weaknesses=tuple(map(_kept, side.weaknesses[:MOST_POINTS])),
    )


def _kept(text: str) -> str:
    return shortened(text, LONGEST)


def _score(dimension: Dimension) -> dict[str, JsonValue]:
    if is_whole(dimension):
        scale = _number("integer", int(dimension.minimum), int(dimension.maximum))
    else:
        scale = _number("number", dimension.minimum, dimension.maximum)
    return _object(evidence=_TEXT, score=scale)


def _number(kind: str, low: float, high: float) -> dict[str, JsonValue]:
    return {"type": kind, "minimum": low, "maximum": high}


def _list(items: Mapping[str, JsonValue], most: int) -> dict[str, JsonValue]:
    return {"type": "array", "items": dict(items), "maxItems": most}


def _object(**properties: JsonValue) -> dict[str, JsonValue]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
