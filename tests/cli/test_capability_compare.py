"""Comparisons, stability and reports of capability runs by command."""

import json
from pathlib import Path

import pytest

from tests.cli.calls import done, read, refused, run
from tests.cli.capability import MINI, ran, write_set

FAIL = ("--option", 'simulate={"fail": 1}')


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    made = tmp_path / "workspace"
    write_set(made)
    return made


@pytest.mark.slow
def test_flips_and_differences(workspace: Path) -> None:
    good, bad = ran(workspace)["run"]["run_id"], ran(workspace, *FAIL)["run"]["run_id"]
    found = read("capability", "compare", good, bad[:8], "--workspace", workspace)
    [only] = found["differences"]
    assert (only["reference_id"], only["run_id"]) == (good, bad)
    assert only["changes"] == {"newly_failed": 1, "still_failed": 1, "not_measured": 1}
    assert only["total"]["verdict"]["delta"] == -25
    told = done("capability", "compare", good, bad, "--workspace", workspace)
    for text in ("sum", "fails now", "-25.0", "Logical reasoning", "simulated agent"):
        assert text in told, text
    said = refused("capability", "compare", good, good, "--workspace", workspace)
    assert "two or more different runs" in said


def test_what_is_equal_has_no_flips(workspace: Path) -> None:
    ids = [ran(workspace)["run"]["run_id"] for _ in range(3)]
    told = done("capability", "compare", *ids, "--workspace", workspace)
    assert told.count("No case flipped.") == 2


def test_the_simulated_agent_is_stable(workspace: Path) -> None:
    found = ran(workspace, "--repeat", "3")
    assert (found["stable"], found["total"]["agreement"]) == (True, 1)
    assert found["total"]["score"] == {"low": 25, "high": 25, "mean": 25}
    assert found["left_out"] == ["lookup"]
    ids = [one["run_id"] for one in found["runs"]]
    assert found == read("capability", "stability", *ids, "--workspace", workspace)
    told = done("capability", "stability", *ids, "--workspace", workspace)
    assert "3 runs came to the same in all of 2 cases." in told
    assert "total: 25.0 to 25.0, on average 25.0" in told


def test_what_flips_is_named(workspace: Path) -> None:
    good, bad = ran(workspace)["run"]["run_id"], ran(workspace, *FAIL)["run"]["run_id"]
    found = read("capability", "stability", good, bad, "--workspace", workspace)
    assert not found["stable"]
    assert (found["total"]["flips"], found["total"]["agreement"]) == (1, 0.5)
    [only] = found["unstable"]
    assert (only["case_id"], only["statuses"]) == ("sum", ["passed", "failed"])
    told = done("capability", "stability", good, bad, "--workspace", workspace)
    assert "1 of 2 cases flip over 2 runs" in told
    assert "passed 1 · failed 0" in told


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "ending"), [("html", "html"), ("json", "json"), ("csv", "csv"), ("markdown", "md")]
)
def test_reports_are_written(
    workspace: Path, tmp_path: Path, form: str, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = ran(workspace)["run"]["run_id"]
    monkeypatch.chdir(tmp_path)
    given = ("capability", "export", "latest", "--format", form, "--workspace", workspace)
    done_ = read(*given)
    path = tmp_path / f"capability-{run_id[:8]}.{ending}"
    assert done_ == {
        "run_id": run_id,
        "format": form,
        "path": path.name,
        "bytes": path.stat().st_size,
    }
    assert "What is 17 + 26?" in path.read_text() or form == "markdown"
    assert "is there already; choose another by --output" in refused(*given)
    out = run(*given, "--output", "-")
    assert out.stdout_bytes == path.read_bytes()
    assert "both want stdout" in refused(*given, "--output", "-", "--json")


def test_a_report_is_in_the_language_of_the_program(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran(workspace)
    monkeypatch.setenv("WHET_LANGUAGE", "zh")
    given = ("--format", "markdown", "--output", "-", "--workspace", workspace)
    assert "逻辑推理" in run("capability", "export", "latest", *given).stdout


def test_an_export_has_the_set_and_its_coverage(workspace: Path) -> None:
    ran(workspace)
    given = ("--format", "json", "--output", "-", "--workspace", workspace)
    found = json.loads(run("capability", "export", "latest", *given).stdout)
    assert [one["id"] for one in found["case_set"]["cases"]] == [one["id"] for one in MINI]
    assert found["coverage"]["cases"] == 3
    assert len(found["items"]) == 3
