"""The workspace at a glance: what is running, and what came out last."""
