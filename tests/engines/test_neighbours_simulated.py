"""The simulated agent chooses: whether to take a skill up, and which."""

import asyncio
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from tests.engines.simulation import Trace, execute, execute_in, lay_out, package, spec
from whet.core.step import Called, Triggered
from whet.core.words import WEAK, subject_words

ATTEMPTS = 40


def skill(name: str, description: str | None, body: str = "Use type hints.") -> dict[str, str]:
    front = "" if description is None else f"description: {description}\n"
    return {"SKILL.md": f"---\nname: {name}\n{front}---\n{body}\n"}


CSV = skill("csv-cleaner", "Cleans CSV spreadsheets: duplicate rows, blank columns, broken dates.")
PDF = skill("pdf-tools", "Merges and splits PDF documents.", "Write unit tests.")


def run(
    own: dict[str, str] | str | None, prompt: str, *beside: dict[str, str], attempt: int = 1
) -> Trace:
    trial = spec(own, prompt, attempt=attempt)
    trial = trial.model_copy(update={"neighbours": tuple(map(package, beside))})
    with tempfile.TemporaryDirectory() as folder:
        made = lay_out(Path(folder) / "execution", own, {})
        places = [made.root / "neighbours" / str(number) for number in range(len(beside))]
        for place, files in zip(places, beside, strict=True):
            place.mkdir(parents=True)
            (place / "SKILL.md").write_text(files["SKILL.md"])
        return asyncio.run(execute_in(replace(made, neighbours=tuple(places)), trial))


def taken(trace: Trace) -> list[str]:
    return [step.skill for step in trace.steps if isinstance(step, Triggered)]


def share(own: dict[str, str], prompt: str, *beside: dict[str, str], name: str = "") -> float:
    wanted = [name or "csv-cleaner"]
    attempts = range(1, ATTEMPTS + 1)
    return sum(taken(run(own, prompt, *beside, attempt=k)) == wanted for k in attempts) / ATTEMPTS


@pytest.mark.parametrize(
    "prompt", ["Clean this CSV for me", "remove duplicated rows", "Repair the dates in my columns"]
)
def test_what_is_plainly_within_the_description_triggers(prompt: str) -> None:
    assert share(CSV, prompt) > 0.95


@pytest.mark.parametrize("prompt", ["What is the capital of France?", "Write a poem", "", "!?"])
def test_what_is_plainly_outside_does_not(prompt: str) -> None:
    assert share(CSV, prompt) == 0


def test_close_calls_differ_from_attempt_to_attempt_but_not_by_themselves() -> None:
    prompt = "Write some code, please"
    vague = skill("csv-cleaner", "Writes code.")
    assert 0.05 < share(vague, prompt) < 1
    first, second = (taken(run(vague, prompt, attempt=3)) for _ in range(2))
    assert first == second


def test_the_best_match_of_several_is_taken_up_alone() -> None:
    prompt = "Merge these PDF documents"
    trace = run(CSV, prompt, PDF)
    assert taken(trace) == ["pdf-tools"]
    # Its text is followed, and the other's is not even read.
    reads = [s.params["file_path"] for s in trace.steps if isinstance(s, Called)]
    assert reads[0] == "../neighbours/0/SKILL.md"
    assert "../skill/SKILL.md" not in reads
    assert share(CSV, prompt, PDF, name="pdf-tools") > 0.95
    assert share(CSV, "Clean this CSV, it has duplicate rows", PDF) > 0.95


def test_a_skill_that_is_not_taken_up_has_no_effect() -> None:
    prompt = "Write a poem about knives"
    asking = skill("tester", "Cleans CSV files.", "Write unit tests.")
    trace = run(asking, prompt)
    assert taken(trace) == []
    assert "Read" not in trace.tools
    assert not [name for name in trace.outputs if name.startswith("test_")]


def test_without_a_description_it_is_always_taken_up_and_a_neighbour_never() -> None:
    mute = skill("mute", None)
    assert taken(run(mute, "Anything at all")) == ["mute"]
    assert taken(run(CSV, "Anything at all", skill("other", None))) == []
    assert taken(run(None, "Anything at all", skill("other", None))) == []


def test_what_a_description_excludes_counts_against_it() -> None:
    prompt = "Explain CSV injection attacks"
    before = skill("x", "Works on CSV spreadsheets.")
    after = skill("x", "Works on CSV spreadsheets. Not for injection or attacks.")
    assert share(before, prompt, name="x") > 0.8
    assert share(after, prompt, name="x") == 0
    assert share(after, "Tidy my CSV spreadsheets", name="x") > 0.95


def test_a_mere_text_always_holds_also_beside_a_package() -> None:
    trace = run("Be brief.", "Merge these PDF documents", PDF)
    reads = [s.params["file_path"] for s in trace.steps if isinstance(s, Called)]
    assert reads[:2] == ["../skill/content.txt", "../neighbours/0/SKILL.md"]
    assert taken(trace) == ["pdf-tools"]
    alone = asyncio.run(execute(spec("Be brief.", "Write a poem"), "Be brief."))
    assert taken(alone) == []
    assert alone.tools[0] == "Read"


def test_chinese_words_count_in_pairs() -> None:
    own = skill("csv-cleaner", "清理电子表格，去除重复行。")
    assert share(own, "请帮我去除表格里的重复行") > 0.95
    assert share(own, "写一首关于春天的诗") == 0


def test_words_are_what_a_text_is_about() -> None:
    assert subject_words("Please use the skill for my files") == {"fil": WEAK}
    same = [subject_words(form) for form in ("query", "queries", "Queries!")]
    assert same[0] == same[1] == same[2] != {}
    assert subject_words("planning plans planned") == subject_words("plan")
    assert subject_words("processing processes") == subject_words("process")
    assert subject_words("the of and") == {}
