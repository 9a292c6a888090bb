"""What the house must be fast at, as ratios measured within one run on one machine."""
