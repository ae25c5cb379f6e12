"""``/v1/health``."""

from fastapi import APIRouter

from whet import __version__
from whet.core.value import Value

router = APIRouter(tags=["system"])


class Health(Value):
    """The server is up."""

    status: str = "ok"
    version: str = __version__


@router.get("/v1/health")
def health() -> Health:
    """Say that the server is up, and which version it is."""
    return Health()
