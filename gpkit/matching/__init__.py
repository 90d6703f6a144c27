"""Matches rule graphs: a reference matcher with networkx, and a compiled matcher.

The layer is directly above ``gpkit.genomes`` and matches its graphs, rules and actions.
"""
