"""Numbers in, numbers out: pure mathematics on the standard library."""
