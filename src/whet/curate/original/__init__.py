"""Workspaces of the original desktop program: read with all their faults, never written to."""
