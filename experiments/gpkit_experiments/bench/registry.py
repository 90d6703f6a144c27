"""The benchmarks, by name."""

from gpkit.core.plugins import Entry

BENCHMARKS = (
    Entry("machine", "gpkit_experiments.bench.machine", "measure", "one environment at a time"),
    Entry("sevens", "gpkit_experiments.bench.sevens", "measure", "games of Sevens a second on one core"),
    Entry(
        "battleship",
        "gpkit_experiments.bench.battleship",
        "measure",
        "games of Battleship a second on one core",
    ),
    Entry(
        "dots_and_boxes",
        "gpkit_experiments.bench.dots_and_boxes",
        "measure",
        "games of Dots and Boxes a second on one core",
    ),
    Entry(
        "mastermind",
        "gpkit_experiments.bench.mastermind",
        "measure",
        "games of Mastermind a second on one core",
    ),
    Entry(
        "matching",
        "gpkit_experiments.bench.matching",
        "measure",
        "rules tested in positions of Dots and Boxes",
    ),
    Entry("solving", "gpkit_experiments.bench.solving", "measure", "perfect play of Dots and Boxes"),
    Entry("evolution", "gpkit_experiments.bench.evolution", "measure", "evolving formulas for data"),
    Entry(
        "workers",
        "gpkit_experiments.bench.workers",
        "measure",
        "evolution with two workers, on two quiet cores",
    ),
    Entry(
        "startup", "gpkit_experiments.bench.startup", "measure", "whole processes, kernels compiled or not"
    ),
    Entry(
        "fastsrb",
        "gpkit_experiments.bench.fastsrb",
        "measure",
        "equations of physics found in their form, in an hour",
    ),
)

ONLY_BY_NAME = frozenset({"fastsrb"})
"""Benchmarks that take too long to run with all others."""
