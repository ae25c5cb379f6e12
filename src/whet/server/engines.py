"""``/v1/engines``."""

from fastapi import APIRouter

from whet.app.doctor import EngineReport, inspected
from whet.core.value import Value
from whet.server.desk import AtDesk

router = APIRouter(tags=["engines"])


class Engines(Value):
    """The agents that whet can drive here."""

    engines: tuple[EngineReport, ...]


@router.get("/v1/engines")
async def list_engines(desk: AtDesk) -> Engines:
    """List the engines: installed or not, which version, which credential, what is missing."""
    return Engines(engines=tuple(await inspected(desk.app.parts)))
