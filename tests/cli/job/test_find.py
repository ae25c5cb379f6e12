"""Looking at jobs, and taking away what they delivered."""

import hashlib
import io
import json
import zipfile
from pathlib import Path

import pytest

from tests.cli.calls import run
from tests.cli.job.desk import ASKING, EXAMPLE, Desk


@pytest.mark.slow
def test_jobs_are_listed_the_newest_first(desk: Desk) -> None:
    assert "No jobs yet. Begin with: whet job run SKILL" in desk.done("job", "list")
    first = desk.reported()["request_id"]
    second = desk.read("job", "submit", EXAMPLE, *desk.given, "--no-cache")["request_id"]
    lines = desk.done("job", "list").splitlines()
    assert [line[:8] for line in lines[2:4]] == [second[:8], first[:8]]
    assert lines[-1] == "1 to 2 of 2"
    assert "queued" in lines[2]
    assert "succeeded" in lines[3]
    page = desk.read("job", "list", "--limit", "1", "--offset", "1")
    assert [job["request_id"] for job in page["jobs"]] == [first]
    assert (page["total"], page["limit"], page["offset"]) == (2, 1, 1)
    for option in (("--status", "queued"), ("--skill", "text-report"), ("--engine", "simulated")):
        assert second in [job["request_id"] for job in desk.read("job", "list", *option)["jobs"]]
    for option in (("--status", "failed"), ("--skill", "x"), ("--engine", "x"), ("--offset", "9")):
        assert desk.done("job", "list", *option).strip() == "No job fits."


@pytest.mark.slow
def test_a_job_is_found_by_the_beginning_of_its_id(desk: Desk) -> None:
    identity = desk.reported()["request_id"]
    for name in (identity, identity[:4], "latest"):
        assert desk.read("job", "status", name)["request_id"] == identity
    for name in ("zzzz", identity[:3], ""):
        assert "no job" in desk.refused("job", "status", name)


def test_the_status_says_what_to_do_next(desk: Desk) -> None:
    desk.read("job", "submit", EXAMPLE, *desk.given)
    said = desk.done("job", "status", "latest")
    assert "queued" in said
    assert "next  whet job wait " in said
    desk.call("job", "wait", "latest")
    said = desk.done("job", "status", "latest")
    assert "succeeded" in said
    assert "next  whet job result " in said
    assert "simulated  yes" in said


def test_the_status_of_one_that_waits_has_its_question(desk: Desk) -> None:
    desk.call("run", desk.package("asking", ASKING), *desk.given, "--mode", "interactive")
    said = desk.done("job", "status", "latest")
    assert "The agent asks:\nPlease give me the audience." in said
    assert "answer with: whet job reply " in said


@pytest.mark.slow
def test_a_result_is_there_after_the_end(desk: Desk) -> None:
    desk.read("job", "submit", EXAMPLE, *desk.given)
    assert "it has no result yet" in desk.refused("job", "result", "latest")
    assert "it has no result yet" in desk.refused("job", "artifacts", "latest")
    assert "it has no result yet" in desk.refused("job", "bundle", "latest")
    desk.call("job", "wait", "latest")
    plain, more = (
        json.loads(desk.done("job", "result", "latest")),
        desk.read("job", "result", "latest"),
    )
    assert plain == {"request_id": more["request_id"], "result": more["result"]}
    [path] = more["files"].values()
    assert Path(path).read_text().startswith("# Rivers")


@pytest.mark.slow
def test_artifacts_are_listed_and_written(desk: Desk) -> None:
    desk.reported()
    listed = desk.read("job", "artifacts", "latest")
    [about] = listed["details"]
    assert listed["artifacts"] == [about["path"]] == ["artifacts/report.md"]
    assert "artifacts/report.md" in desk.done("job", "artifacts", "latest")
    out = desk.folder / "out"
    assert f"files in {out}: 1" in desk.done("job", "artifacts", "latest", "--out", out)
    data = (out / "report.md").read_bytes()
    assert (about["size"], about["sha256"]) == (len(data), hashlib.sha256(data).hexdigest())
    assert "is not empty" in desk.refused("job", "artifacts", "latest", "--out", out)
    written = desk.read("job", "artifacts", "latest", "--out", out, "--force")
    assert written["files"] == {"artifacts/report.md": str(out / "report.md")}


def test_a_job_without_files_says_so(desk: Desk) -> None:
    trouble = ("--option", 'simulate={"fail": 1}')
    desk.call("run", EXAMPLE, *desk.given, *trouble)
    assert "delivered no files." in desk.done("job", "artifacts", "latest")


@pytest.mark.slow
def test_a_bundle_is_a_zip_of_all_of_it(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    identity = desk.reported()["request_id"]
    monkeypatch.chdir(desk.folder)
    name = desk.done("job", "bundle", "latest").strip()
    assert name == f"job-{identity[:8]}.zip"
    with zipfile.ZipFile(desk.folder / name) as archive:
        assert set(archive.namelist()) == {"result.json", "artifacts/report.md", "manifest.json"}
    assert "is there already" in desk.refused("job", "bundle", "latest")
    debug = desk.read("job", "bundle", "latest", "--debug")
    assert debug["path"] == f"job-{identity[:8]}-debug.zip"
    assert debug["bytes"] == (desk.folder / debug["path"]).stat().st_size
    with zipfile.ZipFile(desk.folder / debug["path"]) as archive:
        assert "debug/turns/1/prompt.txt" in archive.namelist()
    printed = desk.call("job", "bundle", "latest", "--out", "-")
    with zipfile.ZipFile(io.BytesIO(printed.stdout_bytes)) as archive:
        assert "artifacts/report.md" in archive.namelist()
    both = desk.refused("job", "bundle", "latest", "--out", "-", "--json")
    assert "both want stdout" in both


@pytest.mark.slow
def test_the_log_has_every_step(desk: Desk) -> None:
    desk.reported()
    said = desk.done("job", "logs", "latest")
    assert "  calls  Write artifacts/report.md" in said
    assert said.splitlines()[-1].endswith("  succeeded")
    told = desk.read("job", "logs", "latest")["lines"]
    assert [each["kind"] for each in told][-2:] == ["ended", "succeeded"]
    followed = desk.done("job", "logs", "latest", "--follow", "--json")
    assert [json.loads(line) for line in followed.splitlines()] == told


@pytest.mark.slow
def test_chinese_is_spoken(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHET_LANGUAGE", "zh")
    assert "尚无作业。开始：whet job run SKILL" in desk.done("job", "list")
    result = desk.call("run", EXAMPLE, *desk.given)
    assert result.stderr.startswith("文件：")
    assert "成功" in desk.done("job", "list")
    assert "下一步  whet job result" in desk.done("job", "status", "latest")
    mistakes = desk.call("run", EXAMPLE)
    assert "text-report 接受：" in mistakes.stderr
    assert "必需" in mistakes.stderr
    queued = desk.done("job", "submit", EXAMPLE, *desk.given, "--no-cache")
    assert "已排队。" in queued
    assert "目前没有进程执行它" in queued


@pytest.mark.parametrize(
    "arguments",
    [("run",), ("job", "status"), ("job", "case", "latest"), ("job", "list", "--limit", "0")],
)
def test_wrong_use_is_a_usage_error(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2
