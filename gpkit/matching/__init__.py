"""Matching of rule graphs: a reference matcher that uses networkx, and a compiled matcher.

This layer is directly above ``gpkit.genomes``, and matches the graphs, rules and actions defined there.
"""
