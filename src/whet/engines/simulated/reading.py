"""Reading a file as far as the agent takes it in."""

import os
from pathlib import Path

from whet.core.errors import EngineFailure
from whet.core.failure import Failure


def read_text(path: Path, limit: int) -> str:
    """The first *limit* characters; raises ``EngineFailure``."""
    try:
        with path.open("rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            data = stream.read(min(size, 4 * limit))
    except OSError as error:
        raise EngineFailure(Failure.CRASH, f"cannot read {path.name}: {error.strerror}") from error
    return data.decode(errors="replace")[:limit]
