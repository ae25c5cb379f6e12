"""What ``whet skill tag`` does once its imports are worth their time."""

from collections.abc import Iterator

import typer
from rich.console import Console

from whet.app.library import tags
from whet.app.library.library import Library, library
from whet.app.library.tags import Labels, TagReview
from whet.app.settings import Settings
from whet.cli import asset_tag_options as options_of
from whet.cli.asset_edit_text import is_terminal
from whet.cli.asset_find_table import short_ids
from whet.cli.asset_output import cell, line, plain_table, print_json
from whet.cli.asset_tag_words import TagWords
from whet.cli.options import say
from whet.core.errors import Conflict, UsageError
from whet.curate.segments import shown
from whet.ports.listing import Kind


def list_(settings: Settings, kind: Kind, options: options_of.TagList) -> None:
    """Every tag with what was said to it."""
    with library(settings.workspace, kind) as shelf:
        found = tags.labels(shelf, options.reference)
    if options.json:
        print_json(found)
        return
    words = TagWords(settings.language)
    rows = [*_rows(found)]
    ids = short_ids([identity for *_, identity in rows])
    table = plain_table(words.heads, words.heads[1:])
    for value, state, moment, identity in rows:
        table.add_row(cell(value), words.states[state], cell(moment), ids[identity])
    if rows:
        Console(highlight=False).print(table)
    else:
        typer.echo(words.none)


def add(settings: Settings, kind: Kind, options: options_of.TagAdd) -> None:
    """A person's own."""
    with library(settings.workspace, kind) as shelf:
        found = tags.add(shelf, options.reference, options.values)
    _print(settings, found, as_json=options.json)


def remove(settings: Settings, kind: Kind, options: options_of.TagRemove) -> None:
    """Those that hold."""
    with library(settings.workspace, kind) as shelf:
        found = tags.remove(shelf, options.reference, *options.tags)
    _print(settings, found, as_json=options.json)


def rename(settings: Settings, kind: Kind, options: options_of.TagRename) -> None:
    """One that holds."""
    with library(settings.workspace, kind) as shelf:
        found = tags.rename(shelf, options.reference, options.tag, options.value)
    _print(settings, found, as_json=options.json)


def review(settings: Settings, kind: Kind, options: options_of.TagReview) -> None:
    """What the options say, or what a person says to one after the other."""
    said = [*_said(options)]
    with library(settings.workspace, kind) as shelf:
        if said or options.all_ is not None:
            others = options.all_.value if options.all_ else None
            try:
                found = tags.review(shelf, options.reference, said, others)
            except Conflict as error:
                raise UsageError(f"{error}; --again reviews it once more") from None
        elif options.json or not is_terminal():
            raise UsageError("a review needs a terminal; or use --approve, --reject, --all …")
        else:
            found = _go_through(shelf, options.reference, TagWords(settings.language))
    _print(settings, found, as_json=options.json)


def _said(options: options_of.TagReview) -> Iterator[TagReview]:
    again = options.again
    for tag in options.approve or ():
        yield TagReview(tag=tag, action="approve", again=again)
    for tag in options.reject or ():
        yield TagReview(tag=tag, action="reject", again=again)
    for each in options.modify or ():
        tag, equals, value = each.partition("=")
        if not tag or not equals:
            raise UsageError(f"{shown(each)} says no new wording; write TAG=VALUE")
        yield TagReview(tag=tag, action="modify", value=value, again=again)


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


def _print(settings: Settings, found: Labels, *, as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    words = TagWords(settings.language)
    listed = words.joint.join(line(tag) for tag in found.tags) or words.none
    typer.echo(words.tags.format(name=line(found.name), tags=listed))
    if waiting := len(_waiting(found)):
        typer.echo(words.waiting.format(count=waiting))
