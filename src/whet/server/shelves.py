"""Which shelf of the library a request is about, and what all its endpoints have in common."""

from http import HTTPStatus
from typing import Annotated, Any, Literal, cast

from fastapi import Depends, Path, Query, Request, Response
from pydantic import ConfigDict, Field

from whet.app.library.intake import Imports, Taken
from whet.app.library.library import Library, Shelved
from whet.app.library.told import AssetPage, page
from whet.core.value import Value
from whet.curate.intake.given import Given
from whet.ports.listing import LARGEST_PAGE, LAST_PAGE, AssetQuery, Kind
from whet.server.desk import AtDesk
from whet.server.text_patterns import (
    FOLDER,
    LINE,
    VERSION,
    VersionName,
    fits,
    or_empty,
    says_something,
)


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
PageNumber = Annotated[int, Field(ge=1, le=LAST_PAGE, description="Pages are counted from 1.")]
PageSize = Annotated[int, Field(ge=1, le=LARGEST_PAGE, description="Assets on a page.")]


class Listing(Value):
    """Which assets, and which page of them."""

    purpose: str | None = Field(default=None, description="Only of this one.")
    provider: str | None = Field(default=None, description="Only of this one.")
    status: Literal["active", "archived", "all"] = Field(
        default="active", description="Archived ones are out of the way unless asked for."
    )
    tag: list[str] = Field(default=[], description="May be repeated: all of them, in any case.")
    keyword: str = Field(default="", description="A part of the name or the description.")
    sort: Literal["created_at", "updated_at", "name"] = Field(
        default="updated_at", description="What the order goes by."
    )
    order: Literal["asc", "desc"] = Field(default="desc", description="Which way round.")
    page: PageNumber = 1
    page_size: PageSize = 20


_Folder = Annotated[str, fits(or_empty(FOLDER))]


class About(Value):
    """What a person may say of an asset; the rest is taken from the content, or is a default."""

    name: Annotated[str, fits(or_empty(LINE))] | None = Field(
        default=None, description="For people; need not be unique."
    )
    purpose: _Folder | None = Field(default=None, description="What it is for: a folder's name.")
    provider: _Folder | None = Field(default=None, description="Whose it is: a folder's name.")
    description: str | None = Field(default=None, description="What it does, and when to use it.")
    author: str | None = Field(default=None, description="Who wrote it.")
    source: str | None = Field(default=None, description="Where it comes from.")


class AboutEdit(About):
    """What is to be changed of an asset; what is not named stays."""

    model_config = ConfigDict(json_schema_extra=says_something)

    expected_version: Expected


class Upload(About):
    """What a person says of a file that is sent."""

    filename: FileName
    update: bool = Field(
        default=False,
        description="Another content under a name that is there becomes its next version.",
    )


def listed(
    shelf: Library, wanted: Listing, kind: Literal["skill", "agent"] | None = None
) -> AssetPage:
    """One page of assets."""
    query = AssetQuery(
        purpose=wanted.purpose,
        provider=wanted.provider,
        type=kind,
        status=None if wanted.status == "all" else wanted.status,
        tags=tuple(wanted.tag),
        keyword=wanted.keyword,
        sort=wanted.sort,
        descending=wanted.order == "desc",
        page=wanted.page,
        page_size=wanted.page_size,
    )
    return page(shelf, query)


def given(words: About, kind: Literal["skill", "agent"] | None = None) -> Given:
    """What a person says, as an import takes it."""
    return Given(**words.model_dump(include=set(About.model_fields)), type=kind)


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
