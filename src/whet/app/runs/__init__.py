"""Runs: one lifecycle for every kind of long work."""
