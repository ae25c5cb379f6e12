"""What HTTP and the command line both ask of the library; lists are asked for in ``ports``."""

from typing import Annotated

from pydantic import Field

from whet.core.asset_query import PageNumber, PageSize, SkillType
from whet.core.text_patterns import FOLDER, LINE, fits, or_empty
from whet.core.value import RequestModel
from whet.curate.intake.given import PROVIDER, Given

Type = Annotated[SkillType | None, Field(description="Which of both it is.")]
_Folder = Annotated[str, fits(or_empty(FOLDER))]
_Name = Annotated[str, Field(min_length=1, max_length=500)]


class SearchRequest(RequestModel):
    """What to look for, and which page of what is found."""

    q: str = Field(description="Words or beginnings of words; of Chinese any piece.")
    page: PageNumber = 1
    page_size: PageSize = 20


class About(RequestModel):
    """What a person may say of an asset; the rest is taken from the content, or is a default."""

    name: Annotated[str, fits(or_empty(LINE))] | None = Field(
        default=None, description="For people; need not be unique."
    )
    purpose: _Folder | None = Field(default=None, description="What it is for: a folder's name.")
    provider: _Folder | None = Field(default=None, description="Whose it is: a folder's name.")
    description: str | None = Field(default=None, description="What it does, and when to use it.")
    author: str | None = Field(default=None, description="Who wrote it.")
    source: str | None = Field(default=None, description="Where it comes from.")

    def given(self) -> Given:
        """The same as an import takes it."""
        return Given(**self.model_dump(include={*About.model_fields, "type"}))


class ImportRequest(About):
    """What a person says of a baseline that is imported."""

    update: bool = Field(
        default=False,
        description="Another content under a name that is there becomes its next version.",
    )


class SkillImportRequest(ImportRequest):
    """What a person says of skills that are imported."""

    type: Type = None


class AssistRequest(RequestModel):
    """Which model is asked."""

    engine: _Name | None = Field(
        default=None, description="The engine that is asked. Default: as configured."
    )
    model: _Name | None = Field(
        default=None, description="Its model. Default: as configured, else what it takes itself."
    )


class SuggestPurposeRequest(AssistRequest):
    """A purpose that somebody is about to use."""

    purpose: _Name = Field(description="The purpose that you think of.")


class NewBaselineRequest(AssistRequest):
    """A baseline that a model is to draft."""

    name: Annotated[str, fits(LINE)] = Field(description="What it is called.")
    purpose: Annotated[str, fits(FOLDER)] = Field(description="What it is for.")
    provider: Annotated[str, fits(FOLDER)] = Field(default=PROVIDER, description="Who it is from.")
