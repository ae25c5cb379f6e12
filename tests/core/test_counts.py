import ast
import re
from pathlib import Path

import pytest

import whet
from whet.core.counts import CountedText, counted

PLURAL = re.compile(
    r"\{\w+(?::,)?\} (?:more |other |agent |judge |proposed )?"
    r"(?:cases|evals|runs|trials|calls|files|records|sessions|expectations|queries|mistakes"
    r"|answers|spans|attempts|skills|assets|tags|checks|baselines|projects|jobs|conversations)\b"
)


@pytest.mark.parametrize(("count", "said"), [(0, "0 cases"), (1, "1 case"), (2, "2 cases")])
def test_a_number_chooses_its_noun(count: int, said: str) -> None:
    assert counted(count, "case", "cases") == said
    assert CountedText("{count:case|cases}").format(count=count) == said


def test_words_may_stand_around_the_number_and_other_values_stay() -> None:
    text = CountedText("On {n:this # query|these # queries}: {share:.0%}, {name!r}, {:run|runs}")
    assert text.format("1", n=1, share=0.5, name="x") == "On this 1 query: 50%, 'x', 1 run"
    assert text.format("1,000", n=3, share=1, name="{x}") == (
        "On these 3 queries: 100%, '{x}', 1,000 runs"
    )


def test_no_text_of_the_command_line_counts_in_the_plural_only() -> None:
    """Every template with a number before a noun says what it is for one."""
    folder = Path(whet.__file__).parent / "cli"
    texts = [
        (path.name, node.value)
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    assert len(texts) > 500
    assert [each for each in texts if PLURAL.search(each[1])] == []
