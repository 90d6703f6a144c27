"""Matching of rule graphs in graphs of strings and coins: an oracle with networkx, and a compiled matcher.

The layer stands directly above ``gpkit.genomes``, whose graphs, rules and actions are what it matches.
"""
