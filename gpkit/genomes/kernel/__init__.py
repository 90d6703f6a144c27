"""Variation of trees, compiled; ``gpkit.genomes.tree_operators`` gives the meaning."""
