"""What ``tag auto`` and ``suggest-purpose`` do once their imports are worth their time."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import typer

from whet.app.app import opened
from whet.app.library.assist import Assistant
from whet.app.library.assist_tags import MOST, AutoTags, Batch, TagBatch, TaggedAsset
from whet.app.library.library import library
from whet.app.settings import Settings
from whet.cli.asset_assist_options import Auto, SuggestPurpose
from whet.cli.asset_assist_words import AssistWords
from whet.cli.asset_output import command, line, print_json
from whet.cli.progress import shown
from whet.cli.spending import confirm
from whet.cli.termination import run_to_end
from whet.core.errors import UsageError
from whet.core.naming import short
from whet.ports.listing import Kind
from whet.run.assist.asking import How

_LONGEST = 300
"""Characters of an error on the screen; the log has all of it."""


@contextmanager
def assisting(settings: Settings, kind: Kind) -> Generator[Assistant]:
    """Somebody who asks models, for as long as a command runs."""
    with opened(settings) as app, library(settings.workspace, kind, app.clock) as shelf:
        yield Assistant(app, shelf)


def auto(settings: Settings, kind: Kind, options: Auto) -> None:
    """Ask, show what was proposed, and end with 1 if it failed for some."""
    words = AssistWords(settings.language)
    with assisting(settings, kind) as assistant:
        tagging = AutoTags(assistant)
        asked = assistant.how(options.engine, options.model)
        references = _meant(tagging, options)
        if not references:
            _nothing(words, options)
            return
        batch = tagging.batch(references[:MOST] if options.untagged else references, asked)
        count = len(batch.assets)
        if count > 1 and assistant.is_paid(asked):
            confirm(words.answers.format(count=count, who=who(asked)), yes=options.yes, hint="")
        done = run_to_end(assistant.app, _carried_out(tagging, batch, words))
    left = max(0, len(references) - MOST) if options.untagged else 0
    if options.json:
        print_json({**done.model_dump(mode="json"), "left": left})
    else:
        _print(done, kind, words, options.workspace)
        if left:
            typer.echo(words.more_left.format(count=left))
    if done.failed:
        raise typer.Exit(1)


def suggest_purpose(settings: Settings, kind: Kind, options: SuggestPurpose) -> None:
    """Compare, by rule and then by a model."""
    words = AssistWords(settings.language)
    with assisting(settings, kind) as assistant:
        asked = assistant.how(options.engine, options.model)
        found = asyncio.run(assistant.suggest(options.purpose, asked))
    if options.json:
        print_json(asdict(found))
        return
    told = words.new_purpose if found.purpose is None else words.same_purpose
    purpose = line(options.purpose)
    reason = line(words.reasons.get(found.reason, found.reason))
    typer.echo(told.format(purpose=purpose, found=line(found.purpose or ""), reason=reason))
    if found.simulated:
        typer.echo(words.by_rule_alone)


def who(asked: How) -> str:
    """The engine and model for people."""
    return asked.engine if asked.simulated else f"{asked.engine}:{asked.model}"


def spent(words: AssistWords, tokens: int | None, cost_usd: float | None) -> str:
    """What the answers took; nothing where all of it was on record, or nobody was asked."""
    if not tokens:
        return ""
    cost = words.unknown_cost if cost_usd is None else f"${cost_usd:.4f}"
    return words.spent.format(tokens=tokens, cost=cost)


def _meant(tagging: AutoTags, options: Auto) -> list[str]:
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


def _nothing(words: AssistWords, options: Auto) -> None:
    if options.json:
        print_json({"id": None, "status": "completed", "total": 0, "assets": [], "left": 0})
    else:
        typer.echo(words.all_tagged if options.untagged else words.no_asset)


async def _carried_out(tagging: AutoTags, batch: Batch, words: AssistWords) -> TagBatch:
    events = tagging.assistant.app.store.events
    async with shown(events, batch.id, words.tagging, unit="assets"):
        return await tagging.run(batch)


def _print(done: TagBatch, kind: Kind, words: AssistWords, workspace: Path | None) -> None:
    for asset in done.assets:
        typer.echo(_told(asset, words))
        if asset.tags:
            verb = f"{kind} tag review {short(asset.id)}"
            typer.echo(words.review.format(command=command(verb, workspace)))
    if done.simulated:
        typer.echo(words.tags_simulated)
    if told := spent(words, done.tokens, done.cost_usd):
        typer.echo(told)


def _told(asset: TaggedAsset, words: AssistWords) -> str:
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
