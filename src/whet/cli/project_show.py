"""``whet project show``: how a project is set up, and what came of it."""

import json

import typer
from pydantic import JsonValue
from rich.console import Console
from rich.text import Text

from whet.app.app import opened
from whet.app.projects import told
from whet.app.projects.shelf import ProjectShelf
from whet.app.projects.told import AssetRef, ProjectDetail
from whet.app.takeover.takeover import take_over
from whet.cli.asset_output import cell, line, print_json
from whet.cli.command import Call
from whet.cli.project_text import (
    Reference,
    StatusWords,
    agent_text,
    facts_grid,
    project_command,
    status_text,
    trials_text,
)
from whet.cli.ranking import RankingWords, standings
from whet.core.bilingual import Both, Words
from whet.curate.archive import few


class ProjectShowWords(Words):
    """Names of fields, and sentences; names in braces are filled in."""

    fields = Both(
        {
            "name": "name",
            "id": "id",
            "description": "description",
            "status": "status",
            "error": "error",
            "trials": "trials",
            "skills": "skills",
            "baselines": "baselines",
            "engine": "engine",
            "options": "options",
            "flags": "flags",
            "sandbox": "sandbox",
            "limits": "limits",
            "repeats": "repeats",
            "judges": "judges",
            "context": "context",
            "created_at": "created",
            "updated_at": "updated",
            "path": "folder",
        },
        {
            "name": "名称",
            "id": "编号",
            "description": "说明",
            "status": "状态",
            "error": "错误",
            "trials": "试验",
            "skills": "技能",
            "baselines": "基线",
            "engine": "引擎",
            "options": "选项",
            "flags": "参数",
            "sandbox": "沙箱",
            "limits": "限制",
            "repeats": "重复",
            "judges": "评审",
            "context": "上下文",
            "created_at": "创建",
            "updated_at": "更新",
            "path": "文件夹",
        },
    )
    version = Both("version", "版本")
    archived = Both("archived", "已归档")
    limits = Both(
        "{seconds} s for each attempt, {retries} retries",
        "每次尝试 {seconds} 秒，重试 {retries} 次",
    )
    judges = Both("{judges}, readings: {readings}", "{judges}，各读 {readings} 次")
    results = Both("results", "结果")
    note = Both("note", "注意")


def show(call: Call, reference: Reference) -> None:
    """Print how a project is set up, and its ranking."""
    with opened(call.settings) as app:
        shelf = ProjectShelf(app)
        project = shelf.find(reference)
        take_over(app, project)
        found = told.detail(app, shelf.find(project.config.id))
        summary = told.summary(project)
    if call.json:
        print_json(found)
        return
    words, console, grid = ProjectShowWords(call.language), Console(), facts_grid()
    for name, text in _fields(found, words, StatusWords(call.language)).items():
        if text:
            grid.add_row(words.fields[name], Text("\n").join(cell(one, 2000) for one in text))
    console.print(grid)
    # On one line, however long, so that it can be copied.
    typer.echo(f"{words.fields['path']}  {line(found.project.path, 4096)}")
    if summary is not None:
        console.print()
        standings(console, found.project.name, summary, RankingWords(call.language))
    for note in few([*found.notes]):
        typer.echo(f"{words.note}  {line(note, 1000)}")
    typer.echo(f"{words.results}  {project_command(call, 'results', project)}")


def _fields(
    found: ProjectDetail, words: ProjectShowWords, statuses: StatusWords
) -> dict[str, list[str]]:
    """What is known of it, by field; what is empty says nothing."""
    item, config = found.project, found.config
    cli, context = _part(config, "cli_config"), _part(config, "context_config")
    grading = _part(config, "grading_config")
    status = status_text(item.status, item.control or item.failed, statuses)
    retries, readings = cli.get("retry_count"), grading.get("readings", 1)
    return {
        "name": [item.name],
        "id": [item.id],
        "description": [item.description] if item.description else [],
        "status": [f"{status} · {words.archived}" if item.archived else status],
        "error": [item.error] if item.error else [],
        "trials": [trials_text(item.trials, item.total_trials, statuses)],
        "skills": [_asset(one) for one in item.skills],
        "baselines": [_asset(one) for one in item.baselines],
        "engine": [f"{agent_text(item)}  ({words.version} {_said(cli.get('engine_version'))})"],
        "options": _lines(cli.get("options")),
        "flags": _lines(cli.get("extra_flags")),
        "sandbox": [_said(cli.get("sandbox"))],
        "limits": [words.limits.format(seconds=_said(cli.get("timeout_seconds")), retries=retries)],
        "repeats": [str(item.repeats)],
        "judges": [words.judges.format(judges=", ".join(item.judges), readings=readings)]
        if item.judges
        else [],
        "context": _lines(context),
        "created_at": [item.created_at],
        "updated_at": [item.updated_at],
    }


def _part(config: dict[str, JsonValue], name: str) -> dict[str, JsonValue]:
    part = config.get(name)
    return part if isinstance(part, dict) else {}


def _asset(one: AssetRef) -> str:
    return f"{one.name or one.id} {one.version}  {one.arm}"


def _said(value: JsonValue) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return f"{value:g}"
    return "–" if value is None else json.dumps(value, ensure_ascii=False)


def _lines(value: JsonValue) -> list[str]:
    """A table by lines, anything else on one."""
    if isinstance(value, dict):
        return [f"{name} = {_said(one)}" for name, one in value.items()]
    return [_said(value)] if value else []
