"""Bringing skills and baselines in: files of many kinds, read into drafts and never into more."""
