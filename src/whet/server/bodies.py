"""How much one may send."""

import re
from collections.abc import Mapping
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_MIB = 1024 * 1024
MOST_BYTES = 16 * _MIB


class LimitedBodies:
    """Middleware. A larger body is refused before it is kept, whatever its length claims to be.
    Paths that write what they are sent to a file may take more: *larger*, by what they look
    like."""

    def __init__(self, app: ASGIApp, larger: Mapping[re.Pattern[str], int]) -> None:
        self._app = app
        self._larger = larger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count what comes in."""
        most = left = self._most(scope)

        async def counted() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                detail = f"a request may have {most // _MIB} MiB"
                raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, detail)
            return message

        await self._app(scope, counted if scope["type"] == "http" else receive, send)

    def _most(self, scope: Scope) -> int:
        if scope.get("method") != "POST":
            return MOST_BYTES
        path = scope.get("path", "")
        fitting = (most for pattern, most in self._larger.items() if pattern.fullmatch(path))
        return next(fitting, MOST_BYTES)
