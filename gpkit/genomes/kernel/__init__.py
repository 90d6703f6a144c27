"""Compiled variation of trees; ``gpkit.genomes.tree`` defines its meaning."""
