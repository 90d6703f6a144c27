"""Foundations: errors, diagnostics, random streams, primitive sets, registries."""
