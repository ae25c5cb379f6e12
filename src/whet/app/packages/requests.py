"""What people ask of job packages, over HTTP and by command."""

from pydantic import Field

from whet.core.value import RequestModel


class PackageRollback(RequestModel):
    """Which version is to come back."""

    version: str = Field(
        min_length=1, description="Of the library, such as v2, or one that the package gave itself."
    )
