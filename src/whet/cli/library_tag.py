"""``whet skill tag`` and ``whet baseline tag``: a person's own tags, and those that a model
proposed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import typer
from rich.console import Console

from whet.app.library import tags
from whet.app.library.library import Library, library
from whet.app.library.tags import Labels, TagReview
from whet.cli.asset_output import cell, line, plain_table, print_json, short_ids
from whet.cli.command import Call, when_stopped
from whet.cli.library_options import Reference, is_terminal
from whet.cli.options import say
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText
from whet.core.errors import Conflict, UsageError
from whet.curate.segments import shown
from whet.ports.listing import Kind

_NAMED = "Its wording, its id or the beginning of that."


class TagWords(Words):
    """Headings and questions; names in braces are filled in."""

    heads = Both(("tag", "state", "since", "id"), ("标签", "状态", "时间", "编号"))
    """Tag, state, when, id."""

    states = Both(
        {
            "manual": "yours",
            "approved": "approved",
            "pending": "proposed",
            "rejected": "rejected",
        },
        {
            "manual": "手动添加",
            "approved": "已采纳",
            "pending": "待审核",
            "rejected": "已拒绝",
        },
    )
    tags = Both("{name}: {tags}", "{name}：{tags}")
    joint = Both(", ", "、")
    none = Both("no tags", "没有标签")
    waiting = Both(
        CountedText("{count:proposed tag waits|proposed tags wait} for a review."),
        "有 {count} 个建议的标签待审核。",
    )
    nothing_waits = Both("No proposed tag waits for a review.", "没有待审核的标签。")
    proposed = Both("{place} of {total}: {tag}", "第 {place} 个，共 {total} 个：{tag}")
    keys = Both(
        "[a]pprove, [r]eject, [m]odify, [s]kip, [q]uit: ",
        "[a] 采纳，[r] 拒绝，[m] 修改，[s] 跳过，[q] 退出：",
    )
    wording = Both("The better wording (empty to go back): ", "更好的写法（留空则返回）：")


@dataclass(frozen=True, kw_only=True)
class ReviewOptions:
    """What is said to proposed tags."""

    approve: Annotated[
        list[str] | None, typer.Option(help="Let it hold; may be repeated.", metavar="TAG")
    ] = None
    reject: Annotated[
        list[str] | None, typer.Option(help="Do not let it hold; may be repeated.", metavar="TAG")
    ] = None
    modify: Annotated[
        list[str] | None,
        typer.Option(help="Let it hold in other words; may be repeated.", metavar="TAG=VALUE"),
    ] = None
    all_: Annotated[
        Literal["approve", "reject"] | None,
        typer.Option("--all", help="What to say to all the others that wait."),
    ] = None
    again: Annotated[
        bool, typer.Option("--again", help="Also where something was said before.")
    ] = False

    def reviews(self) -> Iterator[TagReview]:
        """What is said to each tag that is named."""
        for tag in self.approve or ():
            yield TagReview(tag=tag, action="approve", again=self.again)
        for tag in self.reject or ():
            yield TagReview(tag=tag, action="reject", again=self.again)
        for each in self.modify or ():
            tag, equals, value = each.partition("=")
            if not tag or not equals:
                raise UsageError(f"{shown(each)} says no new wording; write TAG=VALUE")
            yield TagReview(tag=tag, action="modify", value=value, again=self.again)


def list_(call: Call, reference: Reference, kind: Kind) -> None:
    """Print every tag with what was said to it."""
    with library(call.settings.workspace, kind) as shelf:
        found = tags.labels(shelf, reference)
    if call.json:
        print_json(found)
        return
    words = TagWords(call.language)
    rows = [*_rows(found)]
    ids = short_ids([identity for *_, identity in rows])
    table = plain_table(words.heads, words.heads[1:])
    for value, state, moment, identity in rows:
        table.add_row(cell(value), words.states[state], cell(moment), ids[identity])
    if rows:
        Console(highlight=False).print(table)
    else:
        typer.echo(words.none)


def add(
    call: Call,
    reference: Reference,
    values: Annotated[list[str], typer.Argument(help="The tags.", metavar="VALUE...")],
    kind: Kind,
) -> None:
    """Add a person's own tags."""
    with library(call.settings.workspace, kind) as shelf:
        found = tags.add(shelf, reference, values)
    _print(call, found)


def remove(
    call: Call,
    reference: Reference,
    tag: Annotated[list[str], typer.Argument(help=_NAMED, metavar="TAG...")],
    kind: Kind,
) -> None:
    """Remove tags that hold."""
    with library(call.settings.workspace, kind) as shelf:
        found = tags.remove(shelf, reference, *tag)
    _print(call, found)


def rename(
    call: Call,
    reference: Reference,
    tag: Annotated[str, typer.Argument(help=_NAMED)],
    value: Annotated[str, typer.Argument(help="The new wording.")],
    kind: Kind,
) -> None:
    """Rename a tag that holds."""
    with library(call.settings.workspace, kind) as shelf:
        found = tags.rename(shelf, reference, tag, value)
    _print(call, found)


@when_stopped("stopped; what you said so far is kept")
def review(call: Call, reference: Reference, options: ReviewOptions, kind: Kind) -> None:
    """Review what the options name, or what a person is asked one after the other."""
    said = [*options.reviews()]
    with library(call.settings.workspace, kind) as shelf:
        if said or options.all_ is not None:
            try:
                found = tags.review(shelf, reference, said, options.all_)
            except Conflict as error:
                raise UsageError(f"{error}; --again reviews it once more") from None
        elif call.json or not is_terminal():
            raise UsageError("a review needs a terminal; or use --approve, --reject, --all …")
        else:
            found = _go_through(shelf, reference, TagWords(call.language))
    _print(call, found)


def _go_through(shelf: Library, reference: str, words: TagWords) -> Labels:
    """From one that waits to the next; whatever is said is kept at once."""
    found = tags.labels(shelf, reference)
    waiting = _waiting(found)
    if not waiting:
        typer.echo(words.nothing_waits)
    for place, (value, tag_id) in enumerate(waiting, start=1):
        told = words.proposed.format(place=place, total=len(waiting), tag=line(value))
        typer.echo(told)
        while (key := _key(words)) not in ("s", "q"):
            try:
                answer = _answer(key, tag_id, words)
                if answer is not None:
                    found = tags.review(shelf, found.id, [answer])
                    break
            except UsageError as error:
                say(str(error))
        if key == "q":
            break
    return found


def _answer(key: str, tag_id: str, words: TagWords) -> TagReview | None:
    if key == "m":
        value = (_typed(words.wording) or "").strip()
        return TagReview(tag=tag_id, action="modify", value=value) if value else None
    return TagReview(tag=tag_id, action="approve" if key == "a" else "reject")


def _key(words: TagWords) -> str:
    while True:
        given = _typed(words.keys)
        if given is None:
            return "q"
        if (key := given.strip().lower()[:1]) and key in "armsq":
            return key


def _typed(question: str) -> str | None:
    """What the person types; None where there is nobody any more."""
    try:
        return input(question)
    except EOFError:
        return None


def _waiting(found: Labels) -> list[tuple[str, str]]:
    """Wording and id of those that nothing was said to."""
    pending = [tag for tag in found.auto if tag["status"] == "pending"]
    return [(str(tag["value"]), str(tag["id"])) for tag in pending]


def _rows(found: Labels) -> Iterator[tuple[str, str, str, str]]:
    """Wording, state, since when, and id."""
    for tag in found.manual:
        yield str(tag["value"]), "manual", str(tag["created_at"]), str(tag["id"])
    for tag in found.auto:
        since = tag.get("approved_at") or tag.get("rejected_at") or tag["generated_at"]
        yield str(tag["value"]), str(tag["status"]), str(since), str(tag["id"])


def _print(call: Call, found: Labels) -> None:
    if call.json:
        print_json(found)
        return
    words = TagWords(call.language)
    listed = words.joint.join(line(tag) for tag in found.tags) or words.none
    typer.echo(words.tags.format(name=line(found.name), tags=listed))
    if waiting := len(_waiting(found)):
        typer.echo(words.waiting.format(count=waiting))
