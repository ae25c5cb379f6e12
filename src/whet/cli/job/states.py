"""Where a job is, in words and colours."""

from rich.text import Text

from whet.app.app import App
from whet.app.runs.service import RunService
from whet.core.bilingual import Both, Words
from whet.core.job import Job

COLOURS = {"succeeded": "green", "failed": "red", "refused": "red", "cancelled": "yellow"}


class StateWords(Words):
    """The states of jobs."""

    states = Both(
        {
            "waiting_upload": "waits for files",
            "queued": "queued",
            "running": "running",
            "waiting_user": "waits for an answer",
            "succeeded": "succeeded",
            "failed": "failed",
            "cancelled": "cancelled",
            "refused": "refused",
        },
        {
            "waiting_upload": "等待文件",
            "queued": "排队中",
            "running": "运行中",
            "waiting_user": "等待回答",
            "succeeded": "成功",
            "failed": "失败",
            "cancelled": "已取消",
            "refused": "被拒绝",
        },
    )
    interrupted = Both("interrupted", "已中断")


def is_abandoned(app: App, job: Job) -> bool:
    """Whether a job is said to be running while its process is gone."""
    run = RunService(app).find(job.request_id)
    return job.state == "running" and (run is None or run.status == "interrupted")


def state_text(app: App, job: Job, words: StateWords) -> Text:
    """The state of a job as a terminal shows it."""
    if is_abandoned(app, job):
        return Text(words.interrupted, "yellow")
    return Text(words.states[job.state], COLOURS.get(job.state, ""))


def engine_name(job: Job) -> str:
    """Who does a job."""
    return job.engine if job.model in ("default", job.engine) else f"{job.engine}:{job.model}"
