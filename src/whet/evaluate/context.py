"""Care for long conversations: how large one grew, how near that is to a threshold, and the text
of one that went past it.

Agents look after their own context while they work, and what they do about it is part of what is
measured: nobody interferes. What whet does comes afterwards and asks no model.
"""

from typing import Literal

from whet.core.tokens import estimate
from whet.documents.session import Session
from whet.evaluate.transcript import WHOLE, transcript

Risk = Literal["normal", "warning", "critical"]

SHARE = 0.3
"""Of its tokens that a conversation is compressed to."""

_STEPS = 24


def percent(tokens: int, threshold: int) -> float:
    """How much of the threshold is used up."""
    return 100 * tokens / threshold


def risk(tokens: int, threshold: int) -> Risk:
    """How near a conversation came to the threshold."""
    used = percent(tokens, threshold)
    return "normal" if used < 60 else "warning" if used < 80 else "critical"


def exported(session: Session, tokens: int, *, compressed: bool) -> str:
    """The conversation as a text to read or to go on from. A compressed one has the same
    messages and calls, with less of what tools took and gave: as much as fits."""
    if not compressed:
        return transcript(session)
    most = int(tokens * SHARE)
    whole, least, largest = transcript(session), 0, WHOLE
    if estimate(whole) <= most:
        return whole
    # More of each call is more text: halving finds the most that fits.
    for _ in range(_STEPS):
        if largest - least <= 1:
            break
        middle = (least + largest) // 2
        if estimate(transcript(session, middle)) <= most:
            least = middle
        else:
            largest = middle
    return transcript(session, least)
