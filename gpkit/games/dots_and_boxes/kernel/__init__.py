"""Compiled Dots and Boxes with positions as bit masks; ``rules``, ``rule_lists`` and ``opponents`` explain it."""
