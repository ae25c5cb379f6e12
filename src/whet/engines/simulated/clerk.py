"""The agent for plainly worded tasks: errands about files, and questions.

It knows the prompt and the files of the case, and never what anybody expects. What it cannot do
it says.
"""

import re
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing

from whet.core.step import Ended, Step
from whet.core.trial import TrialSpec
from whet.engines.simulated import phrases
from whet.engines.simulated.desk import Desk
from whet.engines.simulated.errands.doing import Doer, Place
from whet.engines.simulated.errands.errand import Ask, Errand, Read, Reply, Say, Search, Wonder
from whet.engines.simulated.errands.plan import planned
from whet.engines.simulated.language import is_chinese
from whet.engines.simulated.options import allowed_tools
from whet.engines.simulated.quiz.question import Asked, asked
from whet.engines.simulated.transcript import Transcript
from whet.engines.simulated.uptake import followed
from whet.ports.workdir import Workdir

_DONE = ("Done: {}.", "已完成：{}。")
_UNDONE = ("I could not do this: {}.", "未能完成：{}。")
_UNKNOWN = ("I do not know.", "我不知道。")
_SAVES = re.compile(r"\b(?:save|store|export)\b|保存|存为|导出", re.IGNORECASE)


def is_for_clerk(prompt: str) -> bool:
    """Whether a prompt is a plainly worded task and not one for a coder."""
    return bool(planned(prompt)) or asked(prompt) is not None


def is_understood(prompt: str) -> bool:
    """Whether a prompt is such a task and every file in it has its errand: a file that is to be
    saved is not one to look something up in."""
    errands = planned(prompt)
    if not errands:
        return asked(prompt) is not None
    looks = all(isinstance(one, Ask | Read | Reply | Say) for one in errands)
    unclear = any(isinstance(one, Wonder) for one in errands)
    return not unclear and not (looks and _SAVES.search(prompt))


class Clerk:
    """One attempt at one prompt; its parts are those of ``Agent``."""

    def __init__(self, spec: TrialSpec, workdir: Workdir) -> None:
        prompt = spec.stimulus.prompt
        allowed = allowed_tools(spec.options)
        if allowed is None and spec.stimulus.tools:
            allowed = frozenset(spec.stimulus.tools)
        self._skills = followed(spec, workdir)
        self._desk = Desk(spec, workdir, self._skills)
        self._errands: tuple[Errand, ...] = planned(prompt)
        self._asked: Asked | None = None if self._errands else asked(prompt)
        self._digest = spec.stimulus.digest
        self._chinese = is_chinese(prompt)
        self._tools = allowed
        self.transcript = Transcript(prompt)
        self._doer = Doer(Place(workdir, spec.sandbox, allowed), self.transcript)
        self._answer = ""

    def read(self) -> Iterator[Step]:
        """Read the skill that it takes up. The files of the case wait until they are needed."""
        log = self.transcript
        for skill in self._skills:
            if skill.name:
                yield log.triggered(skill.name)
        if self._tools is None or "Read" in self._tools:
            for path, text in self._desk.skill_texts():
                yield log.called("Read", {"file_path": path}, phrases.OPENS_SKILL[self._chinese])
                yield log.returned(text, f"Read {len(text.splitlines())} lines")

    def write(self) -> Iterator[Step]:
        """Think about the question, if it is one."""
        if self._asked is not None:
            said, self._answer = self._asked.answer(self._digest, chinese=self._chinese)
            yield self.transcript.said(said)

    async def check(self) -> AsyncGenerator[Step, None]:
        """Do the errands in their order."""
        for errand in self._errands:
            async with aclosing(self._doer.do(errand)) as steps:
                async for step in steps:
                    yield step

    def end(self) -> Ended:
        """Say the last word."""
        return self.transcript.ended(self._answer or self._report())

    def _report(self) -> str:
        said = [one.text for one in self._errands if isinstance(one, Say)]
        doer, asks = (
            self._doer,
            [one for one in self._errands if isinstance(one, Reply | Ask | Search)],
        )
        wanted = [one.phrase for one in asks if one.phrase]
        told = [found for phrase in wanted if (found := doer.mind.reply(phrase))]
        parts = said or told[:1]
        if doer.undone:
            why = ("; ", "；")[self._chinese].join(pair[self._chinese] for pair in doer.undone)
            parts = [*parts, _UNDONE[self._chinese].format(why)]
        if not parts and wanted:
            parts = [_UNKNOWN[self._chinese]]
        if not parts:
            findings = [] if doer.done else [doer.mind.value or ""]
            done = [_DONE[self._chinese].format(", ".join(dict.fromkeys(doer.done)))]
            parts = done if doer.done else findings
        return "\n".join(part for part in parts if part) or _UNKNOWN[self._chinese]
