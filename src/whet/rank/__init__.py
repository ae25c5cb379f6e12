"""Comparisons and the leaderboard, as pure functions over rows and results."""
