"""Who may call: this machine, or whoever has the token; and from which web pages."""

import hmac
import ipaddress
import re
from dataclasses import replace
from http import HTTPStatus
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from whet.app.settings import Settings
from whet.core.errors import UsageError
from whet.server.failed_attempts import FailedAttempts
from whet.server.problems import problem
from whet.server.ui import is_of_the_ui

SHORTEST_TOKEN = 20
MAKE_TOKEN = 'export WHET_TOKEN=$(python3 -c "import secrets; print(secrets.token_urlsafe(32))")'

OWN_HEADER = "x-whet"
"""A browser sends it across origins only after a question that is never answered with yes."""

_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_DEFAULT_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?")
_LIKE_A_FORM = frozenset({"text/plain", "application/x-www-form-urlencoded"})


class Refusal(NamedTuple):
    """Why a request is not answered."""

    status: HTTPStatus
    code: str
    detail: str


def is_loopback(host: str) -> bool:
    """Whether a name or address can only mean this machine."""
    host = host.lower().removesuffix(".")
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def fit_for_network(settings: Settings, host: str) -> Settings:
    """The settings to serve with on that address: a token cannot be guessed, and where others can
    come in, there is one, and no agent runs without a sandbox. Raises ``UsageError``."""
    _refuse_weak_token(settings.token)
    if settings.public_url is not None:
        if _origin(settings.public_url) is None:
            raise UsageError(
                f"WHET_PUBLIC_URL is {settings.public_url!r}; write https://whet.example"
            )
        if settings.token is None:
            raise UsageError(f"WHET_PUBLIC_URL needs a token: {MAKE_TOKEN}")
    if is_loopback(host):
        return settings
    if settings.token is None:
        raise UsageError(
            f"listening on {host} needs a token in WHET_TOKEN: {MAKE_TOKEN}, or use 127.0.0.1"
        )
    if settings.sandbox == "off":
        raise UsageError(
            f"listening on {host} needs a sandbox for agents: unset WHET_SANDBOX, or use 127.0.0.1"
        )
    return replace(settings, sandbox="required")


def _refuse_weak_token(token: str | None) -> None:
    if token is None:
        return
    if len(token) < SHORTEST_TOKEN:
        raise UsageError(
            f"WHET_TOKEN has {len(token)} characters and needs {SHORTEST_TOKEN}: {MAKE_TOKEN}"
        )
    if token != token.strip() or not (token.isascii() and token.isprintable()):
        raise UsageError(f"WHET_TOKEN has a character that no header can carry: {MAKE_TOKEN}")


class Access:
    """Middleware. Without a token only this machine is answered, under its own names. With or
    without one, web pages of another origin may not change anything."""

    def __init__(
        self, app: ASGIApp, token: str | None, attempts: FailedAttempts, public_url: str | None
    ) -> None:
        self._app = app
        self._token = token
        self._attempts = attempts
        self._public = None if public_url is None else _origin(public_url)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request through or answer with a problem."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._who(scope, headers) or self._from_where(scope, headers)
        if refusal is None:
            await self._app(scope, receive, send)
            return
        more: dict[str, str] = {}
        if refusal.status == HTTPStatus.UNAUTHORIZED:
            more["www-authenticate"] = "Bearer"
            if headers.get("authorization"):
                client = scope.get("client")
                await self._attempts.record(client[0] if client else "")
        await problem(*refusal, more)(scope, receive, send)

    def _who(self, scope: Scope, headers: Headers) -> Refusal | None:
        """Refuse who may not call at all."""
        if self._token is None:
            host = headers.get("host", "")
            found = _host(host) if len(headers.getlist("host")) == 1 else None
            if found is None or not is_loopback(found[0]):
                detail = f"this server does not answer for {host!r}"
                return Refusal(HTTPStatus.FORBIDDEN, "foreign_host", detail)
            return None
        # The page asks for the token; so it is given to those who have not shown it yet.
        if is_of_the_ui(scope["method"], scope["path"]):
            return None
        scheme, _, given = headers.get("authorization", "").partition(" ")
        is_right = hmac.compare_digest(given.strip().encode("latin-1"), self._token.encode())
        if is_right and scheme.lower() == "bearer":
            return None
        return Refusal(HTTPStatus.UNAUTHORIZED, "unauthorized", "a bearer token is needed")

    def _from_where(self, scope: Scope, headers: Headers) -> Refusal | None:
        """Refuse what a web page of another origin made a browser send."""
        is_reading = scope["method"] in _READING
        origins = headers.getlist("origin")
        for origin in origins:
            if not (self._is_readable_by if is_reading else self._is_own)(origin, headers):
                detail = f"requests from {origin!r} are refused: it is not this server's own page"
                return Refusal(HTTPStatus.FORBIDDEN, "foreign_origin", detail)
        site = headers.get("sec-fetch-site", "").strip().lower()
        is_shown = is_reading and headers.get("sec-fetch-mode", "").strip().lower() == "navigate"
        if site not in ("", "same-origin", "none") and not is_shown:
            detail = f"requests that a browser calls {site[:40]!r} are refused"
            return Refusal(HTTPStatus.FORBIDDEN, "foreign_origin", detail)
        if is_reading or origins or self._token is not None or OWN_HEADER in headers:
            return None
        return _like_a_form(headers)

    def _is_readable_by(self, origin: str, _headers: Headers) -> bool:
        """With a token any page may ask, as it had to be given the token; it learns nothing from
        a browser unless it is our own."""
        if self._token is not None:
            return True
        found = _origin(origin)
        return found is not None and is_loopback(found[1])

    def _is_own(self, origin: str, headers: Headers) -> bool:
        """Whether a page of that origin came from this server: from the host and port that the
        request is for, or from the public address. The scheme is not known behind a proxy."""
        found = _origin(origin)
        if found is None:
            return False
        if found == self._public:
            return True
        asked = _host(headers.get("host", "")) if len(headers.getlist("host")) == 1 else None
        if asked is None:
            return False
        scheme, name, port = found
        return name == asked[0] and port == (asked[1] or _DEFAULT_PORTS[scheme])


def _like_a_form(headers: Headers) -> Refusal | None:
    """Refuse a body that any page could send without being asked, from a client that does not say
    where it comes from. Forms with files are taken from programs, which send no ``Sec-Fetch-…``:
    those that upload files know nothing of our header."""
    media = headers.get("content-type", "").partition(";")[0].strip().lower()
    is_form = media.startswith("multipart/")
    is_browser = any(name.startswith("sec-fetch-") for name in headers)
    if media not in _LIKE_A_FORM and not (is_form and is_browser):
        return None
    detail = f"a body of type {media[:80]} needs the header X-Whet: 1, or another content-type"
    return Refusal(HTTPStatus.FORBIDDEN, "own_header_needed", detail)


def _host(text: str) -> tuple[str, int | None] | None:
    """The name and the port of a ``Host`` header; None for what is none."""
    found = _HOST.fullmatch(text.strip())
    if found is None:
        return None
    port = int(found[2]) if found[2] else None
    return _plain(found[1]), port


def _origin(text: str) -> tuple[str, str, int] | None:
    """Scheme, name and port of an ``Origin`` header or a URL of a server; None for what is none."""
    scheme, separator, rest = text.strip().partition("://")
    default = _DEFAULT_PORTS.get(scheme.lower())
    found = _host(rest.removesuffix("/"))
    if not separator or default is None or found is None:
        return None
    name, port = found
    return scheme.lower(), name, default if port is None else port


def _plain(name: str) -> str:
    """One spelling of a name or an address."""
    name = name.lower().removesuffix(".")
    try:
        return str(ipaddress.ip_address(name.strip("[]")))
    except ValueError:
        return name
