"""Schemas, checks and packages with expressions that are small to send and large to keep: one after
the other, each different, until a cache of whet has filled the memory."""

import ast
import contextlib
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.repo.tree import ROOT
from whet.checkers.answers import Regex
from whet.checkers.files import FileExists
from whet.core.check import CheckSpec
from whet.core.errors import UsageError
from whet.core.sized_cache import SizedStore, sized_cache
from whet.core.untrusted_regex import MOST_PATTERN, matches_file
from whet.documents.pattern import MOST_KNOWN, Pattern, Unsupported
from whet.documents.schema import Schema
from whet.documents.strange_schema import StrangeSchema

MOST_MORE_MIB = 80
"""What all caches together may take, with what Python does not give back."""

MEMORY = "int(open('/proc/self/statm').read().split()[1]) * resource.getpagesize() >> 20"
ATTACK = """
import random, resource
from whet.checkers import structure
from whet.checkers.answers import Regex
from whet.checkers.fields import pattern
from whet.core.check import CheckSpec
from whet.core.errors import UsageError
from whet.documents.schema import Schema
from whet.documents.strange_schema import StrangeSchema
from whet.engines.simulated.guidance import read_guidance
from whet.engines.simulated.filling.pattern import matches
from whet.run.job.template import render

luck = random.Random(17)

def letters(count, some="ab"):
    return "".join(luck.choices(some, k=count))

def schema(number):
    source = {"type": "string", "pattern": f"^(a|b)*a(a|b){{1{number:03}}}c$"}
    StrangeSchema(source).problems(letters(350))

def class_regex(number):
    marks = "".join(f"[{chr(0x400 + number)}-{chr(0x4000 + 31 * at + number)}]" for at in range(4))
    spec = CheckSpec(id="c", type="regex", fields={"expected": "(?i)" + marks})
    Regex().validate(spec)

def long_regex(number):
    Regex().validate(CheckSpec(id="c", type="regex", fields={"expected": letters(1990, "abcd.")}))
    matches(letters(1990), "a")

def file_pattern(number):
    pattern("**/" + letters(1900, "ab*?"))

def check_schema(number):
    text = letters(2_000) * 100
    structure._schema({"description": text + str(number), "pattern": letters(1_900)})

def skill(number):
    read_guidance(letters(200) * 9_000 + str(number))
    render(letters(200) * 300, {}, {})

schema(200)
skill(0)
before = MEMORY
for number in range(24):
    for attack in (schema, class_regex, long_regex, file_pattern, check_schema, skill):
        attack(number)
print((MEMORY) - before)
""".replace("MEMORY", MEMORY)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_many_different_patterns_do_not_stay_in_memory() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ATTACK], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < MOST_MORE_MIB


@pytest.mark.parametrize(
    "source",
    [
        "((((){999}){999}){999}){999}",
        "(" + "|" * 1900 + "){999}",
        "(?:(?:a{99}){99}){99}",
        "a" * (MOST_PATTERN + 1),
        "(" * 900 + ")" * 900,
    ],
)
def test_a_pattern_that_grows_when_it_is_compiled_is_refused_at_once(source: str) -> None:
    begun = time.process_time()
    with contextlib.suppress(Unsupported):
        Pattern(source).search("a" * 100)
    assert time.process_time() - begun < 1


@pytest.mark.parametrize("kind", [Schema, StrangeSchema])
def test_a_schema_with_a_long_pattern_is_refused_in_one_line(kind: type[Schema]) -> None:
    with pytest.raises(UsageError, match="longer than 2,000 characters") as caught:
        kind({"patternProperties": {"[\u0100-\uffff]" * 1_000: {}}})
    assert len(str(caught.value)) < 600


def test_checks_name_the_limit_of_a_pattern() -> None:
    long = CheckSpec(id="c", type="regex", fields={"expected": "a" * 2_001})
    assert any("2,000 characters" in each for each in Regex().validate(long))
    pattern = CheckSpec(id="c", type="file_exists", fields={"pattern": "a" * 2_001})
    assert any("2,000 characters" in each for each in FileExists().validate(pattern))


def test_a_pattern_still_finds_what_python_finds_when_nothing_is_remembered() -> None:
    luck = random.Random(5)
    texts = ["".join(luck.choice("abc") for _ in range(12)) for _ in range(200)]
    for source in ("^(a|b)*c{2}", "a{2,3}b", "(ab|c)+$", "[^a]b?$", "(){9}a", "(|a){3}c"):
        plain = re.compile(source)
        for text in texts:
            assert Pattern(source).search(text) == (plain.search(text) is not None), (source, text)
    assert matches_file("docs/a.md", "docs/*.md")


def test_a_store_stays_within_its_bytes() -> None:
    store = SizedStore[int, bytes](1_000)
    for number in range(500):
        store.put(number, b"", number % 300)
        assert store.size <= 1_000
    assert store.get(499) is not None
    assert store.get(0) is None
    assert MOST_KNOWN <= 32 * 1024 * 1024


def test_what_is_remembered_is_what_was_computed() -> None:
    asked: list[str] = []

    @sized_cache(100_000)
    def upper(text: str, *, end: str = "") -> str:
        asked.append(text)
        return text.upper() + end

    assert [upper("a"), upper("a"), upper("a", end="!"), upper("a", end="!")] == [
        "A",
        "A",
        "A!",
        "A!",
    ]
    assert asked == ["a", "a"]
    upper("b" * 90_000)
    upper("b" * 90_000)
    assert len(asked) == 4, "what is too large is not kept"


OWN_ARGUMENTS = {
    "app/capability/sets.py:_bundled",
    "exporters/outbound_http.py:_trusted",
    "app/parts.py:_points",
    "cli/job/output.py:skills",
    "cli/runs.py:of_kind",
    "engines/simulated/compose.py:_compose",
    "engines/simulated/compose.py:_names",
    "engines/simulated/conduct.py:_strain",
    "server/api.py:_routes",
    "server/problems.py:path_pattern",
    "shell/bubblewrap.py:_version",
    "shell/interpreter.py:files",
    "shell/landlock.py:version",
    "shell/sandbox.py:problem",
    "shell/seccomp.py:program",
    "stats/power.py:_shift",
    "stats/quantiles.py:t_quantile",
}
"""Functions whose arguments are whet's own, or a few bytes: for those counting entries will do."""


def counted_caches(root: Path) -> set[str]:
    found: set[str] = set()
    for path in root.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                names = {ast.unparse(each).partition("(")[0] for each in node.decorator_list}
                if names & {"cache", "lru_cache", "functools.cache", "functools.lru_cache"}:
                    found.add(f"{path.relative_to(root).as_posix()}:{node.name}")
    return found


def test_no_cache_of_what_strangers_send_is_bounded_by_its_entries() -> None:
    assert counted_caches(ROOT / "src/whet") <= OWN_ARGUMENTS
