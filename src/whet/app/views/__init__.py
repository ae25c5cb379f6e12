"""Experiments as people look at them, again and again while they run."""
