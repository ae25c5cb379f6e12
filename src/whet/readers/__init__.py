"""Foreign session logs to steps. Empty until sessions move in."""
