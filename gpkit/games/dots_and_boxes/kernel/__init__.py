"""Compiled Dots and Boxes, with positions as bit masks; see ``rules``, ``rule_lists`` and ``opponents``."""
