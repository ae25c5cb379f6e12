"""What a job is asked for with, checked and filled in. Nothing is started here."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pydantic import JsonValue, ValidationError

from whet.app.access import Asker, Origin
from whet.app.app import App
from whet.app.config import defaults
from whet.app.jobs.private import Private
from whet.app.pins import Wish, pinned
from whet.core.access import widening
from whet.core.budget import NO_LIMITS, Budget
from whet.core.errors import InvalidJob, Unsupported, UsageError
from whet.core.failure import Failure
from whet.core.job import JobOptions, Mode, Notice
from whet.core.outbound import web_address
from whet.core.text import storable
from whet.curate.manifest import JobPackage
from whet.documents.job import LEAST_SECRET, MOST_KEY, JobBudget, JobCreate, RuntimeOptions, Webhook
from whet.evaluate.plan import Pin
from whet.run.job import inputs
from whet.run.job.rounds import can_go_on

SIMULATED_SECONDS = 60.0
MOST_SECONDS = 86_400.0
MOST_KEPT_SECONDS = 366 * 86_400.0
MOST_VALUES = 8 * 1024 * 1024

WITHOUT_EFFECT = "option_without_effect"

_OLDER_TIMEOUTS = (
    "session_timeout_sec",
    "interactive_wait_timeout_sec",
    "hard_wait_timeout_sec",
    "wait_timeout_sec",
)
_NAME = re.compile(r"[A-Z_][A-Z0-9_]{0,127}")
_MOST_VARIABLES = 64
_LONGEST_VALUE = 8_192


@dataclass(frozen=True)
class Chosen:
    """Who does a job, and how."""

    pin: Pin
    mode: Mode
    options: JobOptions
    private: Private
    notices: tuple[Notice, ...] = ()
    """Which options have no effect."""


def check_shape(wanted: JobCreate) -> None:
    """Raise ``UsageError`` for whatever no skill could make sense of."""
    how = wanted.runtime_options
    budget = how.budget or JobBudget()
    parts = {"": wanted, "runtime_options.": how, "runtime_options.budget.": budget}
    for place, part in parts.items():
        for name in part.model_extra or {}:
            known = ", ".join(type(part).model_fields)
            raise UsageError(f"{place}{name}: unknown; known: {known}")
    key = wanted.idempotency_key
    if key is not None and not (0 < len(key) <= MOST_KEY and key.isprintable()):
        raise UsageError(
            f"idempotency_key: must be a text of 1 to {MOST_KEY} characters that can be printed"
        )
    options = wanted.runtime_options.engine_options
    given = {"input": wanted.input, "parameter": wanted.parameter, "engine_options": options}
    for name, value in given.items():
        try:
            told = json.dumps(value, ensure_ascii=False)
        except RecursionError:
            raise UsageError(f"{name}: is nested too deeply") from None
        if told != storable(told):
            raise UsageError(f"{name}: has characters that are no text in UTF-8")
        if len(told) > MOST_VALUES:
            raise UsageError(f"{name}: is larger than {MOST_VALUES >> 20} MiB; upload it as a file")
    if wanted.webhook is not None:
        _check_webhook(wanted.webhook)


def chosen(app: App, wanted: JobCreate, package: JobPackage | None) -> Chosen:
    """The engine, pinned as it is now, with the options; *package* is None while nobody knows it.
    Raises ``Unsupported`` and ``UsageError``."""
    known = defaults(app)
    name = wanted.engine or known.engine
    engine = app.parts.engine(name)
    if package is not None:
        check_engine(package, name)
    merged = _merged(wanted.runtime_options, package)
    said = _with_older_names(merged)
    options, private = _options(app, wanted, said, simulated=engine.simulated)
    model = wanted.model or known.model_for(name)
    models = (f"{name}:{model}",) if model else ()
    given: dict[str, JsonValue] = dict(options.engine)
    if private.env:
        given["environment"] = dict(private.env)
    if engine.simulated and wanted.model not in (None, name):
        raise UsageError(f"model: the {name} agent has no model {wanted.model!r}")
    models = () if engine.simulated else models
    origin = _origin(app, wanted.runtime_options, merged)
    asker = Asker(f"the package {package.id}" if package else "a file")
    limits = options.budget
    [pin] = pinned(app, Wish((name,), models, given, limits, origin, asker, owner=None))
    mode = mode_of(wanted, package)
    if mode == "interactive" and not can_go_on(engine):
        message = f"{name} cannot go on after a question; use the mode auto, or another engine"
        raise Unsupported("mode", message)
    notices = (Notice(code=WITHOUT_EFFECT, message=each) for each in _in_vain(said, mode))
    return Chosen(pin, mode, options, private, tuple(notices))


def check_engine(package: JobPackage, engine: str) -> None:
    """Raise ``Unsupported`` unless the package may be run by it."""
    if engine not in package.engines:
        may = ", ".join(package.engines)
        raise Unsupported(
            "engine", f"skill {package.id} does not run on {engine}; it runs on {may}"
        )


def mode_of(wanted: JobCreate, package: JobPackage | None) -> Mode:
    """The mode that is asked for, else ``auto`` where the package has that."""
    asked = wanted.mode or wanted.runtime_options.execution_mode
    if package is None:
        return asked or "auto"
    if asked is not None and asked not in package.modes:
        may = ", ".join(package.modes)
        raise Unsupported("mode", f"skill {package.id} has no mode {asked}; it has {may}")
    return asked or ("auto" if "auto" in package.modes else package.modes[0])


def check_inputs(
    package: JobPackage, wanted: JobCreate, files: Iterable[str] | None = None
) -> None:
    """Raise ``InvalidJob`` with all that is wrong with inputs and parameters, and with the names
    of the *files* unless those come later."""
    problems = inputs.problems(package, wanted.input, wanted.parameter)
    if problems := [*problems, *(inputs.unfit(package, files) if files is not None else ())]:
        raise InvalidJob(f"job of {package.id}", problems)


def _options(
    app: App, wanted: JobCreate, said: RuntimeOptions, *, simulated: bool
) -> tuple[JobOptions, Private]:
    known = defaults(app)
    usual = SIMULATED_SECONDS if simulated else JobOptions().timeout_seconds
    seconds = said.hard_timeout_seconds
    _check_number("hard_timeout_seconds", seconds, 0, MOST_SECONDS)
    _check_number("interactive_reply_timeout_sec", said.interactive_reply_timeout_sec, -1, 1e9)
    limits = Budget(**said.budget.model_dump(exclude_none=True)) if said.budget else NO_LIMITS
    _check_number("budget.max_seconds", limits.max_seconds, 0, MOST_SECONDS)
    _check_number("keep_seconds", said.keep_seconds, 0, MOST_KEPT_SECONDS)
    _check_env(said.env)
    found: dict[str, object] = {
        "timeout_seconds": min(
            seconds or known.timeout_seconds or usual, limits.max_seconds or MOST_SECONDS
        ),
        "budget": limits,
        "no_cache": said.no_cache,
        "debug": said.debug,
        "auto_reply": bool(said.interactive_auto_reply),
        "reply_timeout_seconds": said.interactive_reply_timeout_sec,
        "retries": known.retries if said.retries is None else said.retries,
        "retry_on": None if said.retry_on is None else _failures(said.retry_on),
        "on_restart": said.on_restart,
        "keep_seconds": said.keep_seconds,
        "engine": said.engine_options,
        "env": tuple(sorted(said.env)),
    }
    try:
        options = JobOptions.model_validate({k: v for k, v in found.items() if v is not None})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise UsageError(f"runtime_options.{first['loc'][0]}: {first['msg']}") from None
    secret = wanted.webhook.secret if wanted.webhook else ""
    return options, Private(env=said.env, webhook_secret=secret)


def _merged(said: RuntimeOptions, package: JobPackage | None) -> RuntimeOptions:
    """What the request says goes before what the package has for all requests."""
    if package is None or not package.default_options:
        return said
    own = {n: v for n, v in package.default_options.items() if n in RuntimeOptions.model_fields}
    data = said.to_data()
    assert isinstance(data, dict), "a document is an object"
    given = {name: value for name, value in data.items() if name in said.model_fields_set}
    return RuntimeOptions.parse({**own, **given}, "runtime.default_options")


def _origin(app: App, said: RuntimeOptions, merged: RuntimeOptions) -> Origin:
    """Where the options that widen access come from. Those of a package are a stranger's, whatever
    the request says besides; what a request over HTTP says itself is never agreed to by consent."""
    is_asked = bool(said.env or widening(said.engine_options))
    own = widening(merged.engine_options)
    has_own = merged.env != said.env or own != widening(said.engine_options)
    if has_own and not (is_asked and app.access.door == "server"):
        return "file"
    return "request"


def _with_older_names(said: RuntimeOptions) -> RuntimeOptions:
    """The options with what older clients say under other names; raises ``UsageError`` where both
    are there and disagree."""
    change: dict[str, object] = {}
    if (strict := said.interactive_require_user_reply) is not None:
        if said.interactive_auto_reply is strict:
            names = "interactive_auto_reply, interactive_require_user_reply"
            raise UsageError(f"runtime_options.{names}: they say opposite things; give one of them")
        change["interactive_auto_reply"] = not strict
    for name in _OLDER_TIMEOUTS:
        _check_number(name, getattr(said, name), 0, 1e9)
    older = (getattr(said, name) for name in _OLDER_TIMEOUTS)
    seconds = next((each for each in older if each is not None), None)
    if said.interactive_reply_timeout_sec is None and seconds is not None:
        change["interactive_reply_timeout_sec"] = seconds
    return said.model_copy(update=change)


def _in_vain(said: RuntimeOptions, mode: Mode) -> Iterator[str]:
    """Why options that older clients send have no effect on this job."""
    if said.verbose:
        yield "runtime_options.verbose: has no effect; the logs of a job always have every line"
    if said.debug_keep_temp:
        yield (
            "runtime_options.debug_keep_temp: has no effect; what was uploaded stays as long as "
            "the job does, see keep_seconds"
        )
    if said.interactive_require_user_reply is not None and mode == "auto":
        yield (
            "runtime_options.interactive_require_user_reply: has no effect in the mode auto, "
            "which asks nobody"
        )
    for name in _OLDER_TIMEOUTS:
        if getattr(said, name) is None:
            continue
        if mode == "auto":
            yield f"runtime_options.{name}: has no effect in the mode auto, which asks nobody"
        elif not said.interactive_auto_reply:
            yield (
                f"runtime_options.{name}: has no effect unless interactive_auto_reply is true; "
                "a question waits until somebody replies"
            )


def _check_number(name: str, value: float | None, least: float, most: float) -> None:
    if value is not None and not least < value <= most:
        raise UsageError(f"runtime_options.{name}: must be above {max(least, 0):g}, to {most:g}")


def _check_env(env: dict[str, str]) -> None:
    if len(env) > _MOST_VARIABLES:
        raise UsageError(f"runtime_options.env: has more than {_MOST_VARIABLES} variables")
    for name, value in env.items():
        if not _NAME.fullmatch(name):
            raise UsageError(f"runtime_options.env: {name[:100]!r} is no name of a variable")
        if len(value) > _LONGEST_VALUE or "\0" in value:
            raise UsageError(f"runtime_options.env.{name}: is too long, or no text")


def _failures(names: tuple[str, ...]) -> tuple[Failure, ...]:
    may = [str(kind) for kind in Failure if kind.is_transient]
    for name in names:
        if name not in may:
            raise UsageError(f"runtime_options.retry_on: {name!r} is none of {', '.join(may)}")
    return tuple(dict.fromkeys(Failure(name) for name in names))


def _check_webhook(webhook: Webhook) -> None:
    web_address(webhook.url, "webhook.url")
    if len(webhook.secret) < LEAST_SECRET:
        raise UsageError(f"webhook.secret: must have {LEAST_SECRET} characters or more")
