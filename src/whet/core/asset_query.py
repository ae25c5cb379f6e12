"""Which assets of the library somebody wants to see."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from whet.core.text import storable
from whet.core.value import RequestModel

LARGEST_PAGE = 200
LAST_PAGE = 1_000_000


PageNumber = Annotated[int, Field(ge=1, le=LAST_PAGE, description="Pages are counted from 1.")]
PageSize = Annotated[int, Field(ge=1, le=LARGEST_PAGE, description="Assets on a page.")]
SkillType = Literal["skill", "agent"]
Text = Annotated[
    str, BeforeValidator(lambda text: storable(text) if isinstance(text, str) else text)
]
"""Half a character fits nothing, and is no mistake."""


class AssetQuery(RequestModel):
    """Which assets, and which page of them."""

    purpose: Text | None = Field(default=None, description="Only of this purpose.")
    provider: Text | None = Field(default=None, description="Only of this provider.")
    status: Literal["active", "archived", "all"] = Field(
        default="active", description="Archived ones are out of the way unless asked for."
    )
    tag: tuple[Text, ...] = Field(
        default=(), description="Only with this tag, in any case; all of them if repeated."
    )
    keyword: Text = Field(default="", description="A part of the name or the description.")
    sort: Literal["created_at", "updated_at", "name"] = Field(
        default="updated_at", description="What to sort by."
    )
    order: Literal["asc", "desc"] = Field(default="desc", description="Which way round.")
    page: PageNumber = 1
    page_size: PageSize = 20


class SkillQuery(AssetQuery):
    """Which skills, and which page of them."""

    type: SkillType | None = Field(default=None, description="Only skills, or only agents.")


class PackageQuery(SkillQuery):
    """Which installed job packages: the one that calls itself so, or all."""

    package: Text | None = None
