"""Dots and Boxes, compiled: positions as bit masks; ``rules``, ``state_graph``, ``opponents`` give the meaning."""
