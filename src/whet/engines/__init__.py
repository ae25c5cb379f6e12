"""Adapters to agents, one a file: each turns a trial into a stream of steps."""
