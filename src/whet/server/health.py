"""``/v1/health``."""

from typing import Literal

from fastapi import APIRouter

from whet import __version__
from whet.core.value import Value
from whet.server.desk import AtDesk

router = APIRouter(tags=["system"])


class Health(Value):
    """The server is up."""

    status: Literal["ok", "draining"] = "ok"
    """Draining once it was told to end: what is under way finishes, and nothing more begins."""

    version: str = __version__
    failed_attempts: int
    """Requests with a wrong token since the server started."""


# Async: it is answered also when every thread is busy.
@router.get("/v1/health")
async def health(desk: AtDesk) -> Health:
    """Say that the server is up, whether it is about to end, and which version it is."""
    status = "draining" if desk.app.drain.is_on else "ok"
    return Health(status=status, failed_attempts=desk.failed_attempts.count)
