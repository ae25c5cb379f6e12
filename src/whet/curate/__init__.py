"""The library: assets as versioned folders. Pure, on files given to it."""
