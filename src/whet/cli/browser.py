"""A browser for whoever sits before this terminal."""

import sys
import threading
import webbrowser

from whet.app.settings import Settings

PORT = 8642
ADDRESS = f"http://127.0.0.1:{PORT}"
"""Where ``whet serve`` listens unless told otherwise."""

_WITH_A_SCREEN = ("darwin", "win32")
_SCREENS = ("DISPLAY", "WAYLAND_DISPLAY")


def is_attended(settings: Settings) -> bool:
    """Whether a person is there who can be asked: never in continuous integration."""
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty() and sys.stderr.isatty()
    return is_terminal and not settings.machine.environment.get("CI")


def has_screen(settings: Settings) -> bool:
    """Whether a browser would be seen; without a screen one might open in the terminal itself."""
    environment = settings.machine.environment
    if sys.platform in _WITH_A_SCREEN:
        return "SSH_CONNECTION" not in environment
    return any(name in environment for name in _SCREENS)


def shown(settings: Settings, url: str, page: str = "") -> bool:
    """Open a page of the server at *url*, if there is somebody to look at it."""
    if not is_attended(settings) or not has_screen(settings):
        return False
    # Some take their time to start.
    threading.Thread(target=webbrowser.open, args=(f"{url}/{page}",), daemon=True).start()
    return True
