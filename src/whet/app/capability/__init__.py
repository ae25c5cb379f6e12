"""Capability evaluation: sets, runs and what they come to."""
