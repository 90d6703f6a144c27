"""Compiled matching of many rules in many positions in one call; ``gpkit.matching.reference`` defines the semantics."""
