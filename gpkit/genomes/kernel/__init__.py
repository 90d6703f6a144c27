"""Compiled variation of trees; ``gpkit.genomes.tree`` defines the semantics."""
