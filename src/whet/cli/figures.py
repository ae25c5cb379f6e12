"""Figures as people read them."""


def span(seconds: float) -> str:
    """A time that something takes, ``1:02:03`` or ``0:42``."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def share(rate: float | None) -> str:
    """A share of checks that passed, in percent."""
    return "–" if rate is None else f"{round(100 * rate, 1):g} %"
