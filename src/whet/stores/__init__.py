"""Where all that happened is kept: memory, SQLite or PostgreSQL, and the group-commit writer."""
