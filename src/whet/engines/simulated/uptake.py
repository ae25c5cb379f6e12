"""Whether the agent takes a skill up, and which of several.

A mere text always holds. Of the packages the agent takes up the one whose name and description
have most words in common with the prompt, if they have enough of them. Chance, drawn from the
trial's address, makes close calls differ from attempt to attempt. What a description excludes
("not for …") counts against it. Without a description the package on trial is always taken up,
and one beside it never.
"""

import math
import random
import re
from pathlib import Path
from typing import NamedTuple

from whet.core.arm import SkillPackage
from whet.core.front_matter import HEAD, description_of, name_of
from whet.core.sized_cache import sized_cache
from whet.core.trial import TrialSpec
from whet.core.words import subject_words
from whet.engines.simulated.reading import read_text
from whet.ports.workdir import Workdir

_ENOUGH = 0.7
"""Less than one word that really says something."""

_CHANCE = 0.2
_SENTENCE_END = re.compile(r"[\n.。;；!！?？]+")
_EXCLUDES = re.compile(
    r"\bnot (?:for|when|if)\b|\b(?:do not|does not|don't|never) (?:use|apply|trigger)\b|\bexcept\b"
    r"|不用于|不适用于|不要用|请勿用|除外",
    re.IGNORECASE,
)


class Followed(NamedTuple):
    """A skill that the agent works by; *name* is None for a mere text, which nobody takes up."""

    package: SkillPackage
    folder: Path
    name: str | None


def on_trial(spec: TrialSpec, workdir: Workdir) -> Followed | None:
    """The skill on trial, for an agent that was told to use it."""
    if spec.skill is None or workdir.skill is None:
        return None
    if spec.skill.kind == "text":
        return Followed(spec.skill, workdir.skill, None)
    text = read_text(workdir.skill / spec.skill.entry.path, HEAD)
    return Followed(spec.skill, workdir.skill, name_of(text, spec.skill))


def followed(spec: TrialSpec, workdir: Workdir) -> list[Followed]:
    """The text that holds anyhow, then the package that is taken up."""
    found: list[Followed] = []
    offers: list[tuple[float, Followed]] = []
    if spec.skill is not None and workdir.skill is not None:
        if spec.skill.kind == "text":
            found.append(Followed(spec.skill, workdir.skill, None))
        else:
            offers.append(_offer(spec, spec.skill, workdir.skill, without=math.inf))
    for package, folder in zip(spec.neighbours, workdir.neighbours, strict=True):
        offers.append(_offer(spec, package, folder, without=-math.inf))
    best = max(offers, key=lambda offer: offer[0], default=None)
    if best is not None and best[0] > _ENOUGH:
        found.append(best[1])
    return found


def _offer(
    spec: TrialSpec, package: SkillPackage, folder: Path, *, without: float
) -> tuple[float, Followed]:
    """A package, and how much it attracts; *without* a description that much."""
    text = read_text(folder / package.entry.path, HEAD)
    name, description = name_of(text, package), description_of(text)
    offered = Followed(package, folder, name)
    if not description:
        return without, offered
    luck = random.Random(f"uptake {spec.address} {package.digest}").gauss(0, _CHANCE)
    return _likeness(spec.stimulus.prompt, f"{name}. {description}") + luck, offered


def _likeness(prompt: str, description: str) -> float:
    wanted, excluded = _subject(description)
    asked = subject_words(prompt)
    gain = sum(weight for word, weight in asked.items() if word in wanted)
    loss = sum(weight for word, weight in asked.items() if word in excluded)
    return gain - loss


@sized_cache(8 * 1024 * 1024, per_character=40)
def _subject(description: str) -> tuple[frozenset[str], frozenset[str]]:
    """The words that a description is about, and those that it is expressly not about."""
    wanted: set[str] = set()
    excluded: set[str] = set()
    for sentence in _SENTENCE_END.split(description):
        cue = _EXCLUDES.search(sentence)
        wanted |= subject_words(sentence[: cue.start()] if cue else sentence).keys()
        excluded |= subject_words(sentence[cue.end() :]).keys() if cue else set[str]()
    return frozenset(wanted), frozenset(excluded - wanted)
