"""What the command line says about a race, in the languages it speaks."""

from dataclasses import dataclass

from whet.core.counts import CountedText


@dataclass(frozen=True)
class RaceWords:
    """Names in braces are filled in."""

    candidate: str
    average: str
    won: str
    beaten: str
    flattered: str
    measured: str
    cut_off: str
    simulated: str


ENGLISH = RaceWords(
    candidate="skill",
    average="in the race",
    won="won",
    beaten="clearly beaten",
    flattered=CountedText(
        "The race was run on {evals:eval|evals}. Its numbers flatter the winner, who was picked "
        "by them."
    ),
    measured="Measured anew, on the other evals: {winner}. {sentence}",
    cut_off="The budget ended it early.",
    simulated="Produced or graded by the built-in simulated agent or judge.",
)

CHINESE = RaceWords(
    candidate="技能",
    average="赛中得分",
    won="胜出",
    beaten="明显落败",
    flattered="比赛用了 {evals} 个评测项。胜者正是凭这些分数选出的，因此它们偏高。",
    measured="在其余评测项上重新测量：{winner}。{sentence}",
    cut_off="预算用尽，提前结束。",
    simulated="由内置的模拟智能体或模拟评审产生。",
)

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
