"""A session without secrets, and without what it tells of the machine it was made on."""

from collections.abc import Iterator, Sequence
from operator import is_
from typing import cast

from whet.core.discretion import Discretion
from whet.core.private_paths import project_of
from whet.core.secret_search import is_secret
from whet.documents.base import Document
from whet.documents.session import Session

_PATHS = ("file_path", "notebook_path", "path", "cwd")
_FOLDERS = ("cwd", "working_directory", "workdir", "project_path")


def redacted(session: Session, discretion: Discretion) -> Session:
    """The same session with marks in place of all that is private, in every text of it.

    The same thing has the same mark everywhere, so ids still lead where they led.
    """
    if (folder := _folder(session)) is not None:
        discretion.learn_project(folder)
    texts: list[str] = []
    _collect(session, "", texts, discretion)
    discretion.learn(texts)
    cleaned = _cleaned(session, "", discretion.texts(texts), discretion)
    return cleaned if isinstance(cleaned, Session) else session


def _collect(value: object, name: str, texts: list[str], discretion: Discretion) -> None:
    """Every text, the names of members included."""
    if isinstance(value, str):
        texts.append(value)
        if name and is_secret(name, value):
            discretion.learn_member(value)
    elif isinstance(value, dict):
        for key, each in cast("dict[str, object]", value).items():
            texts.append(key)
            _collect(each, key, texts, discretion)
    elif isinstance(value, list | tuple):
        for each in cast("Sequence[object]", value):
            _collect(each, "", texts, discretion)
    elif isinstance(value, Document):
        for key, each in _members(value):
            if each is not None:
                _collect(each, key, texts, discretion)


def _cleaned(value: object, name: str, texts: Iterator[str], discretion: Discretion) -> object:
    """*value* with *texts*, which come in the same order, for its own; the very same object where
    nothing differs."""
    if isinstance(value, str):
        text = next(texts)
        is_left = name and text == value and is_secret(name, value)
        return discretion.member(value) if is_left else text
    if isinstance(value, dict):
        return _members_cleaned(cast("dict[str, object]", value), texts, discretion)
    if isinstance(value, list | tuple):
        items = cast("Sequence[object]", value)
        made = [_cleaned(each, "", texts, discretion) for each in items]
        if all(map(is_, made, items)):
            return items
        return tuple(made) if isinstance(items, tuple) else made
    if isinstance(value, Document):
        changed: dict[str, object] = {}
        for key, each in _members(value):
            if each is not None and (new := _cleaned(each, key, texts, discretion)) is not each:
                changed[key] = new
        return value.model_copy(update=changed) if changed else value
    return value


def _members_cleaned(
    members: dict[str, object], texts: Iterator[str], discretion: Discretion
) -> dict[str, object]:
    made: dict[str, object] = {}
    for key, each in members.items():
        new = next(texts)
        made[new] = _cleaned(each, key, texts, discretion)
    is_same = made.keys() == members.keys() and all(map(is_, made.values(), members.values()))
    return members if is_same else made


def _members(document: Document) -> list[tuple[str, object]]:
    fields = [both for both in document.__dict__.items() if both[0] != "__pydantic_extra__"]
    return [*fields, *extra.items()] if (extra := document.__pydantic_extra__) else fields


def _folder(session: Session) -> str | None:
    """Where the agent worked, if the session says so or its paths do."""
    told = session.__pydantic_extra__ or {}
    for name in _FOLDERS:
        if isinstance(folder := told.get(name), str):
            return folder
    given = (call.input.params.get(name) for call in session.tool_calls for name in _PATHS)
    paths = [path for path in given if isinstance(path, str)]
    return project_of([*paths, *session.summary.files_created, *session.summary.files_modified])
