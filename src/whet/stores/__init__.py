"""Where whet.db lives: the memory reference, SQLite, and the group-commit writer."""
