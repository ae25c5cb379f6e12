"""What the routes take is built with its class, so that nothing is said when it is first used."""

import importlib
import pkgutil
from collections.abc import Iterator

from fastapi import APIRouter
from fastapi.routing import APIRoute
from pydantic import BaseModel

import whet.server
from whet.core.value import RequestModel, Value


def routes() -> Iterator[APIRoute]:
    for module in pkgutil.walk_packages(whet.server.__path__, "whet.server."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, APIRouter):
                yield from (one for one in value.routes if isinstance(one, APIRoute))


def taken(route: APIRoute) -> Iterator[type[BaseModel]]:
    fields = [*route.dependant.body_params, *route.dependant.query_params]
    for field in fields:
        kind = field.field_info.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield kind


def test_every_model_that_a_route_takes_is_a_request() -> None:
    found = {one for route in routes() for one in taken(route)}
    assert len(found) > 30
    assert {one.__name__ for one in found if one.model_config.get("defer_build")} <= {
        one.__name__ for one in found if not issubclass(one, Value)
    }
    assert any(issubclass(one, RequestModel) for one in found)
