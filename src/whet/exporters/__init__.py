"""Foreign formats for results and sessions. Empty until sessions move in."""
