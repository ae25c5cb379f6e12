"""whet finds out whether an agent skill makes its agent better, and makes it better still."""

__version__ = "0.1.0"
