"""``whet eval init``: a first suite for a skill."""

from typing import Annotated

import typer

from whet.app.eval_iterations import Place
from whet.app.eval_people import drafted
from whet.cli.asset_output import print_json
from whet.cli.command import Call, when_stopped
from whet.cli.request_options import Spelling
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText
from whet.evaluate.review import printable
from whet.evaluate.starter import Draft, Subject, refuse_existing, subject, write_draft
from whet.evaluate.suite import FILE

_SHOWN = 200


class DraftWords(Words):
    """What is said of a draft."""

    drafted = Both(
        CountedText("A draft with {count:eval|evals}, made from the description of {name}:"),
        "根据 {name} 的描述写成的草稿，共 {count} 个评测项：",
    )
    drafted_by = Both(
        CountedText("A draft with {count:eval|evals}, written by {author} for {name}:"),
        "由 {author} 为 {name} 写的草稿，共 {count} 个评测项：",
    )
    no_model = Both(
        "The simulated engine writes nothing; the draft is made without a model.",
        "模拟引擎不会写作；草稿未使用模型生成。",
    )
    kept = Both("The older file is now {path}", "原文件现为 {path}")
    left = Both("{path} is there already and stays as it is", "{path} 已存在，保持不变")
    edit_it = Both(
        "It is a draft: put requests of your users in place of these, and say what only good work "
        "has. Then run: whet eval {folder} --engine claude --dry-run\n"
        "Without --engine the simulated agent does it, which only writes Python.",
        "这只是草稿：请换成用户的真实请求，并写明只有好的结果才具备什么。"
        "然后运行：whet eval {folder} --engine claude --dry-run\n"
        "不加 --engine 时由模拟智能体完成，它只会写 Python。",
    )
    how_many = Both(
        "For a verdict on evals in general at least 6 evals are needed, better 12: the evals are "
        "the sample. More runs of the same evals will not change that.",
        "要对一般的评测项下结论，至少需要 6 个评测项，最好 12 个：评测项就是样本。"
        "同样的评测项再多跑几次也无济于事。",
    )
    queries_only = Both(
        CountedText(
            "A draft of {count:query|queries} that should or should not trigger the skill:"
        ),
        "起草了 {count} 条查询，各自应当或不应当触发该技能：",
    )


Author = Annotated[
    Place,
    Spelling(
        arguments={"folder": "SKILL_DIR"},
        help={
            "engine": "Let a model write it, by this engine. Default: made from SKILL.md.",
            "model": "The model that writes.",
        },
    ),
]
Number = Annotated[int, typer.Option(help="How many; at most 12 without an engine.", min=1, max=20)]
Force = Annotated[
    bool, typer.Option("--force", help="Also where there is a suite; it is kept as .bak.")
]


@when_stopped("stopped; nothing was written")
def init(call: Call, author: Author, evals: Number = 12, force: Force = False) -> None:
    """Draft a suite, write it and show it."""
    words, folder = DraftWords(call.language), author.folder
    refuse_existing(folder, force=force)
    skill = subject(folder)
    draft, model = drafted(call.settings, skill, author, evals)
    written = write_draft(folder, draft, force=force)
    if call.json:
        print_json(
            {
                "author": model or None,
                "evals": len(draft.suite.evals),
                "triggers": len(draft.triggers.queries),
                "files": [str(path) for path in written.files],
                "kept": [str(path) for path in written.kept],
                "left": [str(path) for path in written.left],
            }
        )
        return
    if folder / FILE in written.left:
        typer.echo(words.queries_only.format(count=len(draft.triggers.queries)))
    else:
        _print(skill, draft, model, words)
    if author.engine and not model:
        typer.echo(words.no_model)
    for path in written.kept:
        typer.echo(words.kept.format(path=path))
    for path in written.left:
        typer.echo(words.left.format(path=path))
    for path in written.files:
        typer.echo(str(path))
    if folder / FILE in written.files:
        typer.echo(words.how_many)
        typer.echo(words.edit_it.format(folder=folder))


def _print(skill: Subject, draft: Draft, author: str, words: DraftWords) -> None:
    head = words.drafted_by if author else words.drafted
    count = len(draft.suite.evals)
    typer.echo(head.format(count=count, name=printable(skill.name), author=printable(author)))
    for one in draft.suite.evals:
        prompt = " ".join(one.prompt.split())
        short = prompt if len(prompt) <= _SHOWN else f"{prompt[: _SHOWN - 1]}…"
        typer.echo(f"\n  {one.id}  {printable(one.name or '')}\n     {printable(short)}")
        for text in one.expectations:
            typer.echo(f"     - {printable(text)}")
    typer.echo("")
