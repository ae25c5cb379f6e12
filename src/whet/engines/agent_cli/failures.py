"""Sorting the troubles of agents by what their model's service said."""

import re

from whet.core.failure import Failure

_BY_STATUS = {
    401: Failure.AUTH,
    402: Failure.AUTH,
    403: Failure.AUTH,
    408: Failure.NETWORK,
    413: Failure.CONTEXT,
    429: Failure.RATE_LIMIT,
}
# Said by services and programs in many words; the first that fits decides.
_BY_WORDS = (
    # A model that may not be used any more for lack of money answers "too many requests". One
    # that is asked too often may speak of the plan and its billing, too.
    (r"insufficient[_ ]quota|credit balance|payment required", Failure.AUTH),
    (r"rate[_ -]?limit|\bretry in \d|try again in \d", Failure.RATE_LIMIT),
    (r"\bbilling\b", Failure.AUTH),
    (
        (
            r"context[_ ](?:length|window)|prompt is too long|too many (?:input )?tokens|"
            r"maximum context|input (?:token count|length).{0,200}exceed|request too large"
        ),
        Failure.CONTEXT,
    ),
    (r"refus(?:al|ed to answer)|content[_ ]filter|prohibited[_ ]content", Failure.REFUSAL),
    (r"resource[_ ]exhausted|too many requests", Failure.RATE_LIMIT),
    (r"overloaded|unavailable|internal server error|server[_ ]error", Failure.OVERLOAD),
    (
        (
            r"invalid (?:api|x-api)[_ -]?key|api key not valid|unauthori[sz]ed|authentication|"
            r"not logged in|please (?:run )?/?log ?in|permission[_ ]denied[_ ]error|oauth token"
        ),
        Failure.AUTH,
    ),
    (
        (
            r"\beconn|enotfound|eai_again|connection (?:error|refused|reset|closed)|fetch failed|"
            r"stream (?:disconnected|closed)|timed? ?out|\b(?:dns|network|socket)\b|"
            r"unable to connect"
        ),
        Failure.NETWORK,
    ),
)
_BY_WORDS_COMPILED = tuple((re.compile(words, re.IGNORECASE), kind) for words, kind in _BY_WORDS)


def classify(status: int | None, text: str) -> Failure:
    """The kind of a trouble, by the HTTP status if one is known, and by the words about it.

    What nobody can make sense of is a crash, and is tried again.
    """
    kinds = [kind for words, kind in _BY_WORDS_COMPILED if words.search(text)]
    if status is None:
        return kinds[0] if kinds else Failure.CRASH
    if kinds and kinds[0] in (Failure.AUTH, Failure.CONTEXT) and status in (400, 429, 413):
        return kinds[0]
    if status >= 500:
        return Failure.OVERLOAD
    return _BY_STATUS.get(status, kinds[0] if kinds else Failure.CRASH)
