"""The HTTP API of betting platforms: tickets in, settlements out."""
