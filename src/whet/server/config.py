"""``/v1/config``: what holds where a request names nothing."""

from typing import Annotated

from fastapi import APIRouter, Body
from pydantic import JsonValue

from whet.app import config
from whet.app.config import Configuration
from whet.core.errors import UsageError
from whet.server.desk import AtDesk

router = APIRouter(prefix="/v1/config", tags=["config"])


Values = Annotated[dict[str, JsonValue], Body(json_schema_extra=config.value_schemas())]
"""What is to be set, by its key."""


@router.get("")
def show(desk: AtDesk) -> Configuration:
    """Show every value, and where it comes from."""
    return config.configuration(desk.app.settings)


@router.put("")
def change(values: Values, desk: AtDesk) -> Configuration:
    """Set these keys; the others stay as they are, and null goes back to what is built in. Which
    program is started is set on the machine only."""
    app = desk.app
    said = values.get("cli_path")
    if said is not None and said != config.configuration(app.settings).values["cli_path"].value:
        command = "whet config set cli_path=PROGRAM"
        raise UsageError(f"cli_path: names a program to start, so set it on the machine: {command}")
    return config.change(app.settings, app.parts, values, app.clock.now())
