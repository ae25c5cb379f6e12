"""Where trials run: in this process, in bounded lanes."""
