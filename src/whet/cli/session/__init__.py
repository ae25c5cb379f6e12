"""``whet session``."""
