"""Suites of evals: every mistake is told at once, and what is read is what was written."""

import os
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.evaluate.suites import (
    RUBRIC,
    Fields,
    checkers,
    eval_,
    mistakes,
    skill_at,
    suite_at,
    suite_of,
)
from whet.core.errors import InvalidDocument, InvalidSuite, NotFound
from whet.evaluate import suite as module
from whet.evaluate.suite import read_suite


def dimension(name: str = "depth", **more: JsonValue) -> Fields:
    return {"name": name, "weight": 1, **more}


def rubric(*dimensions: JsonValue) -> Fields:
    return {"dimensions": list(dimensions)}


def check(**fields: JsonValue) -> list[JsonValue]:
    return [{"id": "S1", "description": "d", **fields}]


def test_a_suite_without_mistakes(tmp_path: Path) -> None:
    read = suite_at(tmp_path, suite_of(eval_(1), eval_("two", name=None)))
    first, second = read.cases
    assert (first.id, first.set, first.name) == ("1", "evals", "Sharpen 1")
    assert (second.id, second.name) == ("two", "eval two")
    assert first.stimulus.prompt == "Write a Python function that sharpens knife 1."
    assert first.stimulus.limits.timeout_seconds == 600
    standard = first.standard
    assert standard.expected == "A sharp knife."
    assert standard.expectations == ("A docstring says what it does",)
    assert [(spec.id, spec.type, spec.critical) for spec in standard.checks] == [
        ("S1", "file_exists", True)
    ]
    assert standard.checks[0].fields == {"pattern": "*.py"}
    assert standard.rubric is not None
    depth, tone = standard.rubric.dimensions
    assert (depth.name, depth.weight, depth.minimum, depth.maximum) == ("depth", 2, 1, 5)
    assert depth.anchors == {"1": "shallow", "3": "fair", "5": "deep"}
    assert (tone.weight, tone.description, tone.anchors) == (1, "", {})
    assert list(read.evals) == ["1", "two"]


def test_what_graders_know_is_not_in_the_stimulus(tmp_path: Path) -> None:
    [case] = suite_at(tmp_path, suite_of(eval_())).cases
    shown = case.stimulus.model_dump_json()
    for hidden in ("sharp knife.", "docstring", "*.py", "depth"):
        assert hidden not in shown


def test_the_defaults_of_a_missing_configuration(tmp_path: Path) -> None:
    config = suite_at(tmp_path, suite_of(eval_())).config
    assert (config.runs_per_eval, config.structural_gate) == (3, True)
    assert (config.baseline_comparison, config.judge_model) == (True, None)


def test_a_part_of_a_configuration(tmp_path: Path) -> None:
    config = suite_at(tmp_path, suite_of(eval_(), eval_config={"runs_per_eval": 7})).config
    assert (config.runs_per_eval, config.structural_gate) == (7, True)


def test_older_shapes(tmp_path: Path) -> None:
    old = eval_()
    old["assertions"] = old.pop("expectations")
    old["rubric"] = rubric(dimension(anchors={"1": "bad"}))
    del old["quality_rubric"]
    standard = suite_at(tmp_path, suite_of(old)).cases[0].standard
    assert standard.expectations == ("A docstring says what it does",)
    assert standard.rubric is not None
    assert standard.rubric.dimensions[0].anchors == {"1": "bad"}


def test_a_scale_of_its_own_and_a_time_of_its_own(tmp_path: Path) -> None:
    own = rubric(dimension(minimum=0, maximum=10))
    [case] = suite_at(tmp_path, suite_of(eval_(quality_rubric=own, timeout_seconds=7.5))).cases
    assert case.stimulus.limits.timeout_seconds == 7.5
    assert case.standard.rubric is not None
    only = case.standard.rubric.dimensions[0]
    assert (only.minimum, only.maximum) == (0, 10)


def test_where_input_files_land(tmp_path: Path) -> None:
    """Below the fixtures a file keeps its place there; any other keeps its own."""
    names: list[JsonValue] = ["evals/files/a.csv", "evals/files/deep/b.csv", "data/c.csv"]
    contents = {str(name): f"content of {name}" for name in names}
    suite = suite_at(tmp_path, suite_of(eval_(files=names)), contents)
    files = suite.cases[0].stimulus.files
    assert [file.path for file in files] == ["a.csv", "deep/b.csv", "data/c.csv"]
    assert [suite.content[file.digest].decode() for file in files] == list(contents.values())
    assert [file.size for file in files] == [len(content) for content in contents.values()]


def test_clusters(tmp_path: Path) -> None:
    files = {"evals/files/a": "a", "evals/files/b": "b"}
    shared: list[JsonValue] = ["evals/files/a"]
    suite = suite_of(
        eval_(1, files=shared),
        eval_(2, files=shared),
        eval_(3, files=["evals/files/b"]),
        eval_(4, cluster="topic"),
        eval_(5, cluster="topic", files=shared),
        eval_(6),
    )
    names = suite_at(tmp_path, suite, files).clusters()
    assert names is not None
    assert names["1"] == names["2"]
    assert names["4"] == names["5"] == "topic"
    assert len(set(names.values())) == 4


@pytest.mark.parametrize("same", [[], ["evals/files/a"]])
def test_no_clusters_where_all_stand_alone_or_all_share_one_fixture(
    tmp_path: Path, same: list[JsonValue]
) -> None:
    suite = suite_of(eval_(1, files=same), eval_(2, files=same))
    assert suite_at(tmp_path, suite, {"evals/files/a": "a"}).clusters() is None


MISTAKES: dict[str, tuple[Fields, str]] = {
    "unknown type": (
        {"structural_expectations": check(type="smells_good")},
        "check S1: unknown type 'smells_good'; known: choice, contains",
    ),
    "bad regular expression": (
        {"structural_expectations": check(type="file_contains", pattern="*", match_regex="(")},
        "check S1: match_regex is not a regular expression",
    ),
    "glob that leaves": (
        {"structural_expectations": check(type="file_exists", pattern="../*.py")},
        "check S1: pattern has '..'",
    ),
    "missing file": ({"files": ["evals/files/none"]}, "files: 'evals/files/none': is not there"),
    "file outside": ({"files": ["../secret"]}, "files: '../secret': path leaves its folder"),
    "absolute file": ({"files": ["/etc/passwd"]}, "files: '/etc/passwd': not a relative path"),
    "folder": ({"files": ["evals"]}, "files: 'evals': is not there"),
    "long name": ({"files": ["a" * 5000]}, "File name too long"),
    "empty id": ({"id": " "}, "eval ' ': id: must not be empty"),
    "empty prompt": ({"prompt": " \n"}, "prompt: must not be empty"),
    "nothing to grade by": (
        {
            "expectations": [],
            "structural_expectations": [],
            "quality_rubric": None,
            "expected_output": " ",
        },
        "expected_output: must say what a good result is",
    ),
    "no dimensions": ({"quality_rubric": rubric()}, "quality_rubric: has no dimensions"),
    "no weight": ({"quality_rubric": rubric(dimension(weight=0))}, "no dimension has any weight"),
    "negative weight": ({"quality_rubric": rubric(dimension(weight=-1))}, "'depth': weight: must"),
    "weights without a sum": (
        {"quality_rubric": rubric(dimension(weight=1e308), dimension("tone", weight=1e308))},
        "'tone': weight: must be 0, or 0.000001 to 1000000",
    ),
    "two of one name": (
        {"quality_rubric": rubric(dimension(), dimension())},
        "2 dimensions are called 'depth'",
    ),
    "upside-down scale": (
        {"quality_rubric": rubric(dimension(minimum=5, maximum=1))},
        "'depth': the scale must rise",
    ),
    "anchors beyond the scale": (
        {"quality_rubric": rubric(dimension(scoring={"1": "poor", "10": "excellent"}))},
        "'depth': the anchor 10 is not on the scale 1..5",
    ),
    "scale below 0": (
        {"quality_rubric": rubric(dimension(minimum=-1, maximum=1))},
        "'depth': the scale must rise",
    ),
    "no time": ({"timeout_seconds": 0}, "timeout_seconds: must be more than 0"),
    "endless time": ({"timeout_seconds": 10**400}, "timeout_seconds: must be more than 0"),
    "half a character": ({"prompt": "a\ud800b"}, "half a character"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told(tmp_path: Path, name: str) -> None:
    fields, expected = MISTAKES[name]
    told = mistakes(tmp_path, suite_of({**eval_(), **fields}))
    assert expected in "\n".join(told)
    assert all(one.startswith("eval ") for one in told)


def test_all_of_them_at_once(tmp_path: Path) -> None:
    """And in the order of the suite, each under the eval that has it."""
    broken = [{**eval_(n), **fields} for n, (fields, _) in enumerate(MISTAKES.values(), 1)]
    told = mistakes(tmp_path, suite_of(*broken, eval_config={"runs_per_eval": 0}))
    for _, expected in MISTAKES.values():
        assert expected in "\n".join(told)
    assert "eval_config.runs_per_eval: must be 1 to 100" in told


def test_several_mistakes_in_one_eval(tmp_path: Path) -> None:
    checks: list[JsonValue] = [*check(type="nope"), *check(type="file_exists", pattern="/x")]
    bad = rubric(dimension(weight=-1), dimension("tone", minimum=3, maximum=2))
    told = mistakes(
        tmp_path,
        suite_of(
            eval_(
                structural_expectations=checks,
                quality_rubric=bad,
                files=["none", "../none"],
                prompt="",
            )
        ),
    )
    assert len(told) == 8
    assert sum("another check has the same id" in one for one in told) == 1


@pytest.mark.parametrize("runs", [0, -1, 101, 10**30])
def test_runs_that_cannot_be(tmp_path: Path, runs: int) -> None:
    told = mistakes(tmp_path, suite_of(eval_(), eval_config={"runs_per_eval": runs}))
    assert told == ["eval_config.runs_per_eval: must be 1 to 100"]


def test_one_id_twice(tmp_path: Path) -> None:
    """A number and the same digits as a string are one id, wherever else they are wrong."""
    assert mistakes(tmp_path, suite_of(eval_(1), eval_("1"))) == [
        "eval 1: id: another eval has the same id"
    ]
    told = mistakes(tmp_path, suite_of(eval_(1, prompt=""), eval_(2), eval_(1)))
    assert told == ["eval 1: prompt: must not be empty", "eval 1: id: another eval has the same id"]


def test_wrong_types_in_several_evals(tmp_path: Path) -> None:
    told = mistakes(
        tmp_path,
        suite_of(
            eval_(files=5), eval_(2, prompt=3), {**eval_(), "id": True}, 7, eval_(5, prompt="")
        ),
    )
    for place in ("evals[0].files", "evals[1].prompt", "evals[2].id", "evals[3]", "eval 5: prompt"):
        assert sum(place in one for one in told) == 1


def test_what_an_eval_without_expectations_is_judged_by(tmp_path: Path) -> None:
    """Its expected output; what was written as expectations or checks stands alone."""
    bare: Fields = {"structural_expectations": [], "expectations": []}
    read = suite_at(
        tmp_path,
        suite_of(
            eval_(1, **bare, quality_rubric=None),
            eval_(2, **bare),
            {"id": 3, "prompt": "Sharpen it.", "expected_output": "It cuts paper."},
            eval_(4, **bare, expected_output=""),
            eval_(5, **bare, expected_output="", prompt="把刀磨快。"),
            eval_(6, expectations=[]),
        ),
    )
    assert [case.standard.expectations for case in read.cases] == [
        ("A sharp knife.",),
        ("A sharp knife.",),
        ("It cuts paper.",),
        ("What the prompt asks for is done.",),
        ("完成了提示词所要求的事。",),
        (),
    ]


def test_fields_of_the_wrong_shape_do_not_hide_other_mistakes(tmp_path: Path) -> None:
    """And each is told once, by its own name."""
    checks: list[JsonValue] = [
        {"type": "file_exist", "pattern": "a"},
        {"type": "file_contains", "pattern": 3, "match": "x"},
        "x",
        {"type": "file_exists", "pattern": "*.py", "critical": "yes"},
    ]
    first: Fields = {
        "id": 1,
        "structural_expectations": checks,
        "timeout_seconds": -1,
        "files": ["none", 5],
    }
    bad = rubric(dimension(weight="x"), dimension("tone", minimum=3, maximum=2))
    second = eval_(2, prompt="", assertions=["", 3], quality_rubric=bad)
    del second["expectations"]
    third = eval_("x", expectations="all of it", structural_expectations=[], quality_rubric=None)
    third["id"] = None
    told = mistakes(tmp_path, suite_of(first, second, third, eval_(3, name=5), eval_(3)))
    for place in (
        *("evals[0].prompt:", "evals[0].files[1]:", "check S1: unknown type", "check S2: pattern"),
        *("check 3:", "check 4: critical", "files: 'none'", "eval 1: timeout_seconds"),
        *("evals[1].assertions[1]:", "evals[1].quality_rubric.dimensions[0].weight:"),
        *("eval 2: quality_rubric: 'tone': the scale", "eval 2: prompt:", "expectations[0]: must"),
        *("evals[2].id:", "evals[2].expectations: must be a list", "evals[3].name:"),
        "eval 3: id: another",
    ):
        assert sum(place in one for one in told) == 1, place
    assert len(told) == 17


def test_an_item_that_lacks_several_fields_does_not_hide_its_neighbours(tmp_path: Path) -> None:
    bad = rubric(dimension(weight=-1), {"id": "Q2"}, {"name": 5}, dimension("tone", weight=-2))
    told = mistakes(tmp_path, suite_of(eval_(1, quality_rubric=bad)))
    shapes = [f"dimensions[{place}].{field}:" for place in (1, 2) for field in ("name", "weight")]
    for said in (*shapes, "'depth': weight: must", "'tone': weight: must"):
        assert sum(said in one for one in told) == 1, said
    assert len(told) == 6


NO_SUITES: list[JsonValue] = [None, 5, [], {}, {"evals": {}}, {"evals": [[]]}]


def test_a_suite_without_evals(tmp_path: Path) -> None:
    assert mistakes(tmp_path, suite_of()) == ["evals: there are none"]


@pytest.mark.parametrize("data", NO_SUITES)
def test_what_is_no_suite_at_all(tmp_path: Path, data: JsonValue) -> None:
    assert mistakes(tmp_path, data)


def test_no_suite_and_no_json(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"has no evals/evals\.json; write one with"):
        read_suite(tmp_path, checkers())
    skill_at(tmp_path, {})
    (tmp_path / "evals/evals.json").write_text("{")
    with pytest.raises(InvalidDocument, match="broken JSON"):
        read_suite(tmp_path, checkers())


def test_two_files_at_one_place(tmp_path: Path) -> None:
    files = {"evals/files/a": "one", "a": "other"}
    told = mistakes(tmp_path, suite_of(eval_(files=["a", "evals/files/a"])), files)
    assert told == ["eval 1: files: 'evals/files/a': a is there already"]


def test_a_link_that_leads_out(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    skill = skill_at(tmp_path / "skill", suite_of(eval_(files=["evals/files/link", "out/secret"])))
    (skill / "evals/files").mkdir()
    (skill / "evals/files/link").symlink_to(tmp_path / "secret")
    (skill / "out").symlink_to(tmp_path)
    with pytest.raises(InvalidSuite) as caught:
        read_suite(skill, checkers())
    assert [one.endswith("leads out of the skill's folder") for one in caught.value.problems] == [
        True,
        True,
    ]


def test_a_link_that_stays_inside(tmp_path: Path) -> None:
    skill = skill_at(tmp_path, suite_of(eval_(files=["link"])), {"real": "content"})
    (skill / "link").symlink_to(skill / "real")
    [file] = read_suite(skill, checkers()).cases[0].stimulus.files
    assert (file.path, file.size) == ("link", 7)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    skill = skill_at(tmp_path, suite_of(eval_(files=["pipe"])))
    os.mkfifo(skill / "pipe")
    with pytest.raises(InvalidSuite, match="is not there"):
        read_suite(skill, checkers())


def test_what_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_INPUT", 2**20)
    files = {"large": "x" * (2**20 + 1), "fits": "x" * 2**20}
    told = mistakes(tmp_path, suite_of(eval_(files=["large", "fits"])), files)
    assert told == ["eval 1: files: 'large': is larger than 1 MB"]
    monkeypatch.setattr(module, "MOST_INPUTS", 2**20)
    more = {"one": "1" * 2**20, "two": "2" * 2**19, "three": "3"}
    told = mistakes(
        tmp_path, suite_of(eval_(files=["one", "two"]), eval_(2, files=["three"])), more
    )
    assert told == ["eval 2: files: 'three': all files together are larger than 1 MB"]
    monkeypatch.setattr(module, "MOST_SUITE", 1000)
    with pytest.raises(InvalidSuite, match="is larger than"):
        suite_at(tmp_path, suite_of(*map(eval_, range(10))))


def test_a_file_of_many_evals_is_read_once(tmp_path: Path) -> None:
    many = [eval_(number, files=["data"]) for number in range(50)]
    suite = suite_at(tmp_path, suite_of(*many), {"data": "x" * 100})
    assert len(suite.content) == 1
    assert {case.stimulus.files for case in suite.cases} == {suite.cases[0].stimulus.files}


def test_the_rubric_is_read_to_the_right_total(tmp_path: Path) -> None:
    """2 × 4/5 + 1 × 1/5 over 3."""
    read = suite_at(tmp_path, suite_of(eval_(quality_rubric=RUBRIC))).cases[0].standard.rubric
    assert read is not None
    assert read.normalized({"depth": 4, "tone": 1}) == pytest.approx(0.6)
