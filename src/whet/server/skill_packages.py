"""``/v1/skill-packages``: job packages that are installed into the library."""

import asyncio
import tempfile
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi import Path as InPath

from whet.app.packages.arrival import MOST_READ
from whet.app.packages.requests import PackageRollback
from whet.app.packages.told import Installed, PackageDetail, PackageHistory, PackageList
from whet.core.errors import EnvironmentProblem
from whet.documents.files import reason
from whet.server.desk import AtDesk, Desk
from whet.server.transfer import RAW_OR_FORM, received_file

INSTALL = "/v1/skill-packages/install"
MOST_BYTES = MOST_READ
"""Of a package that is sent, with the form around it."""

router = APIRouter(prefix="/v1/skill-packages", tags=["skill-packages"])

Reference = Annotated[
    str,
    InPath(description="What the package calls itself, its name, or an id or the beginning of it."),
]


@router.post(
    "/install",
    openapi_extra=RAW_OR_FORM,
    responses={HTTPStatus.CREATED.value: {"model": Installed}},
)
async def install(
    request: Request,
    response: Response,
    desk: AtDesk,
    filename: Annotated[str, Query(description="Of the zip, for messages.")] = "package.zip",
) -> Installed:
    """Install a zip, or update what is installed by a higher version; 201 if it is new."""
    with _room(desk) as temporary:
        path = Path(temporary) / "package.zip"
        name = await received_file(request, path)
        done = await asyncio.to_thread(desk.packages.install, path, name or filename)
    if done.action == "install":
        response.status_code = HTTPStatus.CREATED
    return done


@router.get("")
def every(
    desk: AtDesk,
    status: Annotated[
        Literal["active", "archived", "all"],
        Query(description="Those that were removed are archived."),
    ] = "active",
) -> PackageList:
    """List the installed packages."""
    return PackageList(packages=desk.packages.items(None if status == "all" else status))


@router.get("/{reference}")
def one(reference: Reference, desk: AtDesk) -> PackageDetail:
    """Show one with its contract: schemas, engines, artifacts."""
    return desk.packages.detail(reference)


@router.get("/{reference}/history")
def history(reference: Reference, desk: AtDesk) -> PackageHistory:
    """List the versions of one."""
    return PackageHistory(versions=desk.packages.history(reference))


@router.post("/{reference}/rollback")
def rollback(reference: Reference, wanted: PackageRollback, desk: AtDesk) -> Installed:
    """Make what an older version said the next one, be its number lower."""
    return desk.packages.rollback(reference, wanted.version)


@router.delete("/{reference}")
def uninstall(reference: Reference, desk: AtDesk) -> Installed:
    """Remove one; it is archived, and nothing is deleted."""
    return desk.packages.uninstall(reference)


def _room(desk: Desk) -> tempfile.TemporaryDirectory[str]:
    """A folder that goes with the server, even if that is killed."""
    root = desk.app.settings.scratch / desk.app.owner.id
    try:
        return tempfile.TemporaryDirectory(dir=root, prefix="package-")
    except OSError as error:
        raise EnvironmentProblem(f"cannot use {root}: {reason(error)}") from error
