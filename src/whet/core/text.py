"""Text from outside."""


def storable(text: str) -> str:
    """*text* as UTF-8 has it: half an emoji, cut off somewhere, becomes a question mark."""
    return text.encode(errors="replace").decode()
