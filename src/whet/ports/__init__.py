"""One Protocol a file: what flows need and implementations give."""
