"""Schemas of packages, made ready once: a job is asked for more often than a package changes."""

import json
from collections.abc import Mapping
from functools import lru_cache

from pydantic import JsonValue

from whet.documents.schema import Schema
from whet.documents.strange_schema import StrangeSchema


def compiled(source: Mapping[str, JsonValue]) -> Schema:
    """The schema; raises ``UsageError`` if it is none."""
    return _compiled(json.dumps(source, sort_keys=True))


@lru_cache(maxsize=256)
def _compiled(source: str) -> Schema:
    return StrangeSchema(json.loads(source))
