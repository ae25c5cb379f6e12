"""The closing message of the agent."""

import random

from whet.engines.simulated.conduct import Conduct
from whet.engines.simulated.phrases import CHECKED, DONE, FAREWELLS, GREETINGS, REMARKS
from whet.engines.simulated.traits import Trait


def closing_message(
    source: str, file: str, conduct: Conduct, chance: random.Random, *, chinese: bool
) -> str:
    """Show the code: bare, with a word on it, or wrapped in chatter."""
    code = f"```python\n{source.rstrip()}\n```"
    if Trait.CONCISE not in conduct:
        remarks = chance.sample(REMARKS, chance.randint(3, len(REMARKS)))
        parts = [chance.choice(GREETINGS)[chinese], code]
        parts += [f"{number}. {text[chinese]}" for number, text in enumerate(remarks, start=1)]
        return "\n\n".join([*parts, chance.choice(FAREWELLS)[chinese]])
    if Trait.FORMAT in conduct:
        return code
    words = DONE[chinese].format(file=file)
    if Trait.VERIFY in conduct:
        words += (" ", "")[chinese] + CHECKED[chinese]
    return f"{words}\n\n{code}"
