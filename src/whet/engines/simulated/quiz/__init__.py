"""Questions, as far as the simulated agent can work them out."""
