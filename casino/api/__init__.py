"""The HTTP API: floor systems write here, and everybody with a key reads."""
