"""Timelines, annotations and comparison of sessions. Empty until sessions move in."""
