"""What the command line says about a race, in the languages it speaks."""

from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText


class RaceWords(Words):
    """Names in braces are filled in."""

    candidate = Both("skill", "技能")
    average = Both("in the race", "赛中得分")
    won = Both("won", "胜出")
    beaten = Both("clearly beaten", "明显落败")
    flattered = Both(
        CountedText(
            "The race was run on {evals:eval|evals}. Its numbers flatter the winner, who was "
            "picked "
            "by them."
        ),
        "比赛用了 {evals} 个评测项。胜者正是凭这些分数选出的，因此它们偏高。",
    )
    measured = Both(
        "Measured anew, on the other evals: {winner}. {sentence}",
        "在其余评测项上重新测量：{winner}。{sentence}",
    )
    cut_off = Both("The budget ended it early.", "预算用尽，提前结束。")
    simulated = Both(
        "Produced or graded by the built-in simulated agent or judge.",
        "由内置的模拟智能体或模拟评审产生。",
    )
