"""From the options of ``whet capability run`` to a request."""

from pathlib import Path

from pydantic import JsonValue

from whet.app.capability.sets import case_sets, load
from whet.app.settings import Settings
from whet.cli.capability_options import Run
from whet.cli.options import named_values
from whet.core.errors import NotFound, UsageError
from whet.core.text import shortened_path
from whet.documents.base import Number
from whet.documents.capability import CapabilityCaseSet, Dimension, EvaluationStart
from whet.evaluate.capability.scores import DIMENSIONS


def wanted(options: Run) -> EvaluationStart:
    """What is asked for; raises ``UsageError`` for values that cannot be."""
    overrides: dict[str, JsonValue] = {
        "timeout_s": options.timeout,
        "concurrency": options.concurrency,
        "retries": options.retries,
        "budget": {
            "max_cost_usd": options.max_cost,
            "max_tokens": options.max_tokens,
            "max_trials": options.max_trials,
            "max_seconds": None if options.max_minutes is None else options.max_minutes * 60,
        },
        "skills": [*(options.skill or ())],
        "options": named_values(options.option or ()),
        "mcp_servers": named_values(options.mcp_server or ()),
    }
    dimensions: tuple[Dimension, ...] = tuple(one.value for one in options.dimension or ())
    return EvaluationStart(
        user_id=options.user,
        model_name=_model(options),
        language=options.language,
        case_set=options.case_set,
        dimensions=dimensions or None,
        tool_names=None if options.tool is None else tuple(options.tool),
        config_overrides={name: value for name, value in overrides.items() if value is not None},
        weights=_weights(options.weight or []),
    )


def from_file(settings: Settings, name: str | None) -> CapabilityCaseSet | None:
    """The set in a file, where a file is named and no set of the workspace is called so."""
    if name is None or any(one.name == name for one in case_sets(settings.workspace)):
        return None
    if Path(name).is_file():
        return load(Path(name))
    known = sorted({one.name for one in case_sets(settings.workspace)})
    raise NotFound(
        f"no case set and no file {shortened_path(name, 200)!r}; sets: {', '.join(known)}"
    )


def _model(options: Run) -> str | None:
    if options.engine is not None and options.model is not None:
        return f"{options.engine}:{options.model}"
    return options.model if options.engine is None else options.engine


def _weights(given: list[str]) -> dict[Dimension, Number] | None:
    """The weights that are given; None where none is."""
    if not given:
        return None
    found: dict[Dimension, Number] = {}
    known: dict[str, Dimension] = {name: name for name in DIMENSIONS}
    if wrong := [each for each in given if "=" not in each]:
        raise UsageError(f"--weight {wrong[0]}: write DIMENSION=NUMBER, as logic=40")
    for name, value in named_values(given).items():
        if name not in known:
            raise UsageError(f"--weight {name}: no such dimension; known: {', '.join(known)}")
        if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
            raise UsageError(f"--weight {name}: must be a number, and not below 0")
        found[known[name]] = value
    return found
