"""Variation of trees, compiled; ``gpkit.genomes.tree`` gives the meaning."""
