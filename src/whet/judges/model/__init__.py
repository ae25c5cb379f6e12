"""The model judge: any engine is asked to grade, and what it is shown cannot give it orders."""

from whet.judges.model.judge import ModelJudge

__all__ = ["ModelJudge"]
