"""What the commands for skills and baselines say, in the languages it speaks."""

from dataclasses import dataclass


@dataclass(frozen=True)
class AssetWords:
    """Names in braces are filled in."""

    shelved: str
    note: str


ENGLISH = AssetWords(shelved="{name} {version}  {id}\n  {path}", note="note")

CHINESE = AssetWords(shelved="{name} {version}  {id}\n  {path}", note="注意")

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
