"""The contract of the HTTP API on stdout, with no server running: what the types of the web
interface are made from (``make schema``)."""

import json
import sys
import tempfile
from pathlib import Path

from pydantic import JsonValue

from whet.app.app import opened
from whet.app.settings import read
from whet.server.api import make_api


def contract() -> str:
    """The OpenAPI document as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        settings = read(Path(folder) / "workspace", {"WHET_SCRATCH": f"{folder}/scratch"})
        with opened(settings) as app:
            return json.dumps(_untitled(make_api(app).openapi()), ensure_ascii=False)


def _untitled(part: JsonValue) -> JsonValue:
    """Without the titles that are only the names once more; a property may be called so too."""
    match part:
        case dict():
            kept = (
                item for item in part.items() if item[0] != "title" or isinstance(item[1], dict)
            )
            return {name: _untitled(value) for name, value in kept}
        case list():
            return [_untitled(value) for value in part]
        case _:
            return part


if __name__ == "__main__":
    sys.stdout.write(contract())
