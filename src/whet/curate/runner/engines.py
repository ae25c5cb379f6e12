"""Which engines may run a package: those it allows, or all, without those it rules out."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from pydantic import JsonValue

ALLOWED, RULED_OUT, RENAMED = "engines", "unsupported_engines", "unsupport_engine"


def effective_engines(
    manifest: Mapping[str, JsonValue], supported: Collection[str], problems: list[str]
) -> tuple[str, ...]:
    """The engines in their order; what is wrong with the lists is added to *problems*."""
    allowed, ruled_out = (_names(manifest.get(key)) for key in (ALLOWED, RULED_OUT))
    left = (set(supported) if allowed is None else set(allowed)) - set(ruled_out or ())
    found = list(_problems(allowed, ruled_out, supported))
    if RENAMED in manifest:
        found.append(f"{RENAMED}: is now called {RULED_OUT}; rename it")
    if not left and not found:
        found.append(
            f"{ALLOWED}: no engine is left; allow at least one of {_listed(supported)}, "
            f"or leave {ALLOWED} and {RULED_OUT} out to allow them all"
        )
    problems += found
    return tuple(sorted(left))


def _names(value: JsonValue) -> Sequence[str] | None:
    """A list of names; whatever else stands there is told by the document itself."""
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else None


def _problems(
    allowed: Sequence[str] | None, ruled_out: Sequence[str] | None, supported: Collection[str]
) -> Iterator[str]:
    for key, names in ((ALLOWED, allowed or ()), (RULED_OUT, ruled_out or ())):
        for name, count in Counter(names).items():
            if name not in supported:
                yield f"{key}: {name!r} is no engine here; name some of {_listed(supported)}"
            if count > 1:
                yield f"{key}: {name!r} is there {count} times; name it once"
    if both := set(allowed or ()) & set(ruled_out or ()):
        yield f"{ALLOWED}, {RULED_OUT}: both name {_listed(both)}; take it out of one of them"


def _listed(names: Collection[str]) -> str:
    return ", ".join(sorted(names)) or "none"
