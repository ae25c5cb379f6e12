"""What an answer comes to, in the order that the rule has."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from tests.run.job.packages import package, plain
from whet.core.files import FileRef
from whet.core.job import Interaction, JobResult, Mode
from whet.curate.manifest import JobPackage
from whet.run.job.contract import DONE, contract_of, section
from whet.run.job.output import Answer, Unfit, decide

WORK = "/scratch/run/work"
FINE = {"report": "artifacts/report.md", "words": 3}
PACKAGE = package()


def file(path: str) -> FileRef:
    return FileRef(path=path, digest=f"{len(path):064}", size=len(path))


def decided(
    text: object,
    *outputs: str,
    mode: Mode = "auto",
    of: JobPackage | None = None,
) -> JobResult | Interaction | Unfit:
    said = text if isinstance(text, str) else json.dumps(text)
    answer = Answer(
        text=said,
        outputs=[file(path) for path in outputs],
        cut=False,
        work=WORK,
        at="2024-01-01T00:00:00.000Z",
    )
    return decide(of or PACKAGE, mode, answer, 7)


def result(found: object) -> JobResult:
    assert isinstance(found, JobResult), found
    return found


def test_an_output_that_fits_is_the_result() -> None:
    found = result(decided(FINE, "artifacts/report.md", "artifacts/more/x.bin", "draft.txt"))
    assert found.data == FINE
    assert [each.path for each in found.artifacts] == [
        "artifacts/more/x.bin",
        "artifacts/report.md",
    ]
    assert [each.role for each in found.artifacts] == [None, "output"]
    assert found.notices == ()


@pytest.mark.parametrize("mode", ["auto", "interactive"])
def test_our_mark_is_taken_off(mode: Mode) -> None:
    text = f"Done.\n```json\n{json.dumps({**FINE, DONE: True})}\n```"
    assert result(decided(text, "artifacts/report.md", mode=mode)).data == FINE


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I am done.", "no JSON"),
        ({"report": "artifacts/report.md"}, "'words' is a required property"),
        ({**FINE, "words": "three"}, "$.words"),
        ({**FINE, "more": 1}, "more"),
        ([FINE], "it is no object"),
        ('{"report": "a", "words": 3', "it is not JSON"),
        ("[" * 10_000, "not JSON"),
    ],
)
def test_what_does_not_fit_is_told(text: object, told: str) -> None:
    found = decided(text, "artifacts/report.md")
    assert isinstance(found, Unfit)
    assert found.code == "output_invalid"
    assert any(told in problem for problem in found.problems), found.problems


def test_a_question_to_nobody_is_a_mistake() -> None:
    found = decided({DONE: False, "message": "Which?"}, "artifacts/report.md")
    assert isinstance(found, Unfit)
    assert "decide by yourself" in found.problems[0]


def test_a_missing_file_is_told_by_its_path() -> None:
    found = decided(FINE, "report.txt")
    assert found == Unfit("artifact_missing", ("the file artifacts/report.md is missing",))


@pytest.mark.parametrize(
    ("said", "there", "delivered", "notice"),
    [
        ("report.md", "artifacts/report.md", "artifacts/report.md", None),
        (f"{WORK}/artifacts/report.md", "artifacts/report.md", "artifacts/report.md", None),
        ("./artifacts/../artifacts/report.md", "artifacts/report.md", "artifacts/report.md", None),
        ("out/report.md", "out/report.md", "artifacts/report.md", "artifact_moved"),
        (f"{WORK}/r.md", "r.md", "artifacts/report.md", "artifact_moved"),
    ],
)
def test_paths_are_hints_to_files_of_the_run(
    said: str, there: str, delivered: str, notice: str | None
) -> None:
    found = result(decided({**FINE, "report": said}, there))
    assert found.data == {**FINE, "report": delivered}
    assert [each.path for each in found.artifacts] == [delivered]
    assert found.artifacts[0].digest == file(there).digest
    assert [each.code for each in found.notices] == ([notice] if notice else [])


@pytest.mark.parametrize(
    "said", ["/etc/passwd", "../../secret", f"{WORK}/../../x", "artifacts/../../etc/passwd", ""]
)
def test_no_path_leads_out_of_the_run(said: str) -> None:
    found = result(decided({**FINE, "report": said}, "artifacts/report.md"))
    assert [each.path for each in found.artifacts] == ["artifacts/report.md"]
    assert [each.code for each in found.notices] == ["artifact_path_unknown"]
    missing = decided({**FINE, "report": said}, "other")
    assert isinstance(missing, Unfit)


def test_a_pattern_may_mean_several_files() -> None:
    rules = [{"role": "page", "pattern": "page-*.png", "required": True, "mime": "image/png"}]
    of = package(artifacts=rules)
    found = result(decided({"report": "x", "words": 1}, "artifacts/page-1.png", of=of))
    assert [(each.path, each.role, each.mime) for each in found.artifacts] == [
        ("artifacts/page-1.png", "page", "image/png")
    ]
    assert isinstance(decided(FINE, "artifacts/page.png", of=of), Unfit)


def test_a_skill_without_a_schema_answers_in_words() -> None:
    found = result(decided("All is well.", "artifacts/x", of=plain()))
    assert found.data == {"answer": "All is well."}
    assert [each.path for each in found.artifacts] == ["artifacts/x"]


@pytest.mark.parametrize(
    ("hints", "kind"),
    [
        ({}, "open_text"),
        ({"kind": "confirm"}, "confirm"),
        ({"kind": "choose_one", "options": ["a", {"value": "b"}]}, "choose_one"),
        ({"kind": "choose_one", "options": []}, "open_text"),
        ({"kind": "upload_files", "files": [{"name": "x.csv"}]}, "upload_files"),
        ({"kind": "upload_files", "files": [{"name": "../x"}]}, "open_text"),
        ({"kind": "dance"}, "open_text"),
    ],
)
def test_a_question_is_one_of_four_kinds(hints: dict[str, JsonValue], kind: str) -> None:
    said = {DONE: False, "message": "Why", "ui_hints": hints}
    found = decided(said, mode="interactive")
    assert isinstance(found, Interaction)
    assert (found.id, found.kind, found.message) == (7, kind, "Why")


def test_in_a_talk_a_final_goes_before_a_question_and_words_are_a_question() -> None:
    both = json.dumps({DONE: False, "message": "?"}) + "\n" + json.dumps({**FINE, DONE: True})
    result(decided(both, "artifacts/report.md", mode="interactive"))
    unmarked = result(decided(FINE, "artifacts/report.md", mode="interactive"))
    assert [each.code for each in unmarked.notices] == ["output_unmarked"]
    words = decided("Which file do you mean?", mode="interactive")
    assert isinstance(words, Interaction)
    assert (words.kind, words.message) == ("open_text", "Which file do you mean?")
    wrong = decided({"words": 1, DONE: True}, mode="interactive")
    assert isinstance(wrong, Unfit)


@given(st.text(max_size=300))
def test_any_text_comes_to_something(text: str) -> None:
    assert isinstance(decided(text), JobResult | Unfit)
    assert isinstance(decided(text, mode="interactive"), JobResult | Interaction | Unfit)


def test_the_contract_says_what_is_checked() -> None:
    of = package()
    told = contract_of(of, "auto")
    assert told["schema"] == of.output
    assert told["artifacts"] == [
        {"path": "artifacts/report.md", "role": "output", "required": True, "field": "report"}
    ]
    text = section(of, "auto")
    assert "`artifacts/report.md` (required, output)" in text
    assert DONE not in text
    assert DONE in section(of, "interactive")
