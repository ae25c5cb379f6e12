"""Checks that are scripts of the suite: somebody else's code, so only where it is trusted."""

import asyncio
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast, get_args

from whet.checkers import fields
from whet.checkers.verdict import decided, failed, shown, skipped
from whet.core.check import CheckResult, CheckSpec
from whet.core.errors import UsageError
from whet.core.files import inside
from whet.documents.files import temporary_folder
from whet.ports.checker import Subject
from whet.shell.command import Command, Limits, ResourceLimits
from whet.shell.policy import Policy, Sandbox
from whet.shell.process import Completed, run
from whet.shell.sandbox import wrapped

_SECONDS = 30.0
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_TAIL = 500
_LIMITS = Limits(line=64 * 1024, output=1024 * 1024, stderr=64 * 1024)
_RESOURCES = ResourceLimits(memory_bytes=2 * 1024**3, processes=128, file_bytes=256 * 1024 * 1024)

_STARTUP = """\
import os, sys
sys.path.append(os.environ["OUTPUTS_DIR"])
for name in sys.orig_argv[1:]:
    if not name.startswith("-"):
        sys.path.append(os.path.dirname(os.path.abspath(name)))
        break
"""
# Python looks for modules in the folder it starts in before its own: an agent that leaves a json.py
# would speak for the script. PYTHONSAFEPATH ends that; this puts the outputs behind all others.


class CustomScript:
    """The script ends with exit code 0.

    It runs in a read-only copy of the outputs, in the sandbox that the subject names, without
    network, and finds the folder in ``OUTPUTS_DIR``. ``TMPDIR`` is for what it wants to write.
    Python's own modules come before files of the outputs that have their names.
    """

    name = "custom_script"
    version = "2"

    def validate(self, spec: CheckSpec) -> Sequence[str]:
        """See the port."""
        optional = {"timeout_seconds": fields.duration}
        return fields.problems(spec, {"script": _script}, optional)

    def check(self, spec: CheckSpec, subject: Subject) -> CheckResult:
        """See the port."""
        if subject.script_sandbox is None:
            return skipped(spec, "not trusted")
        with temporary_folder() as root:
            try:
                done = _run(spec, subject, root)
            finally:
                _set_writable(root / "outputs")
        return _verdict(spec, done)


def _run(spec: CheckSpec, subject: Subject, root: Path) -> Completed:
    outputs, scratch, startup = root / "outputs", root / "tmp", root / "startup"
    scratch.mkdir()
    startup.mkdir()
    (startup / "sitecustomize.py").write_text(_STARTUP)
    _copy(subject.outputs, outputs)
    command = Command(
        argv=("bash", "-c", cast("str", spec.fields["script"])),
        cwd=outputs,
        env={
            "PATH": _PATH,
            "LANG": "C.UTF-8",
            "HOME": str(scratch),
            "TMPDIR": str(scratch),
            "OUTPUTS_DIR": str(outputs),
            "PYTHONSAFEPATH": "1",
            "PYTHONPATH": str(startup),
        },
        timeout=cast("float", spec.fields.get("timeout_seconds", _SECONDS)),
        limits=_LIMITS,
        resources=_RESOURCES,
    )
    policy = Policy(writable=(scratch,), readable=(outputs, startup))
    if subject.script_sandbox not in get_args(Sandbox):
        raise UsageError(f"unknown sandbox {subject.script_sandbox!r}; use {get_args(Sandbox)}")
    sandbox = cast("Sandbox", subject.script_sandbox)
    return asyncio.run(run(wrapped(command, sandbox, policy)))


def _verdict(spec: CheckSpec, done: Completed) -> CheckResult:
    exit_ = done.exit
    if exit_.timed_out:
        how = f"ended after {exit_.seconds:.0f} s, which is too long"
    elif exit_.exceeded:
        how = f"ended for using too much: {exit_.exceeded}"
    elif exit_.signal is not None:
        how = f"ended by signal {exit_.signal}"
    else:
        how = f"exit {exit_.code}"
    said = "".join(
        f"; {name}: {_tail(text.strip())}"
        for name, text in (("stdout", done.stdout), ("stderr", exit_.stderr))
        if text.strip()
    )
    if exit_.timed_out or exit_.exceeded:
        return failed(spec, how + said, error=how)
    return decided(spec, how + said, good=exit_.ok)


def _tail(text: str) -> str:
    """The end of what a script said, on one line."""
    plain = shown(text[-_TAIL:], len(text) * 10)
    return plain if len(plain) <= _TAIL and len(text) <= _TAIL else "…" + plain[1 - _TAIL :]


def _copy(files: Mapping[str, bytes], folder: Path) -> None:
    folder.mkdir()
    for path in files:
        place = folder / inside(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(files[path])
        place.chmod(0o444)
    for place, _, _ in os.walk(folder):
        Path(place).chmod(0o555)


def _set_writable(folder: Path) -> None:
    """A folder that is read-only cannot be removed with what is in it."""
    for place, _, _ in os.walk(folder):
        Path(place).chmod(0o755)


def _script(value: object) -> str | None:
    if not isinstance(value, str) or not value.strip():
        return "must be a string that is not empty"
    return "has a character that no script has" if "\0" in value else None
