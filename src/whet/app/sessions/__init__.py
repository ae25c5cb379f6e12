"""Every session of a workspace: files in ``sessions/``, and those of trials on record."""
