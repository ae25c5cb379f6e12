"""Sessions: finding them, looking at them, and following those under way."""
