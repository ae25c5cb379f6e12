"""Putting a solution together from a kernel and the habits that show.

Everything here but the prompt is our own text. The prompt enters only as one short string
literal, so whatever stands in it stays data.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from whet.engines.simulated.conduct import Conduct
from whet.engines.simulated.kernels import ANYTHING, Kernel
from whet.engines.simulated.phrases import RESTATEMENTS
from whet.engines.simulated.traits import Trait

_HINT = re.compile("‹([^›]*)›")
_ASSIGNMENT = re.compile(r"^(\s*[\w.]+) = ", re.MULTILINE)
_BLOCK_START = re.compile(r":$", re.MULTILINE)
_DOC_SLOT = re.compile(r"^( *)<doc>\n", re.MULTILINE)
_BANNER = "#" + "=" * 109 + "\n"
_SLOT_TRAITS = {
    "<errors>": Trait.ERRORS,
    "<guards>": Trait.VALIDATE,
    "<asked>": Trait.REQUIREMENTS,
}


@dataclass(frozen=True, slots=True)
class Slip:
    """A line with a misspelt name, and what it should have been."""

    wrong: str
    right: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A module as first written."""

    source: str
    slip: Slip | None

    @property
    def repaired(self) -> str:
        """The module without the slip."""
        if self.slip is None:
            return self.source
        return self.source.replace(self.slip.wrong, self.slip.right)


def compose(kernel: Kernel, conduct: Conduct, prompt: str, *, chinese: bool) -> Draft:
    """Write the module."""
    source = _compose(kernel, conduct.shown, chinese=chinese)
    if kernel is ANYTHING:
        source = f"TASK = {_literal(prompt)}\n\n\n{source}"
    slip = _slip(source, kernel, conduct) if conduct.slips else None
    if slip is not None:
        source = source.replace(slip.right, slip.wrong)
    return Draft(source, slip)


def compose_tests(kernel: Kernel, module: str) -> str:
    """Write a test module for the solution in *module*."""
    body = "".join(f"    {line}\n" for line in kernel.smoke)
    return f"from {module} import {kernel.name}\n\n\ndef test_{kernel.name.lower()}():\n{body}"


@lru_cache(maxsize=4096)
def _compose(kernel: Kernel, shown: frozenset[Trait], *, chinese: bool) -> str:
    template = kernel.efficient if Trait.EFFICIENT in shown else kernel.naive
    code = "\n".join(_filled(kernel, template.splitlines(), shown)) + "\n"
    code = _HINT.sub(r"\1" if Trait.HINTS in shown else "", code)
    if Trait.NAMES not in shown:
        code = _names(kernel).sub(lambda match: kernel.names[match[0]], code)
    doc = f'"""{kernel.doc[chinese]}"""\n' if Trait.DOCSTRINGS in shown else ""
    code = _DOC_SLOT.sub(rf"\1{doc}" if doc else "", code)
    if Trait.CONCISE not in shown:
        code = _padded(code, kernel, chinese=chinese)
    if kernel.imports:
        code = f"{kernel.imports}\n\n{code}"
    return code if Trait.FORMAT in shown else _untidy(code)


def _filled(kernel: Kernel, lines: list[str], shown: frozenset[Trait]) -> list[str]:
    filled: list[str] = []
    deeper = ""
    for line in lines:
        slot = line.strip()
        indent = line[: len(line) - len(line.lstrip())] + deeper
        if slot in _SLOT_TRAITS:
            block = kernel.block(slot) if _SLOT_TRAITS[slot] in shown else ""
        elif slot == "<try>":
            block = "try:" if Trait.ERRORS in shown else ""
            deeper = "    " if block else ""
        elif slot == "<except>":
            block = kernel.errors if Trait.ERRORS in shown else ""
            indent = indent.removesuffix(deeper) if deeper else indent
            deeper = ""
        else:
            filled.append(deeper + line if slot else "")
            continue
        filled += [indent + part for part in block.splitlines()]
    return filled


@lru_cache(maxsize=64)
def _names(kernel: Kernel) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.\"'])(?:{'|'.join(kernel.names)})\b")


def _padded(code: str, kernel: Kernel, *, chinese: bool) -> str:
    lines: list[str] = []
    for line in code.splitlines():
        keyword = line.strip().partition(" ")[0]
        if keyword in RESTATEMENTS:
            indent = line[: len(line) - len(line.lstrip())]
            lines.append(f"{indent}# {RESTATEMENTS[keyword][chinese]}")
        lines.append(line)
    demo = f'\n\n\nif __name__ == "__main__":\n    print("{kernel.name} is ready to use")\n'
    return "\n".join(lines) + demo


def _untidy(code: str) -> str:
    code = _ASSIGNMENT.sub(r"\1=", code).replace("\n\n\n", "\n")
    return _BANNER + _BLOCK_START.sub(":  ", code).rstrip("\n")


def _literal(prompt: str) -> str:
    return repr("".join(mark for mark in prompt[:60] if mark.isprintable()))


def _slip(source: str, kernel: Kernel, conduct: Conduct) -> Slip | None:
    names = kernel.names.keys() if Trait.NAMES in conduct else set(kernel.names.values())
    known = re.compile(rf"(?<![\w.\"'])(?:{'|'.join(names)})\b")
    for line in reversed(source.splitlines()):
        if line.strip().startswith("return ") and (match := known.search(line)):
            wrong = line[: match.start()] + _misspelt(match[0]) + line[match.end() :]
            return Slip(wrong, line) if source.count(line) == 1 else None
    return None


def _misspelt(name: str) -> str:
    swapped = name[:-3] + name[-2] + name[-3] + name[-1] if len(name) > 3 else name
    return swapped if swapped != name else name + name[-1]
