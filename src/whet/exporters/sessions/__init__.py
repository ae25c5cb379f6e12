"""Sessions as files to read, to share and to send. See ``prepare`` for what comes first."""
