"""The simulated agent: a coder whose work depends on what the skill text asks for."""

from whet.engines.simulated.engine import SimulatedEngine

__all__ = ["SimulatedEngine"]
