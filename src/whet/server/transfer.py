"""Files that are sent to the server, and files to take away."""

import asyncio
import json
import os
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any, BinaryIO
from urllib.parse import quote

from fastapi import Depends, Request, Response
from fastapi.responses import StreamingResponse

from whet.app.app import App
from whet.app.library.outgo import Parcel
from whet.core.errors import EnvironmentProblem, UsageError
from whet.documents.files import reason
from whet.server.forms import is_form, only, received_form

HARMLESS = {"content-security-policy": "sandbox", "x-content-type-options": "nosniff"}
"""What strangers wrote is given out at the address of the API: a browser runs none of it."""

_BYTES = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}

RAW: dict[str, Any] = {"requestBody": {"required": True, "content": _BYTES}}
"""How the contract describes a body that is a file."""

_FORM: dict[str, Any] = {
    "type": "object",
    "properties": {"file": {"type": "string", "format": "binary"}},
    "required": ["file"],
}
RAW_OR_FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {**_BYTES, "multipart/form-data": {"schema": _FORM}},
    }
}
"""How the contract describes a body that is a file, or a form with one."""


def file_of(*media_types: str) -> dict[int | str, dict[str, Any]]:
    """How the contract describes an answer that is a file of one of these types."""
    kinds = sorted({each.partition(";")[0] for each in media_types})
    bytes_: dict[str, str] = {"type": "string", "format": "binary"}
    content = {kind: {"schema": {} if kind == "application/json" else bytes_} for kind in kinds}
    return {HTTPStatus.OK.value: {"description": "The file.", "content": content}}


_MOST_NOTES = 2_000
"""Characters of a header that every client takes."""


_CHUNK = 1024 * 1024


async def _body(request: Request) -> bytes:
    _refuse_form(request)
    return await request.body()


def _refuse_form(request: Request) -> None:
    if is_form(request):
        how = "curl -H 'Content-Type: application/octet-stream' --data-binary @FILE"
        raise UsageError(f"send the file itself as the body ({how}), not a form")


@asynccontextmanager
async def upload_folder(app: App) -> AsyncGenerator[Path]:
    """A folder for files that are being sent; it is made and removed in a thread, so that the event
    loop does not wait for the disk. Raises ``EnvironmentProblem``."""
    folder = await asyncio.to_thread(app.upload_folder)
    try:
        yield Path(folder.name)
    finally:
        await asyncio.shield(asyncio.to_thread(folder.cleanup))


async def received(request: Request, path: Path) -> None:
    """Write a file as it is sent; raises ``EnvironmentProblem`` where there is no room for it."""
    _refuse_form(request)
    try:
        with path.open("xb") as file:
            async for part in request.stream():
                await asyncio.to_thread(file.write, part)
    except OSError as error:
        raise EnvironmentProblem(f"cannot keep what is sent: {reason(error)}") from error


async def received_file(request: Request, path: Path, field: str = "file") -> str | None:
    """Write the file that is the body, or the *field* of a form; returns the name that the form
    gives it."""
    if not is_form(request):
        await received(request, path)
        return None
    part = only(await received_form(request, path.parent, (field,)), field)
    if part is None or part.filename is None:
        raise UsageError(f"the form has no file {field!r}; send one (curl -F {field}=@FILE)")
    part.path.rename(path)
    return part.filename


Body = Annotated[bytes, Depends(_body)]
"""A file as it is sent."""


def attachment(parcel: Parcel) -> Response:
    """A file that a browser saves and does not show."""
    headers = _headers(parcel.filename, parcel.notes)
    return Response(parcel.data, media_type=parcel.media_type, headers=headers)


def streamed(file: BinaryIO, filename: str, media_type: str, notes: Sequence[str]) -> Response:
    """The same for an open file of any size, which is closed when it has been sent."""
    size = os.fstat(file.fileno()).st_size
    headers = {**_headers(filename, notes), "content-length": str(size)}
    return StreamingResponse(_parts(file), media_type=media_type, headers=headers)


async def _parts(file: BinaryIO) -> AsyncIterator[bytes]:
    with file:
        while part := await asyncio.to_thread(file.read, _CHUNK):
            yield part


def _headers(filename: str, notes: Sequence[str]) -> dict[str, str]:
    name = "".join(c if c.isprintable() and c not in '/\\"' else "_" for c in filename)
    plain = name.encode("ascii", "replace").decode().replace("?", "_").replace("%", "_")
    told = quote(name, safe="", errors="replace")
    headers = {
        **HARMLESS,
        "content-disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{told}",
    }
    if notes:
        headers["x-whet-notes"] = json.dumps(_few(notes))
    return headers


def _few(notes: Sequence[str]) -> list[str]:
    """As many as fit."""
    kept: list[str] = []
    left = _MOST_NOTES
    for note in notes:
        left -= len(json.dumps(note))
        if left < 0:
            return [*kept, f"and {len(notes) - len(kept)} more"]
        kept.append(note)
    return kept
