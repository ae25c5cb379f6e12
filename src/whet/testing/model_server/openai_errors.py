"""HTTP errors as both OpenAI protocols say them."""

from whet.testing.model_server.script import Problem
from whet.testing.model_server.wire import JsonObject

ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_exceeded",
}


def refusal(problem: Problem) -> JsonObject:
    """The body of an HTTP error."""
    kind = problem.type or ERRORS.get(problem.status, "server_error")
    return {"error": {"message": problem.message, "type": kind, "param": None, "code": kind}}
