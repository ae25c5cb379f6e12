"""Paths that tell whose machine it was: home folders, temporary ones, and where a project lies.

Patterns begin with a fixed sign, and look back at what is before it only then: that is many times
quicker on megabytes of text. A null byte ends a text.
"""

import re
from collections import Counter
from collections.abc import Iterable
from posixpath import commonpath, dirname

HOME = "~"
TEMPORARY = "$TMPDIR"
USER = "user"

_WORD = rb"[A-Za-z0-9_.~%)}\]-]"
_ENDS = rb"(?![A-Za-z0-9_.-])"
_NAME = rb"[^\x00-\x20/\\\"'`<>|:*?,;()\[\]{}$%&#!@=+]+"


def _place(folder: bytes, rest: bytes = b"") -> bytes:
    """A branch for what begins at the root with *folder*; its slash has been passed already."""
    return folder + rb"(?<!" + _WORD + rb"/" + folder + rb")" + rest


_HOMES = (b"home/", b"Users/", b"users/", b"export/home/", b"var/home/", b"usr/home/", b"nfs/home/")
_POSIX = re.compile(
    rb"/(?:"
    + rb"|".join(
        (
            *(_place(folder, rb"(?P<user%d>%s)" % (n, _NAME)) for n, folder in enumerate(_HOMES)),
            rb"(?:mnt/[a-z]|System/Volumes/Data)/Users/(?P<user>" + _NAME + rb")",
            rb"(?P<root>" + _place(b"root", _ENDS) + rb")",
            rb"(?P<temporary>(?:private/)?var/folders/[\w+-]{1,8}/[\w+-]{1,40}(?:/[TC])?" + _ENDS,
            *(_place(folder, _ENDS) for folder in (b"tmp", b"var/tmp", b"private/tmp")),
            rb"run/user/[0-9]{1,9})",
        )
    )
    + rb")"
)
_SEPARATOR = rb"\\{1,4}"
_WINDOWS = re.compile(
    rb"\\\\{0,3}[Uu]sers"
    + _SEPARATOR
    # A name may have blanks; what ends it then is the next folder.
    + rb"(?P<user>[^\x00-\x1f/\\\"'`<>|:*?,;%]{1,40}(?=\\{1,4}[^\\\s])|"
    + _NAME
    + rb")(?P<temporary>"
    + _SEPARATOR.join((b"", b"AppData", b"Local", b"Temp"))
    + _ENDS
    + rb")?"
)
_QUOTED = re.compile(rb"%2[Ff](?:home|Users)%2[Ff](?P<user>[A-Za-z0-9_.-]+)")
_DASHED = re.compile(rb"/-(?:home|Users)-(?P<user>[A-Za-z0-9_.]+)")
_PATTERNS = (_POSIX, _WINDOWS, _QUOTED, _DASHED)
_DRIVE = re.compile(rb"\b[A-Za-z]:(?=(?:/|\\{1,4})[Uu]sers(?:/|\\))")
_NOBODY = frozenset(
    b"shared public default all user users username root admin ubuntu runner node app dev work git "
    b"you me name someone somebody test example foo bar baz".split()
)
_SYSTEM = ("/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/proc", "/sbin", "/sys", "/usr")
_MOST_USERS = 50
_ALMOST_ALL = 3
"""One in so many paths may lie elsewhere, and the others still have a project."""


class PrivatePaths:
    """Gives every home folder, user and project a name that says nothing, the same each time."""

    def __init__(self) -> None:
        self.counts = Counter[str]()
        """What was replaced so far, by kind."""

        self._users: dict[bytes, int] = {}
        self._named: list[re.Pattern[bytes]] = []
        self._project: tuple[re.Pattern[bytes], bytes] | None = None

    def learn(self, data: bytes) -> None:
        """Take down whose home folders are named."""
        for pattern in _PATTERNS:
            for found in pattern.finditer(data):
                self._number(_user(found))

    def add_user(self, name: str) -> None:
        """Somebody whose name is known."""
        self._number(name.encode(errors="surrogatepass"))

    def add_project(self, folder: str) -> None:
        """Where the project lies; what is above its own folder is nobody's business."""
        place = folder.rstrip("/").encode(errors="surrogatepass")
        is_deep = place.count(b"/") > 1 and place.startswith(b"/")
        if is_deep and not folder.startswith(_SYSTEM) and not _POSIX.match(place):
            before = rb"(?<!" + _WORD + re.escape(place) + rb")"
            pattern = re.compile(re.escape(place) + before + _ENDS)
            self._project = pattern, "…/".encode() + place.rpartition(b"/")[2]

    def clean(self, data: bytes) -> bytes:
        """*data* without what it tells of the machine."""
        if b":\\" in data or b":/U" in data or b":/u" in data:
            data = _DRIVE.sub(b"", data)
        for pattern in _PATTERNS:
            data = pattern.sub(self._replaced, data)
        if self._project is not None:
            pattern, mark = self._project
            data, count = pattern.subn(lambda _: mark, data)
            self.counts["project"] += count
        for pattern in self._named:
            data = pattern.sub(self._renamed, data)
        return data

    def _number(self, user: bytes | None) -> int:
        """Who it is, counted from 1; 0 for a name that everybody has."""
        if user is None or user.lower() in _NOBODY or len(user) < 2:
            return 0
        if user not in self._users:
            self._users[user] = len(self._users) + 1
            if len(self._users) <= _MOST_USERS:
                self._named.append(_elsewhere(user))
        return self._users[user]

    def _replaced(self, found: re.Match[bytes]) -> bytes:
        if found.re is not _DASHED and found.re is not _QUOTED and found["temporary"]:
            self.counts["temp"] += 1
            return TEMPORARY.encode()
        self.counts["home"] += 1
        mark = _numbered(HOME, self._number(_user(found)))
        return b"/-" + mark if found.re is _DASHED else mark

    def _renamed(self, found: re.Match[bytes]) -> bytes:
        self.counts["user"] += 1
        return _numbered(USER, self._number(found[0]))


def project_of(paths: Iterable[str]) -> str | None:
    """The folder that nearly all of these paths lie in, if there is one worth the name."""
    folders = Counter(dirname(path) for path in paths if path.startswith("/"))
    known = {
        folder: count
        for folder, count in folders.items()
        if not folder.startswith(_SYSTEM) and not _POSIX.match(folder.encode(errors="replace"))
    }
    if not known:
        return None
    top = Counter[str]()
    for folder, count in known.items():
        top["/".join(folder.split("/")[:3])] += count
    first, count = top.most_common(1)[0]
    if count * _ALMOST_ALL < sum(known.values()) * (_ALMOST_ALL - 1):
        return None
    return commonpath([folder for folder in known if f"{folder}/".startswith(f"{first}/")])


def _user(found: re.Match[bytes]) -> bytes | None:
    """Whose folder it is; nobody's where it is the system's."""
    return next((text for name, text in found.groupdict().items() if "user" in name and text), None)


def _elsewhere(user: bytes) -> re.Pattern[bytes]:
    """A user's name as a folder, and before a host."""
    name = re.escape(user)
    folder = rb"(?<=[/\\]%s)(?=[/\\\s\"'`:,;)\]\x00]|$)" % name
    return re.compile(rb"%s(?:%s|(?<!\w%s)(?=@[A-Za-z0-9]))" % (name, folder, name))


def _numbered(mark: str, number: int) -> bytes:
    """The first one has the plain mark, so that most paths read as usual."""
    return mark.encode() if number < 2 else f"{mark.removesuffix(USER)}{USER}{number}".encode()
