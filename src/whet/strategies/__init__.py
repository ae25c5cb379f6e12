"""Ways to propose a better skill. Empty until evolution moves in."""
