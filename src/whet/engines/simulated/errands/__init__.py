"""Plainly worded tasks about files, as the simulated agent understands and does them."""
