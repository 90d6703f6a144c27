"""Matches rule graphs: a reference matcher with networkx, and a compiled matcher.

This layer is directly above ``gpkit.genomes`` and matches its graphs, rules and actions.
"""
