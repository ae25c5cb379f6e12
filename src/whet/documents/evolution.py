"""Workspace format: analysis and iteration."""

from typing import Literal

from pydantic import Field, JsonValue

from whet.documents.base import Document, Items, Number, Written

Strategy = Literal[
    "GREEDY", "DIMENSION_FOCUS", "SEGMENT_EXPLORE", "CROSS_POLLINATE", "RANDOM_SUBSET"
]


class AdvantageSegment(Document):
    """A part of a skill that seems to make it good at something."""

    id: str
    skill_id: str
    skill_name: str
    type: Literal["instruction", "constraint", "format", "role", "example"]
    content: str
    reason: str
    dimension: str


class Issue(Document):
    """A weakness of a skill in one dimension."""

    skill_id: str
    skill_name: str
    dimension: str
    description: str


class AnalysisReport(Document):
    """``analysis_report.json`` of a project."""

    project_id: str
    generated_at: str
    best_skill_id: str
    best_skill_name: str
    dimension_leaders: dict[str, str | None]
    advantage_segments: Items[AdvantageSegment]
    issues: Items[Issue]

    simulated: bool | None = None


class RoundConfig(Document):
    """``iterations/round_{n}/config.json``."""

    round: int
    skill_id: str
    skill_name: str
    skill_version: str
    baseline_id: str | None = None
    retention_rules: Written[str] = ""
    started_at: str
    completed_at: Written[str | None] = None
    status: str

    avg_score: Number | None = None


class RoundSummary(Document):
    """One round in the report; the first has no ``score_delta``."""

    round: int
    strategy: Strategy | None = None
    skill_id: str
    skill_name: str
    avg_score: Number | None
    score_delta: Number | None
    score_breakdown: dict[str, Number | None]

    accepted: bool | None = None


class IterationReport(Document):
    """``iterations/iteration_report.json``."""

    project_id: str
    generated_at: str
    total_rounds: int
    stop_reason: Literal["threshold_reached", "max_rounds", "manual"]
    stop_threshold: Written[Number | None] = None
    best_round: int
    best_skill_id: str
    best_skill_name: str
    best_avg_score: Number | None
    rounds: Items[RoundSummary]

    stop_detail: Literal["budget", "no_improvement", "error"] | None = None
    simulated: bool | None = None

    @classmethod
    def _modern(cls, data: JsonValue) -> JsonValue:
        # Two reasons that an older program wrote although its format does not have them.
        match data:
            case {"stop_reason": "paused"}:
                return data | {"stop_reason": "manual"}
            case {"stop_reason": "error"}:
                return data | {"stop_reason": "manual", "stop_detail": "error"}
            case _:
                return data


class ExplorationParams(Document):
    """What an iteration was started with."""

    max_rounds: int = Field(validation_alias="maxRounds", serialization_alias="maxRounds")
    beam_width: int = Field(validation_alias="beamWidth", serialization_alias="beamWidth")
    plateau_threshold: Number = Field(
        validation_alias="plateauThreshold", serialization_alias="plateauThreshold"
    )
    stop_threshold: Number | None = Field(
        validation_alias="stopThreshold", serialization_alias="stopThreshold"
    )


class Candidate(Document):
    """A skill that was tried in a round; ``won`` makes it the best of its beam."""

    strategy: Strategy
    skill_id: str | None
    avg_score: Number | None
    score_breakdown: Written[dict[str, Number | None]] = {}
    won: bool
    error: Written[str | None] = None

    accepted: bool | None = None
    """Whether it also is better than the skill it would replace."""


class ExplorationRound(Document):
    """Everything that was tried after one round."""

    round: int
    plateau_level: int
    strategies_tried: Items[Strategy]
    candidates: Items[Candidate]
    winner_skill_id: str | None


class BestEver(Document):
    """The best candidate of all rounds."""

    round: int
    strategy: Strategy | None = None
    skill_id: str
    avg_score: Number | None


class ExplorationLog(Document):
    """``iterations/exploration_log.json``."""

    project_id: str
    started_at: str
    completed_at: Written[str | None] = None
    params: ExplorationParams
    original_skill_ids: Items[str]
    rounds: Items[ExplorationRound]
    best_ever: BestEver | None
