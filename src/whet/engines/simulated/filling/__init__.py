"""Values that fit a JSON Schema, made without the library for it: that takes long to load."""
