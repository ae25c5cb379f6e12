"""What the commands for skills and baselines say, in the languages it speaks."""

from whet.core.bilingual import Both, Words


class AssetWords(Words):
    """Names in braces are filled in."""

    shelved = Both("{name} {version}  {id}\n  {path}", "{name} {version}  {id}\n  {path}")
    note = Both("note", "注意")
