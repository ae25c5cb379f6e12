"""Points with reasons: how a look at one side of a submission is written down."""

from dataclasses import dataclass, field

from whet.judges.simulated.material import Material

_MOST_REASONS = 3


@dataclass(slots=True)
class Look:
    """Points out of a maximum, and why."""

    material: Material
    maximum: int
    points: float = 0
    reasons: list[str] = field(default_factory=list[str])

    def say(self, english: str, chinese: str, line: int | None = None) -> None:
        """Add a reason, with the place where it can be seen."""
        text = chinese if self.material.chinese else english
        self.reasons.append(text if line is None else f"{self.material.file}:{line} {text}")

    def add(self, points: float, english: str, chinese: str, line: int | None = None) -> None:
        """Give or take points for a reason."""
        self.points += points
        self.say(english, chinese, line)

    @property
    def share(self) -> float:
        """The points as a share of the maximum."""
        return min(max(self.points / self.maximum, 0.0), 1.0)

    @property
    def evidence(self) -> str:
        """The first few reasons."""
        return "; ".join(self.reasons[:_MOST_REASONS])
