"""The capability door: sets of decidable cases."""
