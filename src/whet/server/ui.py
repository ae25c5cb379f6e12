"""``/``: the web interface, as it was built into the package.

The pages are one document; what is shown stands behind the ``#`` of the address and never reaches
the server. Only files of one folder are given out, by names that cannot lead anywhere else.
"""

import re
from http import HTTPStatus
from mimetypes import guess_type
from pathlib import Path

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse, HTMLResponse

from whet.app.ui import STATIC
from whet.core.errors import NotFound

router = APIRouter(include_in_schema=False)

ASSETS = "/assets/"
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,199}")
_BESIDE = ("favicon.svg", "third-party-licenses.md")

# Styles may stand in the page, as the component library puts them there; scripts may not.
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "worker-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
_ANEW = {**HEADERS, "cache-control": "no-cache"}
_EITHER_WAY = {
    **HEADERS,
    "cache-control": "public, max-age=31536000, immutable",
    "vary": "accept-encoding",
}

NOT_BUILT = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>whet</title></head>
<body>
<h1>The pages of whet are not built</h1>
<p>The server is up and its API answers under <code>/v1</code>. To build the pages, run
<code>make web</code> in a checkout, or install whet again without
<code>HATCH_BUILD_NO_HOOKS</code>. Then load this page again.</p>
<p lang="zh-CN">whet 的网页尚未构建。服务器已启动，API 位于 <code>/v1</code>。请在源码目录运行
<code>make web</code>，然后重新载入本页。</p>
</body>
</html>
"""


def is_of_the_ui(method: str, path: str) -> bool:
    """Whether a request is for the interface itself, which holds nothing of the workspace."""
    return method in ("GET", "HEAD") and (
        path == "/" or path.startswith(ASSETS) or path.removeprefix("/") in _BESIDE
    )


@router.api_route("/", methods=["GET", "HEAD"])
def page() -> Response:
    """The page; asked for anew each time, since it names the newest assets."""
    index = STATIC / "index.html"
    if not index.is_file():
        return HTMLResponse(NOT_BUILT, HTTPStatus.SERVICE_UNAVAILABLE, headers=_ANEW)
    return FileResponse(index, headers=_ANEW, media_type="text/html")


@router.api_route(ASSETS + "{name}", methods=["GET", "HEAD"])
def asset(name: str, request: Request) -> Response:
    """A script, style or picture. Its name has a digest in it, so it never changes."""
    path = STATIC / "assets" / name
    if not _NAME.fullmatch(name) or name.endswith(".gz") or not path.is_file():
        raise NotFound(f"no asset {name[:80]!r}")
    return _packed(path, request) or FileResponse(path, headers=_EITHER_WAY)


@router.api_route("/favicon.svg", methods=["GET", "HEAD"])
@router.api_route("/third-party-licenses.md", methods=["GET", "HEAD"])
def beside(request: Request) -> Response:
    """A file that lies beside the page."""
    path = STATIC / request.url.path.removeprefix("/")
    if not path.is_file():
        raise NotFound(f"no file {path.name!r}")
    return FileResponse(path, headers=_ANEW)


def _packed(path: Path, request: Request) -> Response | None:
    """The file as it was packed beforehand, for who can unpack it."""
    packed = path.with_name(path.name + ".gz")
    accepted = request.headers.get("accept-encoding", "")
    if (
        not re.search(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))", accepted)
        or not packed.is_file()
    ):
        return None
    headers = {**_EITHER_WAY, "content-encoding": "gzip"}
    media_type = guess_type(path.name)[0]
    return FileResponse(packed, headers=headers, media_type=media_type)
