"""Two submissions side by side: what the looks at each come to, on the scales of a comparison."""

from collections.abc import Mapping

from whet.judges.simulated.look import Look
from whet.judges.simulated.scale import overall
from whet.ports.comparing import Assessment, Preference

_DRAW = 0.02
_SIDES = {
    "correctness": "correctness",
    "completeness": "robustness",
    "accuracy": "correctness",
    "organization": "complexity",
    "formatting": "form",
    "usability": "readability",
}
"""Which look answers for which point of a comparison."""


def preference(a: Mapping[str, Look], b: Mapping[str, Look]) -> Preference:
    """The better one by overall impression; nearly equal ones are a tie."""
    first, second = _worth(a), _worth(b)
    winner = "TIE" if abs(first - second) < _DRAW else "A" if first > second else "B"
    return Preference(
        winner=winner,
        reasoning=f"simulated: A {first:.2f}, B {second:.2f}",
        a=_assessment(a),
        b=_assessment(b),
        simulated=True,
    )


def _assessment(looks: Mapping[str, Look]) -> Assessment:
    ordered = sorted(looks, key=lambda side: (looks[side].share, side))
    return Assessment(
        points={name: round(1 + 4 * looks[side].share) for name, side in _SIDES.items()},
        quality=round(1 + 9 * _worth(looks)),
        strengths=(f"{ordered[-1]}: {looks[ordered[-1]].evidence}",),
        weaknesses=(f"{ordered[0]}: {looks[ordered[0]].evidence}",),
    )


def _worth(looks: Mapping[str, Look]) -> float:
    return overall({side: look.share for side, look in looks.items()})
