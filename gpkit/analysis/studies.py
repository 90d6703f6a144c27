"""Studies: verdicts on configurations from many runs, with a paired test for each problem and pair of configurations.

Each run contributes one value, its result. Runs with the same seed form pairs. Holm's correction covers all tests of a
study.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from pathlib import Path
from statistics import median

from gpkit.core.codec import Count, Real, codec, plain
from gpkit.core.layout import Note, Sheet, Tabular
from gpkit.core.statistics import (
    POWER,
    ROUNDING,
    holm,
    median_interval,
    pairs_needed,
    share_interval,
    signed_rank,
    superiority,
)
from gpkit.core.wording import counted

LEVEL = 0.05
"""A difference counts as significant if its corrected p-value is below this level."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one run of a study.

    Attributes:
        problem, configuration, seed: the problem, configuration and seed that identify the run.
        value: the held-out measure of its champion.
        curve: the best training score in each generation.
        size: the size of the champion.
        evaluations: the number of programs that were evaluated.
        sha256: the hash of the run's last state.
        error: the reason for the run's failure; empty if it succeeded.
    """

    problem: str
    configuration: str
    seed: Count
    value: Real = math.nan
    curve: tuple[Real, ...] = ()
    size: Count = 0
    evaluations: Count = 0
    sha256: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Yardstick:
    """The measure by which the runs on a problem are compared.

    Attributes:
        problem: the name of the problem.
        metric: the name of the measure.
        direction: 1 if higher is better, otherwise −1.
        success: the value that a run must reach to count as a success; None if there is no such value.
    """

    problem: str
    metric: str
    direction: float
    success: float | None = None

    def gain(self, one: float, other: float) -> float:
        """The lead of the first value over the other, positive if the first is better; 0 for a rounding difference."""
        return 0.0 if math.isclose(one, other, rel_tol=ROUNDING) else self.direction * (one - other)


@dataclass(frozen=True, slots=True)
class StudyRow:
    """The runs of a configuration on a problem.

    Attributes:
        runs: the number of runs that did not fail.
        median, low, high: the median of their values, with its 95% interval.
        successes: the number of runs that count as a success; None if the study does not define success.
    """

    problem: str
    configuration: str
    runs: int
    median: float
    low: float
    high: float
    successes: int | None

    @property
    def rate(self) -> tuple[float, float, float] | None:
        """The share of successes with its 95% interval."""
        return share_interval(self.successes, self.runs) if self.successes is not None and self.runs else None


@dataclass(frozen=True, slots=True)
class Pairing:
    """The comparison of two configurations on a problem, with a test of their difference.

    Attributes:
        pairs: the number of seeds for which both configurations have a value.
        gain: the median lead of the first configuration.
        effect: the probability that a run of the first is better than one of the second, with ties counted as half
            (A12).
        p, corrected: the p-value of the signed-rank test, before and after Holm's correction over all tests of the
            study.
        more: the approximate number of further seeds needed to show such a difference; None if the values favour
            neither.
        lean: 1 if the ranks of the differences favour the first configuration, -1 if the second, and 0 if neither.
    """

    problem: str
    first: str
    second: str
    pairs: int
    gain: float
    effect: float
    p: float
    corrected: float
    more: int | None
    lean: int

    @property
    def better(self) -> str | None:
        """The better configuration; None if the test shows no difference."""
        return None if self.corrected >= LEVEL else self.first if self.lean > 0 else self.second


@dataclass(frozen=True, slots=True, repr=False)
class Studied(Tabular):
    """A study: its runs, and the conclusions drawn from all of them.

    Attributes:
        yardsticks: the problems, each with its measure.
        configurations: the names of the configurations.
        outcomes: the runs.
        rows: the runs of each configuration on each problem.
        pairings: the tests.
        folder: the folder of the study; None if it is not stored.
    """

    yardsticks: tuple[Yardstick, ...]
    configurations: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    rows: tuple[StudyRow, ...]
    pairings: tuple[Pairing, ...]
    folder: Path | None = None

    @property
    def exit_code(self) -> int:
        """The exit code of the command: 1 if a run failed."""
        return int(bool(self.failed))

    @property
    def failed(self) -> list[str]:
        """The runs that failed, with the reasons."""
        return [
            f"{e.configuration} on {e.problem}, seed {e.seed}: {e.error}" for e in self.outcomes if e.error
        ]

    @property
    def winner(self) -> str | None:
        """The configuration that beats every other one on some problem and is worse on none; None if there is none."""
        for name in self.configurations:
            own = [each for each in self.pairings if name in (each.first, each.second) and each.better]
            met = {side for each in own for side in (each.first, each.second)}
            if met == {*self.configurations} and all(each.better == name for each in own):
                return name
        return None

    @property
    def verdicts(self) -> list[str]:
        """Sentences about the better configuration on each problem and overall, or about the seeds still needed."""
        said = [self._verdict(yard) for yard in self.yardsticks if self.pairings]
        if len(said) > 1:
            wins = "wins: better than each other configuration on at least one problem, and worse on none"
            said.append(f"all problems: {f'{self.winner} {wins}' if self.winner else 'no winner shown'}")
        return said

    def _verdict(self, yard: Yardstick) -> str:
        """The verdict on a problem as a sentence, with the comparisons that show no difference."""
        tests = [each for each in self.pairings if each.problem == yard.problem]
        medians = {e.configuration: yard.direction * e.median for e in self.rows if e.problem == yard.problem}
        won = {name: sum(each.better == name for each in tests) for name in medians}
        leader = max(medians, key=lambda name: (won[name], medians[name]))
        own = {e.second if e.first == leader else e.first: e for e in tests if leader in (e.first, e.second)}
        said = [f"{leader} is better than {name}" for name, each in own.items() if each.better == leader]
        if equal := [name for name, each in own.items() if each.better is None]:
            more = [own[name].more or 0 for name in equal]
            seeds = f"about {counted(max(more), 'more seed')} would be needed, power {POWER:g}"
            known = seeds if all(more) else "their differences favour neither"
            said.append(f"no difference shown between {leader} and {', '.join(equal)} ({known})")
        return f"{yard.problem}: {'; '.join(said)}"

    def to_json(self) -> Mapping[str, object]:
        """The study as JSON values: problems, medians, tests, verdicts, and all runs."""
        return {
            "folder": None if self.folder is None else str(self.folder),
            "problems": plain(self.yardsticks),
            "configurations": [*self.configurations],
            "rows": [{**plain(each), "rate": plain(each.rate)} for each in self.rows],
            "tests": [{**plain(each), "better": each.better} for each in self.pairings],
            "winner": self.winner,
            "verdicts": self.verdicts,
            "failed": self.failed,
            "runs": [codec(Outcome).write(each) for each in self.outcomes],
        }

    def to_rows(self) -> list[Mapping[str, object]]:
        """The runs as rows, without their curves."""
        return [codec(Outcome).write(replace(each, curve=())) for each in self.outcomes]

    def sheets(self) -> Iterator[Sheet]:
        """The table of medians, and the table of tests if there are several configurations."""
        less = {each.problem: each for each in self.yardsticks}
        yield Sheet(
            ("problem", "configuration", "runs", "measure", "median", "95% interval", "success"),
            [
                (
                    each.problem,
                    each.configuration,
                    f"{each.runs}",
                    f"{less[each.problem].metric}{' (less)' if less[each.problem].direction < 0 else ''}",
                    f"{each.median:.4g}",
                    f"{each.low:.4g} to {each.high:.4g}" if math.isfinite(each.low) else "none",
                    "" if each.rate is None else "{:.2f} ({:.2f} to {:.2f})".format(*each.rate),
                )
                for each in self.rows
            ],
            ("runs", "median", "95% interval", "success"),
            ("problem", "configuration"),
            ("measure",),
        )
        if self.pairings:
            yield Sheet(
                ("problem", "first", "second", "pairs", "gain", "A12", "p", "p (Holm)", "better"),
                [
                    (
                        each.problem,
                        each.first,
                        each.second,
                        f"{each.pairs}",
                        f"{each.gain:+.4g}",
                        f"{each.effect:.2f}",
                        f"{each.p:.2g}",
                        f"{each.corrected:.2g}",
                        each.better or "",
                    )
                    for each in self.pairings
                ],
                ("pairs", "gain", "A12", "p", "p (Holm)"),
                ("problem", "first", "second"),
                ("p", "gain"),
            )

    def __str__(self) -> str:
        """The verdicts, or the medians of a study with one configuration."""
        return "\n".join(
            self.verdicts or (f"{e.configuration} on {e.problem}: median {e.median:.4g}" for e in self.rows)
        )

    __repr__ = __str__

    def told(self) -> Iterator[str | Sheet]:
        """The medians, the tests, the verdicts, and the failed runs."""
        yield from chain.from_iterable((sheet, "") for sheet in self.sheets())
        yield from self.verdicts
        yield from (Note(f"failed: {each}") for each in self.failed)


def studied(
    yardsticks: Sequence[Yardstick],
    configurations: Sequence[str],
    outcomes: Sequence[Outcome],
    folder: Path | None = None,
) -> Studied:
    """The study made from these runs, with its tests; failed runs are ignored."""
    rows: list[StudyRow] = []
    pairings: list[Pairing] = []
    pairs = [*combinations(configurations, 2)]
    level = LEVEL / max(1, len(pairs) * len(yardsticks))
    for yard in yardsticks:
        values: dict[str, dict[int, float]] = {name: {} for name in configurations}
        for each in outcomes:
            if each.problem == yard.problem and not each.error:
                values[each.configuration][each.seed] = each.value
        for name, by_seed in values.items():
            found = [*by_seed.values()]
            bound = yard.success
            hits = None if bound is None else sum(yard.gain(value, bound) >= 0.0 for value in found)
            ends = median_interval(found) if found else (math.nan, -math.inf, math.inf)
            rows.append(StudyRow(yard.problem, name, len(found), *ends, hits))
        for one, other in pairs:
            both = [
                (value, values[other][seed]) for seed, value in values[one].items() if seed in values[other]
            ]
            gains = [yard.gain(*each) for each in both]
            sides = [[yard.direction * each[side] for each in both] for side in (0, 1)]
            effect, middle = (superiority(*sides), median(gains)) if both else (0.5, math.nan)
            needed, (p, lean) = pairs_needed(gains, level), signed_rank(gains)
            more = None if needed is None else max(1, needed - len(both))
            pairings.append(Pairing(yard.problem, one, other, len(both), middle, effect, p, p, more, lean))
    corrected = zip(pairings, holm([each.p for each in pairings]), strict=True)
    tests = tuple(replace(each, corrected=p) for each, p in corrected)
    return Studied(tuple(yardsticks), tuple(configurations), tuple(outcomes), tuple(rows), tests, folder)
