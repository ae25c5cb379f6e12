"""The leaderboard, as pure functions over rows. Empty until projects move in."""
