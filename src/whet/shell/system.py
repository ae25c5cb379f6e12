"""What of the machine every sandbox shows, read-only."""

from pathlib import Path

FOLDERS = tuple(
    map(Path, ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")),
)

# Not all of /etc: with its keys and passwords it is readable to root, who may be running us.
CONFIGURATION = tuple(
    Path("/etc", name)
    for name in (
        "alternatives",
        "ca-certificates",
        "group",
        "ld.so.cache",
        "ld.so.conf",
        "ld.so.conf.d",
        "localtime",
        "passwd",
        "pki",
        "ssl/certs",
        "ssl/openssl.cnf",
    )
)
NAMES = tuple(Path("/etc", name) for name in ("hosts", "nsswitch.conf", "resolv.conf"))
"""How host names are looked up on this machine."""

DEVICES = tuple(Path("/dev", name) for name in ("null", "zero", "full", "random", "urandom"))


def shown(path: Path) -> bool:
    """Whether every sandbox shows *path* anyway."""
    return any(path.is_relative_to(folder) for folder in FOLDERS)
