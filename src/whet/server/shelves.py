"""Which shelf of the library a request is about, and what all its endpoints have in common."""

from http import HTTPStatus
from typing import Annotated, Any, cast

from fastapi import Depends, Path, Query, Request, Response
from pydantic import ConfigDict, Field

from whet.app.library.intake import Imports, Taken
from whet.app.library.library import Library, Shelved
from whet.app.library.requests import About
from whet.core.text_patterns import VERSION, VersionName, fits, or_empty, says_something
from whet.ports.listing import Kind
from whet.server.desk import AtDesk


# These are async so that no thread is taken for them.
async def skills(request: Request) -> None:
    """For routers: what they have is about skills."""
    request.state.kind = "skill"


async def baselines(request: Request) -> None:
    """For routers: what they have is about baselines."""
    request.state.kind = "baseline"


async def _library(request: Request, desk: AtDesk) -> Library:
    return desk.library(cast(Kind, request.state.kind))


AtShelf = Annotated[Library, Depends(_library)]
"""The assets of the router's kind."""

Reference = Annotated[
    str, Path(description="An id, a unique beginning of one (4 characters), or a name without /.")
]
Version = Annotated[
    Annotated[str, fits(or_empty(VERSION))] | None,
    Query(description="Such as v2; the newest unless it is given."),
]
Expected = Annotated[
    VersionName,
    Field(min_length=1, description="The version it is meant for; 409 unless that is the newest."),
]
FileName = Annotated[str, Field(description="Tells the format by its ending.")]
Form = Query(alias="format", description="Of the file, or of the report.")


class AboutEdit(About):
    """What is to be changed of an asset; what is not named stays."""

    model_config = ConfigDict(json_schema_extra=says_something)

    expected_version: Expected


KNOWN: dict[int | str, dict[str, Any]] = {
    HTTPStatus.OK.value: {"description": "It is there already.", "model": Taken}
}
"""How the contract describes the other answer of ``taken``."""


def taken(found: Imports, response: Response) -> Taken:
    """The one asset that a person wrote, and whether it is new."""
    (one,) = found.assets
    response.status_code = HTTPStatus.CREATED if one.outcome == "created" else HTTPStatus.OK
    return one


def edited(shelf: Library, reference: str, change: AboutEdit) -> Shelved:
    """The next version, with those fields in it that were sent."""
    fields = change.model_dump(exclude_unset=True, exclude={"expected_version"})
    return shelf.edit(reference, fields, change.expected_version)
