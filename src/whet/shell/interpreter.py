"""Our own Python, as far as it must be visible inside a sandbox to run a script of ours."""

import _ctypes
import _socket
import os
import sys
import sysconfig
from functools import cache
from pathlib import Path

PYTHON = (str(Path(sys.executable).resolve()), "-I", "-S")
"""Without site-packages, environment and anything of the working folder."""


@cache
def files() -> tuple[Path, ...]:
    """The program, its standard library, and the library it is linked with, if any."""
    program = Path(PYTHON[0])
    found = {program, Path(os.__file__).parent}
    for module in (_ctypes, _socket):
        if place := getattr(module, "__file__", None):
            found.add(Path(place).parent)
    if sysconfig.get_config_var("Py_ENABLE_SHARED"):
        library, folder = sysconfig.get_config_vars("INSTSONAME", "LIBDIR")
        found.add(Path(folder, library))
    found.add(program.parent.parent / "pyvenv.cfg")
    return tuple(path for path in sorted(found) if os.access(path, os.R_OK))
