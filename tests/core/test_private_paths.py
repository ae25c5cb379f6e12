"""Paths say where in a project something lies, and not whose machine it was on."""

import pytest

from whet.core.private_paths import PrivatePaths, project_of


def cleaned(text: str, *users: str) -> str:
    paths = PrivatePaths()
    for user in users:
        paths.add_user(user)
    paths.learn(text.encode())
    return paths.clean(text.encode()).decode()


BOB = "/ho" + "me/bob"
"""Not in one piece: it would look like the path of a machine."""

CASES = {
    "/home/alice/proj/a.py": "~/proj/a.py",
    f"{BOB}/x and /home/alice/y and {BOB}": "~/x and ~user2/y and ~",
    "file:///home/alice/y": "file://~/y",
    r"C:\Users\alice\code\a.py": r"~\code\a.py",
    r'"C:\\Users\\Ann Other\\code"': r'"~\\code"',
    "C:/Users/alice/x": "~/x",
    "-v p:/home/alice/x:/srv": "-v p:~/x:/srv",
    "/mnt/c/Users/alice/z": "~/z",
    "/tmp/foo/bar": "$TMPDIR/foo/bar",
    "/private/var/folders/ab/cdefgh123/T/x": "$TMPDIR/x",
    r"C:\Users\alice\AppData\Local\Temp\z": r"$TMPDIR\z",
    "/home/alice/.claude/projects/-home-alice-code": "~/.claude/projects/-~-code",
    "%2Fhome%2Falice%2Fx": "~%2Fx",
    "HOME=/home/alice:/home/alice": "HOME=~:~",
    "/media/alice/disk /home/alice alice@host, alice": "/media/user/disk ~ user@host, alice",
}
UNTOUCHED = (
    "https://example.com/home/about",
    "out/home/x ./tmp/x ../tmp a/tmp",
    "/home/ and /Users/",
    "/homes/x /tmpfiles /rooted",
    "src/whet/core/redaction.py:12",
    "12 / 4 = 3 // comment",
    "\\\\server\\share",
)


@pytest.mark.parametrize("text", CASES)
def test_a_private_path_says_no_more(text: str) -> None:
    assert cleaned(text) == CASES[text]
    assert cleaned(CASES[text]) == CASES[text]


@pytest.mark.parametrize("text", UNTOUCHED)
def test_other_text_stays(text: str) -> None:
    assert cleaned(text) == text


def test_what_was_replaced_is_counted() -> None:
    paths = PrivatePaths()
    paths.add_project("/opt/acme/repo/")
    paths.clean(b"/home/alice/x /tmp/y /opt/acme/repo/z /opt/acme/repository /media/alice/u")
    assert dict(paths.counts) == {"home": 1, "temp": 1, "project": 1, "user": 1}


def test_a_project_keeps_its_own_folder_only() -> None:
    paths = PrivatePaths()
    paths.add_project("/opt/clients/acme/repo")
    text = (
        "cd /opt/clients/acme/repo && cat /opt/clients/acme/repo/src/a.py (x/opt/clients/acme/repo)"
    )
    assert paths.clean(text.encode()).decode() == (
        "cd …/repo && cat …/repo/src/a.py (x/opt/clients/acme/repo)"
    )


@pytest.mark.parametrize("folder", ["/srv", "relative/folder", "/usr/lib/python3", "/home/alice/x"])
def test_some_folders_are_no_project(folder: str) -> None:
    paths = PrivatePaths()
    paths.add_project(folder)
    assert paths.counts["project"] == 0
    assert b"\xe2\x80\xa6" not in paths.clean(folder.encode())


def test_a_project_is_where_nearly_all_files_are() -> None:
    inside = ["/opt/acme/repo/a.py", "/opt/acme/repo/src/b.py", "/opt/acme/repo/src/c.py"]
    assert project_of([*inside, "/etc/passwd", "/home/alice/x", "relative.py"]) == "/opt/acme/repo"
    assert project_of([*inside, "/srv/b/x.py", "/srv/b/y.py"]) is None
    assert project_of(["a.py"]) is None
