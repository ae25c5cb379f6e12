"""What a submission holds: the code to judge, the words around it, and the rest.

Everything here comes from an agent and may be anything, so sizes are capped before a byte is
looked at, and whatever the parser cannot stand is a finding and not an error.
"""

import ast
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass

from whet.core.sized_cache import sized_cache
from whet.judges.simulated.facts import Facts
from whet.judges.simulated.walk import gather
from whet.ports.judge import Submission

_CODE_LIMIT = 48_000
_TEXT_LIMIT = 24_000
_FENCE = re.compile(r"```[\w+-]*\n(.*?)(?:```|\Z)", re.DOTALL)
_TEST_FILE = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test)\.py$")
_ASSERTION = re.compile(rb"^\s*(?:assert\b|self\.assert|def test_)", re.MULTILINE)
_LOOKS_LIKE_PYTHON = re.compile(r"^\s*(?:def|class|import|from) \w", re.MULTILINE)
_CHINESE = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Material:
    """A submission, read. ``facts`` is None when there is no code or it cannot be parsed."""

    file: str
    """Where the code is, as a name that is safe to show."""

    source: str
    facts: Facts | None
    fault: str
    """Why code that is there cannot be parsed."""

    prose: str
    """The answer without its code blocks."""

    text: str
    """Everything that was said or written, for a look at the words in it."""

    has_tests: bool
    extra_files: tuple[str, ...]
    chinese: bool

    @property
    def is_empty(self) -> bool:
        """Nothing was produced at all."""
        return not self.text.strip()


def read_material(submission: Submission) -> Material:
    """Read a submission."""
    answer = submission.answer[:_TEXT_LIMIT]
    outputs = submission.outputs
    modules = [name for name in outputs if name.endswith(".py") and not _TEST_FILE.search(name)]
    file, source = _code(outputs, modules, answer)
    facts, fault = _parse(source) if source else (None, "")
    tests = [name for name in outputs if _TEST_FILE.search(name)]
    others = sorted(set(outputs) - set(modules) - set(tests))
    written = "\n".join(_decode(outputs[name], 2_000) for name in others[:8])
    prompt = submission.case.stimulus.prompt[:_TEXT_LIMIT]
    return Material(
        file=file,
        source=source,
        facts=facts,
        fault=fault,
        prose=_FENCE.sub("", answer).strip() if file != "answer" or "```" in answer else "",
        text=f"{answer}\n{source}\n{written}",
        has_tests=any(_ASSERTION.search(outputs[name][:_CODE_LIMIT]) for name in tests),
        extra_files=tuple(others),
        chinese=_CHINESE.search(prompt) is not None,
    )


def _code(outputs: Mapping[str, bytes], modules: list[str], answer: str) -> tuple[str, str]:
    if modules:
        file = max(sorted(modules), key=lambda name: len(outputs[name]))
        source = _decode(outputs[file], _CODE_LIMIT + 1)
        return "".join(mark for mark in file[-60:] if mark.isprintable()), source
    blocks = _FENCE.findall(answer)
    source = max(blocks, key=len) if blocks else answer
    return ("answer", source) if _LOOKS_LIKE_PYTHON.search(source) else ("", "")


def _decode(data: bytes, limit: int) -> str:
    return data[:limit].decode(errors="replace")


@sized_cache(16 * 1024 * 1024, per_character=60)
def _parse(source: str) -> tuple[Facts | None, str]:
    if len(source) > _CODE_LIMIT:
        return None, "too long to be read"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return gather(ast.parse(source)), ""
    except SyntaxError as error:
        return None, f"line {error.lineno}: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:
        return None, f"cannot be parsed ({type(error).__name__})"
