"""How near a conversation came to the threshold of its project.

Agents look after their own context while they work, and what they do about it is part of what is
measured. What whet does comes afterwards: it counts, warns, and keeps what became too long.
"""

from typing import Literal

Risk = Literal["normal", "warning", "critical"]


def percent(tokens: int, threshold: int) -> float:
    """How much of the threshold is used up."""
    return 100 * tokens / threshold


def risk(tokens: int, threshold: int) -> Risk:
    """How near a conversation came to the threshold."""
    used = percent(tokens, threshold)
    return "normal" if used < 60 else "warning" if used < 80 else "critical"
