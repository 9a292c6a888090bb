"""The only doors through which the floor's facts and decisions are written."""
