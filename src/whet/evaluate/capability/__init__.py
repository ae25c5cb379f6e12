"""Capability evaluation: decidable cases, what a run of them comes to, and how runs differ."""
