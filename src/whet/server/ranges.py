"""Parts of a file, for whoever asks for some of it."""

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import Response

from whet.app.library.outgo import Parcel
from whet.server.transfer import attachment, file_of

PARTS: dict[int | str, dict[str, Any]] = {
    **file_of("*/*"),
    HTTPStatus.PARTIAL_CONTENT.value: {**file_of("*/*")[200], "description": "The part."},
    HTTPStatus.NOT_MODIFIED.value: {"description": "The client has it."},
    HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE.value: {"description": "There is no such part."},
}
"""How the contract describes it. An agent may deliver files of any type."""

_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


def ranged(parcel: Parcel, etag: str, wanted: Mapping[str, str]) -> Response:
    """The whole file, or the one part of it that the ``Range`` of a request names. What cannot be
    understood, or names several parts, gets the whole, as the rules of HTTP have it."""
    whole = attachment(parcel)
    mark = f'"{etag}"'
    whole.headers["etag"] = mark
    whole.headers["accept-ranges"] = "bytes"
    if wanted.get("if-none-match") == mark:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers={"etag": mark})
    found = _RANGE.fullmatch(wanted.get("range", "").strip())
    if found is None or wanted.get("if-range", mark) != mark:
        return whole
    size = len(parcel.data)
    part = _part(found[1], found[2], size)
    if part is None:
        headers = {"content-range": f"bytes */{size}"}
        return Response(status_code=HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, headers=headers)
    first, last = part
    answer = attachment(parcel.model_copy(update={"data": parcel.data[first : last + 1]}))
    answer.status_code = HTTPStatus.PARTIAL_CONTENT
    answer.headers["content-range"] = f"bytes {first}-{last}/{size}"
    answer.headers["etag"] = mark
    answer.headers["accept-ranges"] = "bytes"
    return answer


def _part(first: str, last: str, size: int) -> tuple[int, int] | None:
    """The first and the last byte; None where there is none of them."""
    if not first and not last:
        return None
    if not first:  # so many from the end
        count = min(int(last), size)
        return (size - count, size - 1) if count else None
    begin = int(first)
    end = min(int(last), size - 1) if last else size - 1
    return (begin, end) if begin <= end and begin < size else None
