"""All that the agent has found out when it comes to write."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pydantic import JsonValue

from whet.engines.simulated.contract.facts import Facts, facts_of, first_words, together
from whet.engines.simulated.contract.material import Source
from whet.engines.simulated.contract.order import Order
from whet.engines.simulated.language import is_chinese

_TOP = 5
_NOTHING = ("There was nothing to read.", "没有可读的内容。")
_REPLY = ("Reply: {}", "回复：{}")


class Said(NamedTuple):
    """What a person was asked, and what came back."""

    question: str
    reply: str


@dataclass(frozen=True, slots=True)
class Findings:
    """What everything that is written is derived from."""

    title: str
    summary: str
    """The beginning of the material, and what a person had to say."""

    whole: Facts
    sources: tuple[tuple[Source, Facts], ...]
    values: Mapping[str, JsonValue]
    """Inputs that are no files, and parameters."""

    said: tuple[Said, ...]
    chinese: bool
    most_words: int | None
    """How long a text may be."""


def found(sources: Sequence[Source], order: Order, said: Sequence[Said], name: str) -> Findings:
    """Work it out; *name* is the skill's, for where nothing else has a name."""
    files = [source for source in sources if source.path is not None]
    top = order.number("top", "top_n", "top_words", "max_keywords") or _TOP
    used = files or sources
    text = "\n".join(source.text for source in used)
    parts = [facts_of(source.text, top) for source in used]
    whole = parts[0] if len(parts) == 1 else together(parts, facts_of(text, top))
    chinese = _chinese(order, text + "".join(one.reply for one in said))
    most = order.number("max_words", "word_limit", "max_length_words")
    paths = [source.path for source in files]
    inline = {key: value for key, value in order.inputs.items() if value not in paths}
    return Findings(
        title=order.text("title") or whole.title or name,
        summary=_summary(whole, said, most, chinese=chinese),
        whole=whole,
        sources=tuple(zip(used, parts, strict=True)),
        values={**inline, **order.parameters},
        said=tuple(said),
        chinese=chinese,
        most_words=most,
    )


def _chinese(order: Order, text: str) -> bool:
    wanted = order.text("language", "lang", "locale")
    if wanted is not None:
        return wanted.lower().startswith(("zh", "chinese", "中"))
    return is_chinese(text)


def _summary(whole: Facts, said: Sequence[Said], most: int | None, *, chinese: bool) -> str:
    joint = "" if chinese else " "
    replies = [_REPLY[chinese].format(" ".join(one.reply.split())) for one in said]
    quoted = whole.summary or (_NOTHING[chinese] if not replies else "")
    summary = joint.join(part for part in (quoted, *replies) if part)
    return summary if most is None else first_words(summary, most)
