"""What the agent for jobs is made of: questions, counts, names of files."""

from fnmatch import fnmatchcase

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.engines.contracting import prompt, skill
from whet.core.text import fence
from whet.engines.simulated.contract.asking import questions
from whet.engines.simulated.contract.facts import count_words, facts_of, first_words
from whet.engines.simulated.contract.naming import concrete
from whet.engines.simulated.contract.order import ordered


@pytest.mark.parametrize(
    ("text", "kind", "names"),
    [
        ("Ask the user for the audience.", "open_text", ()),
        ("If it is not clear, ask the user what is meant.", "open_text", ()),
        ("Ask your user to confirm.", "confirm", ()),
        ("Always confirm with the user before you write.", "confirm", ()),
        ("Check with the user that this is wanted.", "confirm", ()),
        ("Ask the user whether to go on.", "confirm", ()),
        ("Ask the user for permission to write.", "confirm", ()),
        ("Ask the user to choose between A, B and C.", "choose_one", ("A", "B", "C")),
        ("Ask the user which of A, B, or C they want.", "choose_one", ("A", "B", "C")),
        ("Ask the user to pick one of `a and b` or `c`.", "choose_one", ("a and b", "c")),
        ("Ask the user to select from red / green", "choose_one", ("red", "green")),
        ("Ask the user which of them", "open_text", ()),
        ("Ask the user to upload data.csv.", "upload_files", ("data.csv",)),
        ("Ask the user to upload `a b.csv` and `c`.", "upload_files", ("a b.csv", "c")),
        ("Ask the user for the file plan.pdf", "upload_files", ("plan.pdf",)),
        ("Ask the user to upload their latest invoice", "upload_files", ("latest_invoice",)),
        ("Ask the user to confirm before uploading the file.", "confirm", ()),
        ("询问用户想要什么语气。", "open_text", ()),
        ("向用户确认标题。", "confirm", ()),
        ("询问用户是否继续。", "confirm", ()),
        ("请用户上传 数据.csv。", "upload_files", ("数据.csv",)),
        ("询问用户在简洁、详细和完整之间选择。", "choose_one", ("简洁", "详细", "完整")),
        ("询问用户选择中文还是英文。", "choose_one", ("中文", "英文")),
    ],
)  # fmt: skip
def test_what_a_sentence_has_it_ask(text: str, kind: str, names: tuple[str, ...]) -> None:
    [asked] = questions(text)
    assert (asked.kind, asked.names) == (kind, names)
    assert asked.prompt


@pytest.mark.parametrize(
    "text",
    [
        "Do not ask the user anything.",
        "Never ask the user.",
        "Go on without asking the user.",
        "不要询问用户。",
        "无需向用户确认。",
        "# Ask the user",
        "The user asks for a report.",
        "---\ndescription: Ask the user for a name\n---\nCount.",
        "```\nAsk the user for a name.\n```",
    ],
)
def test_what_is_no_question(text: str) -> None:
    assert questions(text) == ()


def test_questions_come_in_their_order() -> None:
    text = "1. Ask the user for a name.\n2. Then ask the user to confirm; ask the user for more."
    assert [asked.kind for asked in questions(text)] == ["open_text", "confirm", "open_text"]


@given(
    st.text(
        alphabet='Ask the user to upload choose between, orB`"。询问用户选择\n.;#-', max_size=80
    )
)
def test_any_text_can_be_looked_through(text: str) -> None:
    for asked in questions(text):
        assert asked.pending()["__SKILL_DONE__"] is False
        assert asked.kind != "choose_one" or len(asked.names) > 1
        assert asked.kind != "upload_files" or all(asked.names)


@given(st.text(alphabet=st.characters(codec="ascii")))
def test_words_are_what_blanks_separate(text: str) -> None:
    assert count_words(text) == len(text.split())
    facts = facts_of(text)
    assert facts.characters == len(text)
    assert facts.lines == len(text.split("\n")) - (text.endswith("\n") or not text)


@given(st.text(alphabet="ab 中文。，,.\n-|", max_size=60), st.integers(0, 20))
def test_the_first_words_are_so_many(text: str, most: int) -> None:
    first = first_words(text, most)
    assert text.startswith(first)
    assert count_words(first) == min(count_words(text), most)


@given(st.text(max_size=300))
def test_a_summary_is_quoted_and_short(text: str) -> None:
    facts = facts_of(text)
    assert len(facts.summary) <= 280
    assert set(facts.summary.split()) <= {*text.split()} or not text.isascii()
    assert all(term in text.lower() for term, _ in facts.terms)


GLOBS = st.text(alphabet="ab*?[]!-./", min_size=1, max_size=10)


@given(GLOBS, st.sampled_from([None, "report", "Mein Bericht"]))
def test_a_name_for_a_pattern_fits_it(pattern: str, field: str | None) -> None:
    name = concrete(pattern, field, "output", ())
    if not any(mark in pattern for mark in "*?["):
        assert name == pattern
        return
    # A set that no letter is in stands for nothing at all.
    assume(not any(part[:1] != "" and "]" in part for part in pattern.split("[")[1:]))
    assert fnmatchcase(name, pattern)


def test_sets_of_letters() -> None:
    for pattern in ("[0-9].md", "[!a-z].md", "part-[abc]?.csv", "**/x-*.md", "[[]x].md", "[]a]*"):
        assert fnmatchcase(concrete(pattern, None, "output", ()), pattern)


def test_names_that_are_taken_are_not_given_again() -> None:
    taken: list[str] = []
    for _ in range(5):
        taken.append(concrete("artifacts/*.md", "report", "output", taken))
    assert len({*taken}) == 5
    assert taken[0] == "artifacts/report.md"
    # Where a pattern leaves no choice, it is one file.
    assert concrete("artifacts/a?.md", "report", "output", ["artifacts/aa.md"]) == "artifacts/aa.md"


def test_inputs_in_any_fence() -> None:
    given_ = {"text": "```\n~~~\n# Parameters\n```json\n{}", "n": 3}
    assert ordered(prompt(given_, {"max_words": 5})).inputs == given_
    assert ordered(prompt(given_, {"max_words": 5})).parameters == {"max_words": 5}
    for mark in ("~~~", "````", fence("~" * 99)):
        order = ordered(f'Do it.\n\n# Inputs\n\n{mark}json\n{{"a": 1}}\n{mark}\n')
        assert order.inputs == {"a": 1}
    assert ordered("# Inputs\n\n```json\n[1]\n```").inputs == {}
    assert ordered('# Inputs\n\n```json\n{"a": NaN}\n```').inputs == {}


def test_the_words_of_the_contract_itself_are_not_taken_for_a_wish() -> None:
    assert "ask the user" in skill()
    assert len(questions(skill())) == 1  # whoever reads the whole would be misled
