"""``whet eval feedback``: what the runs say of the suite, and edits to accept."""

import json
import sys
from typing import Annotated

import typer
from pydantic import JsonValue

from whet.app.eval_iterations import Place
from whet.app.eval_people import Improvement, applied, ask_for_edits, chosen, improvement
from whet.app.eval_people import apply as write_edits
from whet.app.settings import Settings
from whet.cli.asset_output import print_json
from whet.cli.command import Call, when_stopped
from whet.cli.request_options import Spelling
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText
from whet.evaluate.review import printable
from whet.evaluate.suite import FILE
from whet.evaluate.suite_edits import SuiteEdit, difference, is_done

_SHOWN = 300


class FeedbackWords(Words):
    """What is said of a suite and its edits."""

    suggested = Both(
        CountedText(
            "What judges say of the suite, from {total:run|runs} of iteration {iteration}:"
        ),
        "评审对评测套件的意见，来自第 {iteration} 次迭代的 {total} 次运行：",
    )
    no_suggestions = Both(
        CountedText("The judges had nothing to say about the suite ({total:run|runs})."),
        "评审对评测套件没有意见（{total} 次运行）。",
    )
    edits = Both("Edits that follow:", "由此得出的修改：")
    no_edits = Both("No edit follows from these runs.", "这些运行没有引出任何修改。")
    kinds = Both(
        {
            "add_expectation": "add an expectation to {evals}: {text}",
            "add_check": "add a check to {evals}: {text}",
            "replace_check": "replace check {target} of {evals} by: {text}",
            "remove_check": "remove check {target} from {evals}",
            "mark_critical": "make check {target} of {evals} critical",
        },
        {
            "add_expectation": "为 {evals} 增加期望：{text}",
            "add_check": "为 {evals} 增加检查：{text}",
            "replace_check": "将 {evals} 的检查 {target} 换成：{text}",
            "remove_check": "从 {evals} 中删除检查 {target}",
            "mark_critical": "将 {evals} 的检查 {target} 设为关键",
        },
    )
    done = Both("done already", "已完成")
    by_model = Both("by {author}", "由 {author} 提出")
    dropped = Both("Left out: {why}", "未采纳：{why}")
    how_to_apply = Both(
        "Accept one: whet eval feedback {folder} --apply 1",
        "采纳一项：whet eval feedback {folder} --apply 1",
    )
    accept = Both("Accept it? [y/n/q] ", "采纳吗？[y/n/q] ")
    applied = Both("Written: {path}", "已写入：{path}")
    nothing_to_do = Both("Nothing to change: it is done already.", "无需修改：已经完成。")
    simulated = Both(
        "The agent or a judge is the built-in simulated one.", "智能体或评审是内置的模拟部件。"
    )


Author = Annotated[
    Place,
    Spelling(
        arguments={"folder": "SKILL_DIR"},
        help={
            "engine": "Also ask a model for edits, by this engine.",
            "model": "The model that is asked.",
        },
    ),
]


@when_stopped("stopped; what you accepted so far is written")
def feedback(
    call: Call,
    author: Author,
    iteration: Annotated[int | None, typer.Option(help="Default: the newest.", min=1)] = None,
    of: Annotated[
        str | None, typer.Option(help="Whose runs, if there are several: engine or engine:model.")
    ] = None,
    apply: Annotated[
        list[int] | None, typer.Option(help="Accept the edit of this number; may be repeated.")
    ] = None,
) -> None:
    """Show edits, ask a model for more if one is named, and write what is accepted."""
    words = FeedbackWords(call.language)
    engine, _, model = (of or "").partition(":")
    place = Place(folder=author.folder, engine=engine or None, model=model or None)
    found = improvement(call.settings, place, iteration)
    found = ask_for_edits(call.settings, found, author)
    if apply:
        _apply(call, found, chosen(found, apply), words)
    elif call.json:
        print_json(_told(found))
    else:
        _print(found, words)
        if sys.stdin.isatty() and sys.stdout.isatty():
            _accept_one_by_one(call.settings, found, words)
        elif found.edits:
            typer.echo(words.how_to_apply.format(folder=author.folder))


def _apply(call: Call, found: Improvement, edits: list[SuiteEdit], words: FeedbackWords) -> None:
    change = write_edits(call.settings, found, edits)
    if call.json:
        print_json({"changed": bool(change), "diff": change})
    elif change:
        typer.echo(printable(change))
        typer.echo(words.applied.format(path=found.place.folder / FILE))
    else:
        typer.echo(words.nothing_to_do)


def _accept_one_by_one(settings: Settings, found: Improvement, words: FeedbackWords) -> None:
    """Show the change of each edit, and write those that the person accepts, each at once."""
    for number, edit in enumerate(found.edits, start=1):
        if is_done(found.data, edit):
            continue
        typer.echo(f"\n{number}  {_edit_text(edit, words)}")
        typer.echo(printable(difference(found.text, applied(found, [edit]))))
        answer = _answer(words.accept)
        if answer == "q":
            return
        if answer == "y":
            write_edits(settings, found, [edit])
            typer.echo(words.applied.format(path=found.place.folder / FILE))
            # The next one speaks of the suite as it is now.
            found = improvement(settings, found.place, found.iteration.number)


def _answer(question: str) -> str:
    while True:
        try:
            given = input(question).strip().lower()[:1]
        except EOFError:
            return "q"
        if given in ("y", "n", "q"):
            return given


def _print(found: Improvement, words: FeedbackWords) -> None:
    aggregate = found.aggregate
    heading = words.suggested if aggregate.suggestions else words.no_suggestions
    typer.echo(heading.format(total=aggregate.total_runs, iteration=aggregate.iteration))
    for one in aggregate.suggestions:
        about = f"{printable(one.assertion)}: " if one.assertion else ""
        typer.echo(f"  {one.frequency:3}×  {about}{_short(one.reason)}")
        typer.echo(f"        {_short(one.action)}")
    typer.echo("\n" + (words.edits if found.edits else words.no_edits))
    for number, edit in enumerate(found.edits, start=1):
        marks = [words.done] if is_done(found.data, edit) else []
        if edit.source == "model" and found.asked:
            author = f"{found.asked.engine}:{found.asked.model}"
            marks.append(words.by_model.format(author=printable(author)))
        told = f" ({', '.join(marks)})" if marks else ""
        typer.echo(f"  {number:3}  {_edit_text(edit, words)}{told}")
        typer.echo(f"       {_short(edit.reason)}")
    for why in found.asked.dropped if found.asked else ():
        typer.echo(words.dropped.format(why=_short(why)))
    if aggregate.simulated:
        typer.echo(words.simulated)


def _edit_text(edit: SuiteEdit, words: FeedbackWords) -> str:
    check = json.dumps(edit.check, ensure_ascii=False) if edit.check else ""
    return words.kinds[edit.kind].format(
        evals=f"eval {_short(', '.join(map(str, edit.eval_ids)))}",
        text=_short(edit.text or check),
        target=_short(edit.target or ""),
    )


def _told(found: Improvement) -> dict[str, JsonValue]:
    edits: list[JsonValue] = [
        {
            "number": number,
            "done": is_done(found.data, edit),
            **edit.model_dump(mode="json"),
        }
        for number, edit in enumerate(found.edits, start=1)
    ]
    return {
        "feedback": found.aggregate.to_data(),
        "edits": edits,
        "dropped": list(found.asked.dropped) if found.asked else [],
    }


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return printable(plain if len(plain) <= _SHOWN else f"{plain[: _SHOWN - 1]}…")
