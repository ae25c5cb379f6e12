"""The agent itself: it reads the skill, writes a solution, and checks it if it has that habit."""

import random
import re
from collections.abc import AsyncGenerator, Iterator

from whet.core.step import Ended, Step
from whet.core.trial import TrialSpec
from whet.engines.simulated import checking, phrases
from whet.engines.simulated.answer import closing_message
from whet.engines.simulated.compose import compose, compose_tests
from whet.engines.simulated.conduct import draw_conduct
from whet.engines.simulated.desk import Desk
from whet.engines.simulated.guidance import NO_SKILL, read_guidance
from whet.engines.simulated.kernels import ANYTHING, recognise
from whet.engines.simulated.language import is_chinese
from whet.engines.simulated.phrases import Pair
from whet.engines.simulated.traits import Trait
from whet.engines.simulated.transcript import Transcript, counted
from whet.engines.simulated.uptake import followed
from whet.ports.workdir import Workdir

_WANTS = (
    r"\b(?:add|build|complet|creat|defin|develop|fix|giv|implement|mak|need|provid|refactor|want"
    r"|writ)\w*"
)
_OF_IT = r"(?:[\s,]+(?!(?:about|for|from|in|into|of|on|that|to|which|with)\b)[\w'’-]+){0,6}?[\s,]+"
_CODE = re.compile(
    rf"{_WANTS}{_OF_IT}(?:functions?|algorithms?|code)\b|\balgorithms?\b|函数|算法"
    r"|(?:写|实现|开发|重构|修复|给出|生成)[^。！？\n]{0,30}"
    r"(?:脚本|(?<!故障|错误|邮政|股票|货币|写明|写出)代码|程序|模块)",
    re.IGNORECASE,
)
"""Code that is asked for, and not a code of something else."""

_MAY_BE_CODE = re.compile(
    rf"{_WANTS}{_OF_IT}(?:class(?:es)?|scripts?|programs?|modules?)\b(?!\s+(?:about|on)\b)|\bimplement",
    re.IGNORECASE,
)
"""A class may be one for pupils, and a script one for a stage, unless it is a known task."""

_OTHER_LANGUAGE = re.compile(
    r"\b(?:typescript|javascript|node\.js|react|java|kotlin|swift|golang|rust|ruby|php|html|css|sql)\b"
    r"|\bin go\b|\bc\+\+|\bc#|\b(?:bash|shell) script",
    re.IGNORECASE,
)
_PYTHON = re.compile(r"\bpython\b|\.py\b", re.IGNORECASE)


def is_for_coder(prompt: str) -> bool:
    """Whether a prompt asks for code that the agent can write, which is Python."""
    if _OTHER_LANGUAGE.search(prompt) and not _PYTHON.search(prompt):
        return False
    if _PYTHON.search(prompt) or _CODE.search(prompt):
        return True
    return recognise(prompt) is not ANYTHING and bool(_MAY_BE_CODE.search(prompt))


class Agent:
    """One attempt at one prompt. Its parts are called in the order they stand here.

    A call is yielded before it is carried out, so whoever stops listening stops the agent.
    """

    def __init__(self, spec: TrialSpec, workdir: Workdir) -> None:
        self._spec = spec
        self._workdir = workdir
        self._skills = followed(spec, workdir)
        self._desk = Desk(spec, workdir, self._skills)
        self._prompt = spec.stimulus.prompt
        self._chinese = is_chinese(self._prompt)
        self._chance = random.Random(spec.address)
        self._guidance = NO_SKILL
        self.transcript = Transcript(self._prompt)

    def read(self) -> Iterator[Step]:
        """Read the skill and the input files."""
        log = self.transcript
        texts = self._desk.skill_texts()
        if texts:
            yield log.said(self._say(phrases.READS_SKILL))
            yield from (log.triggered(skill.name) for skill in self._skills if skill.name)
            self._guidance = read_guidance("\n".join(text for _, text in texts))
        for description, found in (
            (phrases.OPENS_SKILL, texts),
            (phrases.READS_INPUT, self._desk.input_texts()),
        ):
            for path, text in found:
                yield log.called("Read", {"file_path": path}, self._say(description))
                yield log.returned(text, counted("Read", text))

    def write(self) -> Iterator[Step]:
        """Write the solution, and tests for it."""
        self._conduct = draw_conduct(self._guidance, self._spec.stimulus.digest, self._chance)
        self._kernel = recognise(self._prompt)
        self._module = self._desk.module()
        self._draft = compose(self._kernel, self._conduct, self._prompt, chinese=self._chinese)
        self._source = self._draft.source
        yield self.transcript.said(self._say(phrases.WRITES))
        yield from self._put(f"{self._module}.py", self._source, phrases.WRITES_FILE)
        if Trait.TESTS in self._conduct:
            tests = compose_tests(self._kernel, self._module)
            yield from self._put(f"test_{self._module}.py", tests, phrases.WRITES_TESTS)

    async def check(self) -> AsyncGenerator[Step, None]:
        """Run the solution and mend what breaks, if the agent does such things."""
        if Trait.VERIFY not in self._conduct:
            return
        log, slip, file = self.transcript, self._draft.slip, f"{self._module}.py"
        for _ in range(2):
            script = checking.script(self._kernel, file)
            command = {"command": checking.as_command(script)}
            yield log.called("Bash", command, self._say(phrases.CHECKS))
            passed, output = await checking.run_script(script, self._workdir, self._spec.sandbox)
            yield log.returned(output, "Exit code 0" if passed else "Exit code 1", ok=passed)
            if passed or slip is None:
                return
            yield log.said(self._say(phrases.SEES_FAILURE))
            change = {"file_path": file, "old_string": slip.wrong, "new_string": slip.right}
            yield log.called("Edit", change, self._say(phrases.REPAIRS))
            self._source, slip = self._draft.repaired, None
            self._desk.write(file, self._source)
            yield log.returned("", "Edited 1 line")

    def end(self) -> Ended:
        """Say the last word."""
        file = f"{self._module}.py"
        answer = closing_message(
            self._source, file, self._conduct, self._chance, chinese=self._chinese
        )
        return self.transcript.ended(answer)

    def _put(self, file: str, text: str, description: Pair) -> Iterator[Step]:
        call = {"file_path": file, "content": text}
        yield self.transcript.called("Write", call, self._say(description))
        self._desk.write(file, text)
        yield self.transcript.returned("", counted("Wrote", text))

    def _say(self, pair: Pair) -> str:
        return pair[self._chinese]
