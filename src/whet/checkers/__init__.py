"""Deterministic verdicts on a trial, one kind a file. Empty until skill evals move in."""
