"""Matching, compiled: many rules in many positions in one call; ``gpkit.matching.reference`` gives the meaning."""
