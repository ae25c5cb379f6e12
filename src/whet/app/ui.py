"""Where the web interface lies once it is built; see docs/web.md."""

from pathlib import Path

STATIC = Path(__file__).parents[1] / "static"
