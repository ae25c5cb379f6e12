"""How much one may send."""

from collections.abc import Mapping
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_MIB = 1024 * 1024
MOST_BYTES = 16 * _MIB


class LimitedBodies:
    """Middleware. A larger body is refused before it is kept, whatever its length claims to be.
    Paths that write what they are sent to a file may take more: *larger*."""

    def __init__(self, app: ASGIApp, larger: Mapping[str, int]) -> None:
        self._app = app
        self._larger = larger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count what comes in."""
        most = left = self._larger.get(scope.get("path", ""), MOST_BYTES)

        async def counted() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                detail = f"a request may have {most // _MIB} MiB"
                raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, detail)
            return message

        await self._app(scope, counted if scope["type"] == "http" else receive, send)
