"""Analyse, recompose, iterate. Empty until evolution moves in."""
