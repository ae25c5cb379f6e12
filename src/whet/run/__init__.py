"""One way to run an agent and one way to record it."""
