"""A model behind an API, without an agent around it: prompt in, text out.

It has no tools. So a skill can only be read: the text of one, or the instructions in the
SKILL.md of a package, go in as system prompt, and a package's scripts cannot run. A trial with
input files is refused, since nothing could read them.
"""

from whet.engines.api.engine import ApiEngine

__all__ = ["ApiEngine"]
