"""Jobs that the simulated agent does in one turn: what it reads, writes and answers."""

import asyncio
import json
import math
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.engines.contracting import REPORT, REPORT_FILE, RIVERS, Job, Json, skill
from tests.engines.simulation import execute, spec
from whet.core.failure import Failure
from whet.core.text import storable
from whet.engines.simulated import SimulatedEngine
from whet.ports.conversing import Conversing
from whet.ports.inspected import Inspected

WORDS = len(RIVERS.split())
RICH: Json = {
    "$defs": {"level": {"type": "string", "enum": ["low", "high"]}},
    "type": "object",
    "properties": {
        "title": {"type": "string", "maxLength": 12},
        "word_count": {"type": "integer", "minimum": 0},
        "lineCount": {"type": "number"},
        "n_characters": {"type": "integer"},
        "files": {"type": "integer"},
        "size_bytes": {"type": "integer"},
        "keywords": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 2},
        "level": {"$ref": "#/$defs/level"},
        "score": {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
        "query": {"type": "string"},
        "nested": {
            "type": "object",
            "properties": {"summary": {"type": "string", "minLength": 1}, "ok": {"const": True}},
            "required": ["summary", "ok"],
            "additionalProperties": False,
        },
        "either": {"anyOf": [{"type": "null"}, {"type": "string"}]},
        "code": {"type": "string", "pattern": "^[A-Z]{3}-\\d{2}$"},
        "rows": {"type": "array", "items": {"type": "object"}, "minItems": 2},
    },
    "additionalProperties": False,
}
RICH["required"] = [*RICH["properties"]] if isinstance(RICH["properties"], dict) else []


def test_it_can_be_talked_with_and_needs_no_inspection() -> None:
    engine = SimulatedEngine()
    assert isinstance(engine, Conversing)
    assert not isinstance(engine, Inspected)
    assert engine.version({}) == "1"


def test_a_job_from_its_inputs_to_its_file_and_answer(tmp_path: Path) -> None:
    done = Job(tmp_path / "job").turn()
    assert done.fits(REPORT)
    assert done.output["words"] == WORDS
    assert done.output["report"] == "artifacts/report.md"
    assert "The Rhine is a long river." in str(done.output["summary"])
    assert set(done.files) == {"report.md"}
    written = done.files["report.md"]
    assert written.startswith("# Rivers\n")
    assert f"| document | 4 | {WORDS} | {len(RIVERS)} |" in written
    assert "- river: 3" in written
    assert "simulated" in written
    assert done.skills == ["counting"]
    assert done.calls == [
        ("Read", "../skill/SKILL.md"),
        ("Read", "uploads/document"),
        ("Write", "artifacts/report.md"),
    ]
    assert all(done.outcomes)
    assert done.end.failure is None
    assert done.end.usage.cost_usd == 0.0


def test_another_document_gives_another_result(tmp_path: Path) -> None:
    one = Job(tmp_path / "a", uploads={"document": "Cats sleep. " * 30}).turn()
    two = Job(tmp_path / "b", uploads={"document": "Dogs bark.\n" * 7}).turn()
    assert (one.output["words"], two.output["words"]) == (60, 14)
    assert "Cats sleep." in str(one.output["summary"])
    assert "Dogs bark." in str(two.output["summary"])
    assert one.files != two.files


def test_equal_jobs_give_equal_work_in_any_folder(tmp_path: Path) -> None:
    def lasting(folder: str) -> tuple[object, ...]:
        job = Job(tmp_path / folder, inputs={"query": "ships"})
        done = job.turn()
        return done.end.answer, done.files, done.calls, done.said

    assert lasting("here") == lasting("elsewhere/quite/far/away")


def test_many_kinds_of_properties(tmp_path: Path) -> None:
    job = Job(tmp_path / "job", skill(RICH, []), inputs={"query": "ships"})
    done = job.turn()
    assert done.fits(RICH)
    found = done.output
    assert (found["word_count"], found["lineCount"]) == (WORDS, 4)
    assert (found["n_characters"], found["size_bytes"]) == (len(RIVERS), len(RIVERS.encode()))
    assert (found["files"], found["title"]) == (1, "Rivers")
    assert found["keywords"] == ["river", "long"]
    assert found["query"] == "ships"
    assert done.files == {}


def test_counts_of_several_files_add_up(tmp_path: Path) -> None:
    texts = {"one": "a b c\nd e\n", "two": "f g"}
    schema: Json = {
        "type": "object",
        "properties": {name: {"type": "integer"} for name in ("words", "lines", "chars", "files")},
        "required": ["words", "lines", "chars", "files"],
    }
    found = Job(tmp_path / "job", skill(schema, []), uploads=texts).turn().output
    assert found == {"words": 7, "lines": 3, "chars": 13, "files": 2}


def test_texts_of_the_request_are_material_where_there_is_no_file(tmp_path: Path) -> None:
    inputs: Json = {"text": "Seven short words are in this sentence.", "limit": 3, "tags": ["x"]}
    done = Job(tmp_path / "job", uploads={}, inputs=inputs).turn()
    assert done.output["words"] == 8
    assert "Seven short words" in done.files["report.md"]
    assert "limit: 3" in done.files["report.md"]


def test_without_anything_it_says_so(tmp_path: Path) -> None:
    done = Job(tmp_path / "job", uploads={}).turn()
    assert done.fits(REPORT)
    assert done.output["words"] == 0
    assert "nothing to read" in str(done.output["summary"])


@pytest.mark.parametrize("most", [1, 5, 12, 30, 60, 1000])
def test_a_limit_of_words_holds_for_the_report_and_the_summary(tmp_path: Path, most: int) -> None:
    done = Job(tmp_path / "job", parameters={"max_words": most}).turn()
    assert len(done.files["report.md"].split()) <= most
    assert len(str(done.output["summary"]).split()) <= most
    assert "simulated" in done.files["report.md"]
    if most >= 30:
        assert "The Rhine is a long river." in done.files["report.md"]


def test_other_parameters_that_it_understands(tmp_path: Path) -> None:
    parameters: Json = {"title": "My title", "top_n": 1, "language": "zh"}
    written = Job(tmp_path / "job", parameters=parameters).turn().files["report.md"]
    assert written.startswith("# My title\n")
    assert "- river: 3" in written
    assert "- long: 1" not in written
    assert "高频词" in written
    assert "模拟" in written


def test_a_chinese_document(tmp_path: Path) -> None:
    text = "# 长江\n\n长江是中国最长的河流。全长约6300公里，流经多个省份。\n"
    properties: Json = {
        "字数": {"type": "integer"},
        "摘要": {"type": "string"},
        "行数": {"type": "integer"},
    }
    schema: Json = {"type": "object", "properties": properties, "required": [*properties]}
    done = Job(tmp_path / "job", skill(schema), uploads={"文件": text}).turn()
    assert done.fits(schema)
    # Each character counts, and so do the number and the mark of the heading.
    assert done.output["字数"] == 2 + 10 + 3 + 1 + 2 + 6 + 1
    assert done.output["行数"] == 3
    assert "长江是中国最长的河流。" in str(done.output["摘要"])
    assert "高频词" in done.files["report.md"]


@pytest.mark.parametrize(
    ("path", "shows"),
    [
        ("artifacts/out.json", f'"words": {WORDS}'),
        ("artifacts/out.csv", f"document,4,{WORDS},"),
        ("artifacts/out.tsv", f"document\t4\t{WORDS}\t"),
        ("artifacts/out.jsonl", f'"words": {WORDS}'),
        ("artifacts/out.html", "<title>Rivers</title>"),
        ("artifacts/out.txt", "Rivers\n"),
        ("artifacts/out", "Rivers\n"),
        ("artifacts/deep/er/out.md", "# Rivers"),
        ("artifacts/picture.png", "cannot make .png files"),
    ],
)
def test_a_file_is_of_the_kind_that_its_name_says(tmp_path: Path, path: str, shows: str) -> None:
    declared: Json = {"path": path, "role": "output", "required": True, "field": None}
    done = Job(tmp_path / "job", skill(None, [declared])).turn()
    [(name, text)] = done.files.items()
    assert f"artifacts/{name}" == path
    assert shows in text
    assert "simulated" in text
    if path.endswith(".json"):
        assert json.loads(text)["simulated"] is True


def test_without_a_schema_the_answer_is_in_words(tmp_path: Path) -> None:
    done = Job(tmp_path / "job", skill(None)).turn()
    assert "The Rhine is a long river." in done.end.answer
    assert "Written: artifacts/report.md." in done.end.answer
    assert set(done.files) == {"report.md"}


def test_patterns_become_files_that_the_output_names(tmp_path: Path) -> None:
    declared: list[Json] = [
        {"path": "artifacts/*.md", "role": "output", "required": True, "field": "report"},
        {"path": "artifacts/*.md", "role": "output", "required": True, "field": None},
        {"path": "artifacts/part-[0-9]?.csv", "role": "table", "required": False, "field": "table"},
    ]
    schema: Json = {
        "type": "object",
        "properties": {
            "report": {"type": "string"},
            "table": {"type": "array", "items": {"type": "string"}, "minItems": 1},
            "by_role": {"type": "string", "x-type": "file", "x-role": "table"},
        },
        "required": ["report", "table", "by_role"],
    }
    done = Job(tmp_path / "job", skill(schema, declared)).turn()
    assert done.fits(schema)
    table = str(done.output["by_role"])
    assert done.output["report"] == "artifacts/report.md"
    assert done.output["table"] == [table]
    assert len(done.files) == 3
    assert {f"artifacts/{name}" for name in done.files} >= {"artifacts/report.md", table}


def test_a_prompt_of_another_shape_leaves_the_uploads(tmp_path: Path) -> None:
    job = Job(tmp_path / "job", inputs={"query": "ships"})
    done = job.turn("Please do something about it: {not json} # Inputs ```json")
    assert done.fits(REPORT)
    assert done.output["words"] == WORDS
    assert "ships use" in done.files["report.md"]
    assert "query" not in done.files["report.md"]


def test_a_text_skill_can_be_a_job_too(tmp_path: Path) -> None:
    done = Job(tmp_path / "job", entry="content.txt").turn()
    assert done.fits(REPORT)
    assert done.skills == []
    assert done.calls[0] == ("Read", "../skill/content.txt")


@pytest.mark.parametrize(
    "text",
    [
        skill(None, []),
        "Write a Python function.\n```json whet-contract\n{broken\n```\n",
        "Write a Python function.\n```json whet-contract\n[1]\n```\n",
        "Write a Python function.\n```json whet-contract\n",
        "Write a Python function, whatever whet-contract may be.",
    ],
)
def test_without_anything_to_hand_in_the_coder_does_it(text: str) -> None:
    files = {"SKILL.md": text}
    assert "solution.py" in asyncio.run(execute(spec(files), files)).outputs


def test_the_last_contract_counts(tmp_path: Path) -> None:
    fake = (
        '```json whet-contract\n{"mode": "auto", "schema": null, "artifacts": [{"path": "x"}]}\n```'
    )
    done = Job(tmp_path / "job", skill(text=f"Not this one:\n{fake}\n")).turn()
    assert done.fits(REPORT)
    assert set(done.files) == {"report.md"}


def test_tools_that_are_not_allowed_are_not_used(tmp_path: Path) -> None:
    blind = Job(tmp_path / "a", options={"allowed_tools": ["Write"]}).turn()
    assert [tool for tool, _ in blind.calls] == ["Write"]
    assert blind.output["words"] == 0
    silent = Job(tmp_path / "b", tools=("Read",)).turn()
    assert {tool for tool, _ in silent.calls} == {"Read"}
    assert silent.files == {}


def test_a_limit_of_turns_ends_it(tmp_path: Path) -> None:
    done = Job(tmp_path / "job", max_turns=2).turn()
    assert done.end.failure is Failure.MAX_TURNS
    assert done.files == {}


HOSTILE: dict[str, Json] = {
    "above": {"path": "artifacts/../../evil.md", "required": True},
    "absolute": {"path": "/tmp/evil.md", "required": True},
    "backslash": {"path": "artifacts\\..\\evil.md", "required": True},
    "nothing": {"path": "", "required": True},
    "long": {"path": "artifacts/" + "x" * 5000, "required": True},
    "nul": {"path": "artifacts/a\0b", "required": True},
    "number": {"path": 7, "required": True},
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_file_is_written_outside_of_artifacts(tmp_path: Path, name: str) -> None:
    job = Job(tmp_path / "deep" / "job", skill(artifacts=[HOSTILE[name], REPORT_FILE]))
    done = job.turn()
    assert set(done.files) == {"report.md"}
    assert done.fits(REPORT)
    beside = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    assert beside == {"SKILL.md", "document", "report.md", "conversation.json"}


def test_links_are_neither_read_nor_written_through(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the-secret-words")
    job = Job(tmp_path / "job")
    (job.workdir.work / "uploads" / "link").symlink_to(secret)
    (job.workdir.work / "artifacts" / "report.md").symlink_to(tmp_path / "written.md")
    done = job.turn()
    assert "the-secret-words" not in str(done.steps)
    assert not (tmp_path / "written.md").exists()
    assert done.outcomes == [True, True, False, False]


def test_a_path_among_the_values_is_just_a_text(tmp_path: Path) -> None:
    done = Job(tmp_path / "job", uploads={}, inputs={"text": "/etc/passwd"}).turn()
    assert [path for _, path in done.calls] == ["../skill/SKILL.md", "artifacts/report.md"]
    assert "root:" not in done.files["report.md"]


def test_files_that_are_no_text_and_very_long_ones(tmp_path: Path) -> None:
    job = Job(tmp_path / "job", uploads={"long": "word " * 300_000})
    (job.workdir.work / "uploads" / "image").write_bytes(b"\x89PNG\0\0\xff" * 99)
    begun = time.process_time()
    done = job.turn()
    assert time.process_time() - begun < 3
    assert "| image (no text) | 0 | 0 | 0 |" in done.files["report.md"]
    assert "long (only its beginning was read)" in done.files["report.md"]


@pytest.mark.parametrize(
    "value",
    [
        *("half \ud83d", "\0", "x" * 50_000, "```\n# Parameters"),
        *(math.pi, [["deep"] * 3] * 3, {"a": None}, True),
    ],
)
def test_odd_values_do_no_harm(tmp_path: Path, value: JsonValue) -> None:
    job = Job(tmp_path / "job", inputs={"odd": value, "title": value})
    done = job.turn()
    assert done.fits(REPORT)
    assert storable(done.end.answer) == done.end.answer
    assert Job(tmp_path / "again", inputs={"odd": value, "title": value}).turn().files == done.files


def test_a_schema_that_nothing_fits_is_owned_up_to(tmp_path: Path) -> None:
    schema: Json = {"type": "object", "required": ["x"], "properties": {"x": False}}
    done = Job(tmp_path / "job", skill(schema)).turn()
    assert "could not work out an answer that fits" in done.end.answer


def test_a_job_is_quick(tmp_path: Path) -> None:
    job = Job(tmp_path / "job", skill(RICH))
    job.turn()
    begun = time.process_time()
    for _ in range(20):
        job.talk = None
        job.turn()
    # A millisecond or two where nothing else runs, with the loop that is made for each.
    assert (time.process_time() - begun) / 20 < 0.05


def test_the_library_for_schemas_is_not_loaded() -> None:
    program = "import sys, whet.engines.simulated; sys.exit('jsonschema' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
