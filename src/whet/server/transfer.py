"""Files that are sent to the server, and files to take away."""

import json
from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import Depends, Request, Response

from whet.app.library.outgo import Parcel
from whet.core.errors import UsageError

HARMLESS = {"content-security-policy": "sandbox", "x-content-type-options": "nosniff"}
"""What strangers wrote is given out at the address of the API: a browser runs none of it."""

_BYTES = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}

RAW: dict[str, Any] = {"requestBody": {"required": True, "content": _BYTES}}
"""How the contract describes a body that is a file."""

FILE: dict[int | str, dict[str, Any]] = {
    HTTPStatus.OK.value: {"description": "The file.", "content": _BYTES}
}
"""How the contract describes an answer that is a file."""

_MOST_NOTES = 2_000
"""Characters of a header that every client takes."""


async def _body(request: Request) -> bytes:
    if request.headers.get("content-type", "").startswith("multipart/"):
        raise UsageError("send the file itself as the body (curl --data-binary @file), not a form")
    return await request.body()


Body = Annotated[bytes, Depends(_body)]
"""A file as it is sent."""


def attachment(parcel: Parcel) -> Response:
    """A file that a browser saves and does not show."""
    name = "".join(c if c.isprintable() and c not in '/\\"' else "_" for c in parcel.filename)
    plain = name.encode("ascii", "replace").decode().replace("?", "_").replace("%", "_")
    told = quote(name, safe="", errors="replace")
    headers = {
        **HARMLESS,
        "content-disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{told}",
    }
    if parcel.notes:
        headers["x-whet-notes"] = json.dumps(_few(parcel.notes))
    return Response(parcel.data, media_type=parcel.media_type, headers=headers)


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
