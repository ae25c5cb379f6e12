"""Capability evaluation as a person sees it."""
