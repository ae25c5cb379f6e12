"""What an engine may know of the machine it is on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Machine:
    """The user's own environment and home: where programs and credentials are found.

    Nothing of it reaches an agent unless its engine hands it on.
    """

    environment: Mapping[str, str] = field(repr=False)
    home: Path
