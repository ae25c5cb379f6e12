"""``whet skill tag auto`` and ``suggest-purpose``, and the same of baselines: a model proposes, and
a person decides."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from whet.app.app import opened
from whet.app.library.assist import Assistant
from whet.app.library.assist_tags import MOST, AutoTags, Batch, TagBatch, TaggedAsset
from whet.app.library.library import library
from whet.app.library.requests import AssistRequest, SuggestPurposeRequest
from whet.app.settings import Settings
from whet.cli.asset_output import line, print_json
from whet.cli.command import Call, when_stopped
from whet.cli.progress import shown
from whet.cli.request_options import Spelling
from whet.cli.spending import confirm
from whet.cli.termination import run_to_end
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText
from whet.core.errors import UsageError
from whet.core.naming import short
from whet.ports.listing import Kind
from whet.run.assist.asking import How

_LONGEST = 300
"""Characters of an error on the screen; the log has all of it."""


class AssistWords(Words):
    """Names in braces are filled in."""

    tagging = Both("auto-tag", "自动打标签")
    answers = Both(
        CountedText("{count:answer|answers} of {who}, of unknown cost"),
        "{who} 的 {count} 次回答，费用未知",
    )
    all_tagged = Both(
        "Nothing to do: every one has a tag, or one that waits.",
        "无需处理：全部已有标签，或有待审标签。",
    )
    no_asset = Both("Nothing to do: the library is empty.", "无需处理：库是空的。")
    more_left = Both(
        "Without a tag there are {count} more: the same command goes on with them.",
        "还有 {count} 个没有标签：再次运行同一命令即可继续。",
    )
    proposed = Both("{name} ({id}): {tags}", "{name}（{id}）：{tags}")
    nothing_new = Both(
        "{name} ({id}): nothing that is not there already", "{name}（{id}）：没有新的标签"
    )
    failed = Both("{name} ({id}): failed: {error}", "{name}（{id}）：失败：{error}")
    waiting = Both("{name} ({id}): not done", "{name}（{id}）：未处理")
    review = Both("  review them: {command}", "  审核：{command}")
    tags_simulated = Both(
        "Simulated: the tags are words of the texts; no model was asked.",
        "模拟：标签取自文本中的词，没有询问任何模型。",
    )
    spent = Both(
        CountedText("It took {tokens:token|tokens}, {cost}."), "用去 {tokens} 个 token，{cost}。"
    )
    unknown_cost = Both("of unknown cost", "费用未知")
    same_purpose = Both(
        "{purpose} is probably {found}: {reason}", "{purpose} 很可能就是 {found}：{reason}"
    )
    new_purpose = Both(
        "No other purpose is meant by {purpose}: {reason}", "没有与 {purpose} 相同的用途：{reason}"
    )
    reasons = Both(
        {
            "there is no other purpose yet": "there is no other purpose yet",
            "this purpose is there already": "this purpose is there already",
            "the same words, written otherwise": "the same words, written otherwise",
            "spelt almost alike": "spelt almost alike",
            "no name is alike; meanings take a model": "no name is alike; meanings take a model",
        },
        {
            "there is no other purpose yet": "还没有其他用途",
            "this purpose is there already": "这个用途已经存在",
            "the same words, written otherwise": "用词相同，写法不同",
            "spelt almost alike": "拼写几乎相同",
            "no name is alike; meanings take a model": "没有相近的名称；比较含义需要模型",
        },
    )
    """Those of the rule, by what it says in English."""

    by_rule_alone = Both(
        "Names were compared by rule; with --engine a model compares meanings.",
        "仅按规则比较名称；用 --engine 可让模型比较含义。",
    )


@dataclass(frozen=True, kw_only=True)
class AutoOptions:
    """Which assets get tags."""

    references: Annotated[
        list[str] | None,
        typer.Argument(
            help="Ids, the unique beginnings of those, or names.",
            metavar="ID...",
            show_default=False,
        ),
    ] = None
    all_: Annotated[bool, typer.Option("--all", help="Every one that is not archived.")] = False
    untagged: Annotated[
        bool,
        typer.Option(
            "--untagged", help="Every one without a tag that holds or waits; the first 200 of them."
        ),
    ] = False
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before spending.")] = False


@contextmanager
def assisting(settings: Settings, kind: Kind) -> Generator[Assistant]:
    """Somebody who asks models, for as long as a command runs."""
    with opened(settings) as app, library(settings.workspace, kind, app.clock) as shelf:
        yield Assistant(app, shelf)


@when_stopped("stopped; what was proposed so far waits for your review")
def auto(call: Call, options: AutoOptions, request: AssistRequest, kind: Kind) -> None:
    """Ask, show what was proposed, and end with 1 if it failed for some."""
    words = AssistWords(call.language)
    with assisting(call.settings, kind) as assistant:
        tagging = AutoTags(assistant)
        asked = assistant.how(request.engine, request.model)
        references = _meant(tagging, options)
        if not references:
            _print_nothing(call, words.all_tagged if options.untagged else words.no_asset)
            return
        batch = tagging.batch(references[:MOST] if options.untagged else references, asked)
        count = len(batch.assets)
        if count > 1 and assistant.is_paid(asked):
            confirm(words.answers.format(count=count, who=who(asked)), yes=options.yes, hint="")
        done = run_to_end(assistant.app, _carried_out(tagging, batch, words))
    left = max(0, len(references) - MOST) if options.untagged else 0
    if call.json:
        print_json({**done.model_dump(mode="json"), "left": left})
    else:
        _print(call, done, kind)
        if left:
            typer.echo(words.more_left.format(count=left))
    if done.failed:
        raise typer.Exit(1)


def suggest_purpose(
    call: Call,
    request: Annotated[SuggestPurposeRequest, Spelling(arguments={"purpose": "NAME"})],
    kind: Kind,
) -> None:
    """Compare with the purposes that there are, by rule and then by a model."""
    words = AssistWords(call.language)
    with assisting(call.settings, kind) as assistant:
        asked = assistant.how(request.engine, request.model)
        found = asyncio.run(assistant.suggest(request.purpose, asked))
    if call.json:
        print_json(asdict(found))
        return
    said = words.new_purpose if found.purpose is None else words.same_purpose
    reason = line(words.reasons.get(found.reason, found.reason))
    purposes = {"purpose": line(request.purpose), "found": line(found.purpose or "")}
    typer.echo(said.format(**purposes, reason=reason))
    if found.simulated:
        typer.echo(words.by_rule_alone)


def who(asked: How) -> str:
    """The engine and model for people."""
    return asked.engine if asked.simulated else f"{asked.engine}:{asked.model}"


def spent(language: str, tokens: int | None, cost_usd: float | None) -> str:
    """What the answers took; nothing where all of it was on record, or nobody was asked."""
    if not tokens:
        return ""
    words = AssistWords(language)
    cost = words.unknown_cost if cost_usd is None else f"${cost_usd:.4f}"
    return words.spent.format(tokens=tokens, cost=cost)


def _meant(tagging: AutoTags, options: AutoOptions) -> list[str]:
    ways = [bool(options.references), options.all_, options.untagged]
    if sum(ways) != 1:
        raise UsageError("name assets by ID, or use one of --all and --untagged")
    if options.references:
        return options.references
    found = tagging.every(untagged=options.untagged)
    if options.all_ and len(found) > MOST:
        raise UsageError(
            f"{len(found)} assets are too many at once; --untagged takes {MOST} after {MOST}"
        )
    return found


def _print_nothing(call: Call, why: str) -> None:
    if call.json:
        print_json({"id": None, "status": "completed", "total": 0, "assets": [], "left": 0})
    else:
        typer.echo(why)


async def _carried_out(tagging: AutoTags, batch: Batch, words: AssistWords) -> TagBatch:
    events = tagging.assistant.app.store.events
    async with shown(events, batch.id, words.tagging, unit="assets"):
        return await tagging.run(batch)


def _print(call: Call, done: TagBatch, kind: Kind) -> None:
    words = AssistWords(call.language)
    for asset in done.assets:
        typer.echo(_sentence(asset, words))
        if asset.tags:
            verb = f"{kind} tag review {short(asset.id)}"
            typer.echo(words.review.format(command=call.command(verb)))
    if done.simulated:
        typer.echo(words.tags_simulated)
    if cost := spent(call.language, done.tokens, done.cost_usd):
        typer.echo(cost)


def _sentence(asset: TaggedAsset, words: AssistWords) -> str:
    sentence = {
        "waiting": words.waiting,
        "failed": words.failed,
        "completed": words.proposed if asset.tags else words.nothing_new,
    }[asset.status]
    return sentence.format(
        name=line(asset.name),
        id=short(asset.id),
        tags=line(", ".join(asset.tags)),
        error=line(asset.error or "", _LONGEST),
    )
