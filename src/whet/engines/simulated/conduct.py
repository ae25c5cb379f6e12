"""Drawing how the agent behaves in one trial.

The chance that a habit shows is its rate, by what the skill says of it, times the attention the
skill leaves, shifted by how hard the case is for that habit. The shift comes from the case
alone, so a hard case is hard for every arm.
"""

import math
import random
from dataclasses import dataclass
from functools import lru_cache

from whet.engines.simulated.guidance import Guidance
from whet.engines.simulated.traits import HABITS, Trait

_ASKED_RATE = 0.95
_FORBIDDEN_RATE = 0.04
_CASE_SPREAD = 0.45
_TRAIT_SPREAD = 1.3


@dataclass(frozen=True, slots=True)
class Conduct:
    """The habits that show in one trial, and whether a typing mistake is made."""

    shown: frozenset[Trait]
    slips: bool

    def __contains__(self, trait: Trait) -> bool:
        return trait in self.shown


@lru_cache(maxsize=4096)
def _strain(stimulus_digest: str) -> tuple[float, ...]:
    generator = random.Random(stimulus_digest)
    general = generator.gauss(0, _CASE_SPREAD)
    return tuple(general + generator.gauss(0, _TRAIT_SPREAD) for _ in HABITS)


def draw_conduct(guidance: Guidance, stimulus_digest: str, chance: random.Random) -> Conduct:
    """Draw what shows this time."""
    shown = [
        trait
        for trait, strain in zip(HABITS, _strain(stimulus_digest), strict=True)
        if chance.random() < _shifted(rate(guidance, trait) * guidance.attention, strain)
    ]
    slip_rate = 0.06 + 0.25 * (1 - guidance.attention)
    return Conduct(frozenset(shown), slips=chance.random() < slip_rate)


def rate(guidance: Guidance, trait: Trait) -> float:
    """How often *trait* shows in an average case to an agent with full attention."""
    asked, forbidden = trait in guidance.asked, trait in guidance.forbidden
    if asked == forbidden:
        return HABITS[trait].base
    return _ASKED_RATE if asked else _FORBIDDEN_RATE


def _shifted(probability: float, strain: float) -> float:
    if probability == 0:
        return 0.0
    return 1 / (1 + (1 - probability) / probability * math.exp(strain))
