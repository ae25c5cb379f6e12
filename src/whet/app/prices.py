"""List prices of models, and the tokens of a usual run: enough for an order of magnitude.

The prices are rough and may be out of date; ``docs/evals.md`` says how they are used.
"""

import re
from dataclasses import dataclass

from whet.core.usage import Usage

AGENT_TOKENS = 15_000
"""What an agent program sends with every request: its instructions and its tools."""

TURNS = 8
"""Requests of a usual run."""

RUN_OUTPUT_TOKENS = 3_000
"""What the model writes in a usual run, its thoughts and files included."""

JUDGED_TOKENS = 4_000
"""What a judge reads of a run: the answer, the files and what they are held against."""

JUDGE_OUTPUT_TOKENS = 1_000
CACHED = 0.1
"""The price of a token that was sent before, as a share of the price of a new one."""

MILLION = 1_000_000


@dataclass(frozen=True)
class AgentRuns:
    """Runs of one engine and model that are to be paid for."""

    count: int
    task_tokens: float = 0
    """Tokens of the prompt and of the skill, on average."""

    max_turns: int | None = None


@dataclass(frozen=True)
class Price:
    """US dollars for a million tokens."""

    input: float
    output: float

    def of_run(self, runs: AgentRuns) -> float:
        """Guess what one of *runs* costs."""
        turns = min(TURNS, runs.max_turns or TURNS)
        written = RUN_OUTPUT_TOKENS * turns / TURNS
        first = AGENT_TOKENS + runs.task_tokens
        # Every later request sends all of it again, and half of what is written by then.
        later = (turns - 1) * (first + written / 2) * CACHED
        return self._of(first + later, written)

    def of_judge_call(self) -> float:
        """Guess what one question to a judge costs."""
        return self._of(AGENT_TOKENS + JUDGED_TOKENS, JUDGE_OUTPUT_TOKENS)

    def of_usage(self, usage: Usage) -> float:
        """What recorded tokens cost."""
        read = usage.input_tokens + usage.cache_write_tokens + CACHED * usage.cache_read_tokens
        return self._of(read, usage.output_tokens)

    def _of(self, read: float, written: float) -> float:
        return (read * self.input + written * self.output) / MILLION


_PRICES: tuple[tuple[str, Price], ...] = (
    ("3-opus|opus-4-[012]", Price(15, 75)),
    ("opus", Price(5, 25)),
    ("sonnet", Price(3, 15)),
    ("haiku", Price(1, 5)),
    (r"gpt-5[0-9.]*-pro", Price(15, 120)),
    (r"gpt-5[0-9.]*(?:-codex)?-mini", Price(0.25, 2)),
    (r"gpt-5[0-9.]*-nano", Price(0.05, 0.4)),
    (r"gpt-5[0-9.]*", Price(1.25, 10)),
    (r"gpt-4\.1-mini", Price(0.4, 1.6)),
    (r"gpt-4\.1-nano", Price(0.1, 0.4)),
    (r"gpt-4\.1", Price(2, 8)),
    ("gpt-4o-mini", Price(0.15, 0.6)),
    ("gpt-4o", Price(2.5, 10)),
    ("o[34]-mini", Price(1.1, 4.4)),
    ("o3", Price(2, 8)),
    (r"gemini-[0-9.]+-flash-lite", Price(0.1, 0.4)),
    (r"gemini-[0-9.]+-flash", Price(0.3, 2.5)),
    (r"gemini-[0-9.]+-pro", Price(1.5, 11)),
    ("deepseek-(?:chat|reasoner)", Price(0.3, 0.45)),
)
"""By a part of the model's name; the first that fits counts."""

_OWN_MODELS = {
    "claude:default": Price(3, 15),
    "codex:default": Price(1.25, 10),
    "gemini:default": Price(1.5, 11),
}
"""What agent programs take where nobody names a model: as a rule a middle one of their maker."""


def price_of(name: str) -> Price | None:
    """The list price of ``engine:model``; None where this table does not know the model."""
    if name in _OWN_MODELS:
        return _OWN_MODELS[name]
    model = name.partition(":")[2].lower()
    for part, price in _PRICES:
        if re.search(rf"(?<![a-z0-9])(?:{part})(?![a-z0-9])", model):
            return price
    return None
