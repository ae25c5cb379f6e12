"""The leaderboard from the outside, after a demo."""

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.flows.command import demo, whet
from tests.flows.serving import Serving

pytestmark = pytest.mark.slow

SKILL = "Careful Python Writer"


@pytest.fixture(scope="module")
def tested(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    workspace = tmp_path_factory.mktemp("tested")
    return workspace, demo(workspace)


@pytest.fixture
def workspace(tested: tuple[Path, dict[str, Any]], tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return Path(shutil.copytree(tested[0], tmp_path / "workspace"))


def read(workspace: Path, *arguments: str) -> dict[str, Any]:
    done = whet("leaderboard", *arguments, "--json", "--workspace", workspace)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_the_demo_is_on_the_board_as_it_was_ranked(
    tested: tuple[Path, dict[str, Any]], workspace: Path
) -> None:
    (group,) = read(workspace)["groups"]
    ranking = tested[1]["ranking"]
    assert (group["skill_count"], group["record_count"]) == (3, 3)
    for record, place in zip(group["records"], ranking, strict=True):
        for field in ("skill_id", "skill_name", "avg_score", "score_breakdown", "interval"):
            assert record[field] == place[field]
        assert (record["staleness"], record["simulated"]) == ("current", True)
        assert (record["case_count"], record["completed_cases"]) == (10, 10)
    assert read(workspace, "--purpose", group["baseline_purpose"])["total"] == 1
    assert read(workspace, "--purpose", "other")["total"] == 0


def test_it_goes_stale_with_the_library_and_by_its_projects(workspace: Path) -> None:
    edit = ("skill", "edit", SKILL, "--set", "description=Another one.")
    assert whet(*edit, "--workspace", workspace).returncode == 0
    records = read(workspace, "--flat")["records"]
    assert [one["staleness"] for one in records].count("skill_updated") == 1
    assert read(workspace, "--flat", "--current-only")["total"] == 2
    said = whet("leaderboard", "--workspace", workspace, COLUMNS="80").stdout
    assert "skill is v2 now" in said
    shutil.rmtree(next((workspace / "projects").iterdir()))
    assert read(workspace, "--flat")["total"] == 0
    assert "whet demo" in whet("leaderboard", "--workspace", workspace).stdout


def test_an_index_that_was_deleted_says_the_same(workspace: Path) -> None:
    before = read(workspace)
    for path in workspace.glob("index.db*"):
        path.unlink()
    assert read(workspace) == before


def test_a_table_on_stdout_is_the_same_on_the_wire(workspace: Path) -> None:
    done = whet("leaderboard", "--csv", "-", "--workspace", workspace)
    rows = [*csv.DictReader(io.StringIO(done.stdout.removeprefix("\ufeff"), newline=""))]
    assert [one["simulated"] for one in rows] == ["true"] * 3
    with Serving.on(workspace) as server:
        table = server.client.get("/v1/leaderboard/export").content.decode("utf-8-sig")
        assert [*csv.DictReader(io.StringIO(table, newline=""))] == rows
        groups = server.client.get("/v1/leaderboard", params={"page_size": 10}).json()
        assert groups == read(workspace)
        history = server.client.get(f"/v1/leaderboard/history/{SKILL}").json()
        assert history == read(workspace, "history", SKILL)
        (baseline,) = history["baselines"]
        assert [point["version"] for point in baseline["points"]] == ["v1"]


def test_it_speaks_chinese(workspace: Path) -> None:
    said = whet("leaderboard", "--workspace", workspace, WHET_LANGUAGE="zh", COLUMNS="80").stdout
    assert "95 % 区间" in said
    assert "模拟" in said
