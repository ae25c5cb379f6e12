"""The simulated judge: reads what was produced and scores it by rules anyone can check."""

from whet.judges.simulated.judge import SimulatedJudge

__all__ = ["SimulatedJudge"]
