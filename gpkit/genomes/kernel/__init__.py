"""Compiled variation of trees; ``gpkit.genomes.tree`` defines what it does."""
