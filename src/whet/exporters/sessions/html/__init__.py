"""A session as one page: what stands on it, how it is drawn, and the one script that plays it."""
