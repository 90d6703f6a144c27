"""The benchmarks, by name."""

from gpkit.core.entry import Entry

BENCHMARKS = (
    Entry("machine", "gpkit.bench.machine", "measure", "one environment at a time"),
    Entry("sevens", "gpkit.bench.sevens", "measure", "games of Sevens a second on one core"),
    Entry("battleship", "gpkit.bench.battleship", "measure", "games of Battleship a second on one core"),
    Entry(
        "dots_and_boxes",
        "gpkit.bench.dots_and_boxes",
        "measure",
        "games of Dots and Boxes a second on one core",
    ),
    Entry("mastermind", "gpkit.bench.mastermind", "measure", "games of Mastermind a second on one core"),
    Entry("matching", "gpkit.bench.matching", "measure", "rules tested in positions of Dots and Boxes"),
    Entry("solving", "gpkit.bench.solving", "measure", "perfect play of Dots and Boxes"),
    Entry("evolution", "gpkit.bench.evolution", "measure", "evolving formulas for data"),
    Entry("workers", "gpkit.bench.workers", "measure", "evolution with two workers, on two quiet cores"),
    Entry("startup", "gpkit.bench.startup", "measure", "whole processes, kernels compiled or not"),
)
