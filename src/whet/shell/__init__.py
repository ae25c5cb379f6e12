"""The only code that starts processes: groups, time limits, output caps, sandbox."""
