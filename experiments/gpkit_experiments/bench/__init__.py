"""Benchmarks of gpkit's speed against other tools, and against its own readable twins, in one interleaved run.

A benchmark uses everything from the machine to evolution. It reads no
clock and starts no process by itself: the command line hands it both (``measure.Session``).
"""
