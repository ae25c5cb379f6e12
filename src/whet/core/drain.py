"""Coming to an end in good order: nothing more begins, what is under way may finish."""


class Drain:
    """Tells whoever begins trials in this process that it is about to end."""

    def __init__(self) -> None:
        self.is_on = False
        self.cancelled = 0
        """Executions that did not end in time."""

    def begin(self) -> None:
        """Let no trial begin from now on."""
        self.is_on = True
