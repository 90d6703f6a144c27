"""The benchmarks, by name."""

from gpkit.core.plugins import Entry

BENCHMARKS = tuple(
    Entry(name, f"gpkit_experiments.{module}", attribute, title)
    for name, module, attribute, title in (
        ("machine", "bench.machine", "measure", "one environment at a time"),
        ("sevens", "bench.games", "sevens", "games of Sevens a second on one core"),
        ("battleship", "bench.games", "battleship", "games of Battleship a second on one core"),
        ("dots_and_boxes", "bench.games", "dots_and_boxes", "games of Dots and Boxes a second on one core"),
        ("mastermind", "bench.games", "mastermind", "games of Mastermind a second on one core"),
        ("matching", "bench.matching", "measure", "rules tested in positions of Dots and Boxes"),
        ("solving", "bench.solving", "measure", "perfect play of Dots and Boxes"),
        ("evolution", "bench.evolution", "measure", "evolving formulas for data"),
        ("workers", "bench.processes", "workers", "evolution with two workers, on two quiet cores"),
        ("startup", "bench.processes", "startup", "whole processes, kernels compiled or not"),
        ("fastsrb", "fastsrb", "benchmark", "equations of physics found in their form, in an hour"),
    )
)

ONLY_BY_NAME = frozenset({"fastsrb"})
"""Benchmarks that take too long to run with all others."""
