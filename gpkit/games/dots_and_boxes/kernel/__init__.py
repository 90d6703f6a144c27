"""Dots and Boxes, compiled, with positions as bit masks; see ``rules``, ``rule_lists`` and ``opponents``."""
