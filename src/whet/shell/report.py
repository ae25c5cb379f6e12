"""Asking a program for a short report, for those who cannot await."""

import subprocess
from collections.abc import Mapping

from whet.core.errors import EnvironmentProblem


def report(argv: tuple[str, ...], environment: Mapping[str, str], seconds: float) -> str:
    """What a trusted program prints within a time; raises ``EnvironmentProblem``."""
    try:
        done = subprocess.run(
            argv,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except OSError as error:
        raise EnvironmentProblem(f"cannot start {argv[0]}: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        raise EnvironmentProblem(f"{' '.join(argv)}: no answer within {seconds:g} s") from error
    said = done.stdout.decode("utf-8", "replace")
    if done.returncode != 0:
        words = (done.stderr or done.stdout).decode("utf-8", "replace").strip()
        reason = words.partition("\n")[0][:200] or f"exit code {done.returncode}"
        raise EnvironmentProblem(f"{' '.join(argv)}: {reason}")
    return said
