"""The judge: put the submission to a model, read what it says."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from pydantic import JsonValue

from whet.core.address import digest
from whet.core.case import Limits
from whet.core.errors import AskFailure, JudgeFailure, UsageError
from whet.core.grade import Judgement
from whet.core.rubric import Rubric
from whet.judges.model.prompt import VERSION, comparing_prompt, grading_prompt
from whet.judges.model.schema import (
    comparing_schema,
    grading_schema,
    read_judgement,
    read_preference,
)
from whet.ports.ask import Query, Reply
from whet.ports.comparing import Preference
from whet.ports.judge import JudgeSetup, Submission

LIMITS = Limits(timeout_seconds=300)
TRIES = 2
"""Questions that may be asked anew for one judgement; each may be repaired once by whoever asks."""

MOST_TRIES = 20
"""Answers that cannot be used are on record like any others. They are looked at first, as they
cost nothing, and then another question is asked: a judge that failed has not failed for good."""

Read = TypeVar("Read")


class ModelJudge:
    """Any engine as a judge.

    Every seed gets an answer of its own: equal work is judged anew for every trial, else the
    judge's own noise could not be seen. The same seed finds the answer that is on record.
    """

    name = "model"
    simulated = False

    def __init__(self, setup: JudgeSetup) -> None:
        if not setup.engine:
            raise UsageError("the judge 'model' needs to know which engine to ask")
        self._ask = setup.ask
        self._engine = setup.engine
        self._model = setup.model or "default"
        # The same model may answer differently elsewhere, and "default" alone says nothing.
        self.model = f"{self._engine}:{self._model}"
        self.version = f"{VERSION} {self.model}"

    async def judge(self, submission: Submission, rubric: Rubric | None, seed: str) -> Judgement:
        """See the port."""
        standard = submission.case.standard

        def prompt() -> str:
            return grading_prompt(submission, rubric, submission.transcript())

        def read(value: JsonValue) -> Judgement:
            return read_judgement(value, standard, rubric)

        query = await self._query(prompt, grading_schema(standard, rubric))
        reply, judgement = await self._answered(query, seed, read)
        found = {"asked": reply.addresses, "simulated": reply.simulated}
        return judgement.model_copy(update=found)

    async def compare(self, a: Submission, b: Submission, seed: str) -> Preference:
        """See the port."""
        rubric = a.case.standard.rubric
        query = await self._query(lambda: comparing_prompt(a, b, rubric), comparing_schema())
        reply, preference = await self._answered(query, seed, read_preference)
        return replace(preference, asked=reply.addresses, simulated=reply.simulated)

    async def _query(self, prompt: Callable[[], str], schema: dict[str, JsonValue]) -> Query:
        # Files are read and decoded on the way, which may take its time.
        text = await asyncio.to_thread(prompt)
        return Query(text, self._engine, self._model, schema, LIMITS)

    async def _answered(
        self, query: Query, seed: str, read: Callable[[JsonValue], Read]
    ) -> tuple[Reply, Read]:
        trouble, tries = "", 0
        asked: tuple[str, ...] = ()
        for attempt in range(1, MOST_TRIES + 1):
            try:
                reply = await self._ask(replace(query, series=_series(seed, attempt)))
            except AskFailure as failure:
                trouble, asked = str(failure), (*asked, *failure.addresses)
                tries += not failure.is_recorded
            else:
                asked = (*asked, *reply.addresses)
                try:
                    return replace(reply, addresses=asked), read(reply.value)
                except JudgeFailure as failure:
                    trouble = str(failure)
                    tries += not reply.is_recorded
            if tries == TRIES:
                break
        failed = JudgeFailure(f"judge {self.model}: {trouble}")
        failed.asked = asked
        raise failed


def _series(seed: str, attempt: int) -> int:
    return int(digest([seed, attempt])[:8], 16)
