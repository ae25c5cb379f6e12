"""Deterministic verdicts on a trial, by type; see ``docs/checks.md`` for what each means."""
