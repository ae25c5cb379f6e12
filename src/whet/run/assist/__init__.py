"""Assist: what a model may do for the library. It proposes, and a person decides."""
