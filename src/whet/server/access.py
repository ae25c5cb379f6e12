"""Who may call: this machine, or whoever has the token."""

import hmac
import ipaddress
from dataclasses import replace
from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from whet.app.settings import Settings
from whet.core.errors import UsageError
from whet.server.problems import problem
from whet.server.ui import is_of_the_ui


def is_loopback(host: str) -> bool:
    """Whether a name or address can only mean this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def fit_for_network(settings: Settings, host: str) -> Settings:
    """The settings to serve with on that address: where others can come in, there is a token,
    and no agent runs without a sandbox. Raises ``UsageError``."""
    if is_loopback(host):
        return settings
    if settings.token is None:
        raise UsageError(f"listening on {host} needs a token: set WHET_TOKEN, or use 127.0.0.1")
    if settings.sandbox == "off":
        raise UsageError(
            f"listening on {host} needs a sandbox for agents: unset WHET_SANDBOX, or use 127.0.0.1"
        )
    return replace(settings, sandbox="required")


class Access:
    """Middleware. Without a token, two doors are shut to web pages from elsewhere that a browser
    on this machine shows: a foreign name that points at us, and a request sent across sites."""

    def __init__(self, app: ASGIApp, token: str | None) -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request through or answer with a problem."""
        if scope["type"] == "http" and (refusal := self._refusal(scope)):
            status, code, detail = refusal
            how = {"www-authenticate": "Bearer"} if status == HTTPStatus.UNAUTHORIZED else None
            await problem(status, code, detail, how)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _refusal(self, scope: Scope) -> tuple[HTTPStatus, str, str] | None:
        headers = Headers(scope=scope)
        if self._token:
            # The page asks for the token; so it is given to those who have not shown it yet.
            if is_of_the_ui(scope["method"], scope["path"]):
                return None
            given = headers.get("authorization", "")
            if hmac.compare_digest(given.encode(), f"Bearer {self._token}".encode()):
                return None
            return HTTPStatus.UNAUTHORIZED, "unauthorized", "a bearer token is needed"
        host = headers.get("host", "")
        if not is_loopback(_name(f"//{host}")):
            return HTTPStatus.FORBIDDEN, "foreign_host", f"this server does not answer for {host!r}"
        origin = headers.get("origin")
        if origin is not None and not is_loopback(_name(origin)):
            return HTTPStatus.FORBIDDEN, "foreign_origin", f"requests from {origin!r} are refused"
        return None


def _name(url: str) -> str:
    """The host name in a URL; empty where there is none that could be trusted."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
