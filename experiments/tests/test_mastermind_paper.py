"""The paper on evolving codes of Mastermind: its fitness, readings, trials, curves and verdicts."""

import csv
import json
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import asdict, replace
from functools import cache
from itertools import product

import pytest

from gpkit.core.rng import stream
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.problem import STRIDE
from gpkit.games.mastermind.rules import Feedback, feedback
from gpkit_experiments.papers.courses import follow
from gpkit_experiments.papers.mastermind import paper
from gpkit_experiments.papers.mastermind.controls import random_trial
from gpkit_experiments.papers.mastermind.experiments import (
    AT_RANDOM_FOUND,
    AT_RANDOM_SUPER,
    CLAIMS,
    EXPERIMENTS,
    MAIN,
    VARIANTS,
    WITH,
    WITHOUT,
    Experiment,
    Secret,
    Trial,
    ceiling,
    curves,
    curves_csv,
    curves_svg,
    fitness,
    highest,
    search_of,
    secret_of,
    so_far,
    trial,
)
from gpkit_experiments.papers.mastermind.paper import (
    EFFORTS,
    KNUTH,
    Effort,
    attempt_rows,
    claims_row,
    experiment_rows,
    question_rows,
)
from gpkit_experiments.papers.mastermind.representation import one_alphabet
from gpkit_experiments.papers.page import record_of
from gpkit_experiments.papers.paper import Claim, Findings, Row, below

SERIAL = SerialExecutor()
READINGS = {**MAIN, **VARIANTS}
CLASSIC, SCRAMBLE, SWAP, NEXT, MIX = EXPERIMENTS
TINY = Effort(runs=3, followed=2, variants=2, shares=2, larger=1, generations=4)
PAPER = replace(paper.PAPER, efforts={"quick": TINY, "full": TINY})


@cache
def tiny() -> Findings:
    return PAPER.run("full", 1, SERIAL)


@cache
def quick() -> Findings:
    return PAPER.run("quick", 2, SERIAL)


def test_fitness_is_the_equation_and_numbers_the_answers() -> None:
    assert [highest(length) for length in (1, 2, 3, 4, 5)] == [2, 5, 9, 14, 20]
    assert fitness(Feedback(0, 0)) == 0
    assert fitness(Feedback(1, 2)) == (2 + 2) + (1 + 2)
    for black, white in product(range(6), repeat=2):
        answer = Feedback(black, white)
        assert fitness(answer) == answer.number


def test_the_oracle_answers_every_individual() -> None:
    problem = Secret((0, 1, 2, 3))
    codes = [(0, 1, 2, 3), (3, 2, 1, 0), (5, 5, 5, 5), (0, 0, 0, 0)]
    found = problem.evaluate(codes, 1, 0, SERIAL)
    assert [one.score for one in found] == [14.0, 10.0, 0.0, 2.0]
    assert problem.validate(codes, 2, 5, SERIAL) == found
    assert problem.facing(codes) is problem


def pegs(guess: tuple[int, ...], secret: tuple[int, ...]) -> int:
    answer = feedback(guess, secret)
    return answer.black + answer.white


@pytest.mark.parametrize(("length", "colours", "population"), [(2, 3, 3), (3, 3, 2), (3, 2, 1)])
def test_the_ceiling_is_that_of_all_populations(length: int, colours: int, population: int) -> None:
    codes = list(product(range(colours), repeat=length))
    most = [
        max(pegs(guess, secret) for guess in guesses)
        for secret in codes
        for guesses in product(codes, repeat=population)
    ]
    found = ceiling(one_alphabet(length, colours), population)
    assert found.fitness == pytest.approx(sum(map(highest, most)) / len(most))
    assert found.complete == pytest.approx(most.count(length) / len(most))


def test_the_experiments_are_those_of_the_source() -> None:
    assert [experiment.figure for experiment in EXPERIMENTS] == [9, 10, 11, 12, 13]
    assert [experiment.highest for experiment in EXPERIMENTS] == [14, 20, 20, 20, 20]
    assert CLAIMS == 6
    for experiment in EXPERIMENTS:
        assert sum(share for _, share in experiment.mutations) == pytest.approx(1.0)


@pytest.mark.parametrize("name", READINGS)
def test_readings_share_secrets_and_first_populations(name: str) -> None:
    for experiment in EXPERIMENTS:
        search, base = (search_of(experiment, reading, 7) for reading in (READINGS[name], WITH))
        assert search.parameters.size == 40
        assert sum(share for _, share in search.parameters.scheme.shares) == pytest.approx(1.0)
        assert isinstance(search.problem, Secret)
        assert search.problem.code == secret_of(experiment.domain, 7)
        assert follow(search, (0,), SERIAL).populations == follow(base, (0,), SERIAL).populations


def test_crossover_is_in_every_child_or_in_none() -> None:
    for experiment in EXPERIMENTS:
        names = {name for name, _ in search_of(experiment, WITH, 1).parameters.scheme.shares}
        assert names == {f"two-point+{name}" for name, _ in experiment.mutations}
        names = {name for name, _ in search_of(experiment, WITHOUT, 1).parameters.scheme.shares}
        assert names == {name for name, _ in experiment.mutations}
    each = dict(
        search_of(MIX, VARIANTS["with crossover, each mutation at its own rate"], 1).parameters.scheme.shares
    )
    assert each["two-point+scramble+swap+next"] == pytest.approx(0.2 * 0.1 * 0.7)
    assert each["two-point"] == pytest.approx(0.8 * 0.9 * 0.3)


@pytest.mark.parametrize("name", ["with crossover", "without crossover, elite in place of the worst child"])
def test_a_trial_is_what_its_populations_were(name: str) -> None:
    reading, generations = READINGS[name], 8
    for seed in range(1, 5):
        found = trial(CLASSIC, reading, seed, generations, to_the_end=True)
        search = search_of(CLASSIC, reading, seed)
        history = follow(search, range(generations + 1), SERIAL).populations
        assert found.best == tuple(p[0].fitness for p in history.values())
        assert found.mean == tuple(sum(i.fitness for i in p) / 40 for p in history.values())
        assert list(found.best) == sorted(found.best)
        questions, codes = 0, set()
        for population in history.values():
            hits = [i.number % STRIDE for i in population if i.fitness == 14.0]
            codes |= {i.genome for i in population}
            questions += 1 + min(hits) if hits else 40
            if hits:
                break
        assert (found.questions, found.codes) == (questions, len(codes))
        short = trial(CLASSIC, reading, seed, generations, to_the_end=False)
        assert short == Trial(found.best, short.mean, questions, len(codes))
        assert short.mean == found.mean[: len(short.mean)]
        assert (len(short.mean) < len(found.mean)) == (14.0 in found.best[:-1])


def test_without_crossover_order_mutations_keep_the_pegs_of_the_first_population() -> None:
    for experiment in (SCRAMBLE, SWAP):
        for seed in range(1, 4):
            search = search_of(experiment, WITHOUT, seed)
            first = follow(search, (0,), SERIAL).populations[0]
            most = max(pegs(i.genome, secret_of(experiment.domain, seed)) for i in first)
            found = trial(experiment, WITHOUT, seed, 15, to_the_end=False)
            assert found.best[-1] <= highest(most)


def test_means_so_far_are_those_of_the_source() -> None:
    values = list(stream(1, "values").random(20))
    assert so_far(values) == pytest.approx([sum(values[: t + 1]) / (t + 1) for t in range(20)])


def made(*bests: float, questions: int = 100) -> list[Trial]:
    return [Trial((5.0, best), (2.0, 4.0), questions, 50) for best in bests]


def test_curves_are_means_over_runs_with_intervals() -> None:
    some = [*made(5.0, 10.0, 15.0), Trial((5.0, 20.0), (3.0,), 9, 9)]
    drawn = curves(MIX, some)
    assert [one.name for one in drawn] == ["best so far", "off-line", "on-line"]
    assert [[i.mean for i in one.intervals] for one in drawn] == [[5.0, 12.5], [5.0, 8.75], [2.0, 3.0]]
    assert [one.intervals[0].units for one in drawn] == [4, 4, 3], "on-line is of those followed to the end"
    rows = list(csv.DictReader(curves_csv(drawn).splitlines()))
    assert [row["generation"] for row in rows] == ["0", "1"]
    assert [float(row["best_so_far"]) for row in rows] == [5.0, 12.5]
    assert float(rows[1]["best_so_far_low"]) < 12.5 < float(rows[1]["best_so_far_high"])
    picture = ET.fromstring(curves_svg("Figure <13>", drawn))  # noqa: S314 - it is our own text
    assert picture.tag.endswith("svg")
    assert "Figure <13>" in "".join(picture.itertext())


def test_verdicts_follow_the_runs() -> None:
    as_shown = {
        CLASSIC.name: made(*[14.0] * 1000),
        SCRAMBLE.name: made(*[14.0, 13.0] * 50),
        SWAP.name: made(*[14.0, 15.0] * 50),
        NEXT.name: made(*[20.0] * 10, *[18.5] * 90),
        MIX.name: made(*[20.0] * 90, *[18.0] * 10),
    }
    rows = list(experiment_rows("heading", as_shown))
    assert len(rows) == 10
    assert [row.verdict("full") for row in rows if row.claim] == ["holds"] * 6
    assert claims_row("so", as_shown).measured.mean == 6
    assert claims_row("so", as_shown).quantity == "so (100 runs)"
    otherwise = {**as_shown, SCRAMBLE.name: made(*[20.0] * 100), NEXT.name: made(*[16.0, 16.5] * 50)}
    row = claims_row("so", otherwise)
    assert row.measured.mean == 4
    assert row.quantity == "so (100 runs: 2 fails)"


def test_questions_are_held_against_a_list_that_is_as_long_as_a_run() -> None:
    """Such a list of the classic codes is whole; of the super ones it has 80, nearly all of which are asked."""
    results = {one.name: made(*[float(one.highest)] * 50, questions=80) for one in EXPERIMENTS}
    rows = [row for row in question_rows("so", results) if row.claim]
    listed = [80 - 80 * 79 / (2 * codes) for codes in (1296, 32768)]
    assert [row.claim for row in rows] == [below(number / 2) for number in listed]
    assert [row.verdict("full") for row in rows] == ["fails", "fails"]


def test_attempts_are_individuals_or_generations() -> None:
    results = {one.name: made(*[float(one.highest)] * 50, questions=16) for one in EXPERIMENTS}
    rows = list(attempt_rows({"so": results}))
    assert [row.measured.mean for row in rows] == [0.0, 1.0, 0.0, 1.0, 16.0, 2.0]
    assert [row.verdict("full") for row in rows] == ["fails", "holds", "fails", "holds", "fails", "holds"]


def test_bounds_are_what_random_codes_and_knuth_come_to(gpkit) -> None:
    asked = 40 * 151
    assert at_random(CLASSIC, asked)[1] == pytest.approx(AT_RANDOM_FOUND, abs=5e-6)
    assert at_random(MIX, asked)[0] == pytest.approx(AT_RANDOM_SUPER, abs=5e-4)
    told = json.loads(gpkit("run", "knuth", "--game", "mastermind", "--exact", "--json").out)
    assert told["results"][0]["mean"] == pytest.approx(KNUTH)


def at_random(experiment: Experiment, asked: int) -> tuple[float, float]:
    """The mean of the best fitness among so many random codes, and the chance of the secret among them, exactly."""
    length, colours = len(experiment.domain), experiment.domain.sizes[0]
    chances = Counter(
        "".join(sorted(map(str, Counter(code).values()))) for code in product(range(colours), repeat=length)
    )
    mean = found = 0.0
    for kind, secrets in chances.items():
        secret = tuple(colour for colour, pegs in enumerate(kind) for _ in range(int(pegs)))
        answers = Counter(feedback(code, secret).number for code in product(range(colours), repeat=length))
        up_to = [
            (sum(count for number, count in answers.items() if number <= most) / experiment.codes) ** asked
            for most in range(experiment.highest + 1)
        ]
        steps = [high - low for low, high in zip([0.0, *up_to], up_to, strict=False)]
        weight = secrets / experiment.codes
        mean += weight * sum(fitness * step for fitness, step in enumerate(steps))
        found += weight * steps[-1]
    return mean, found


def test_random_codes_are_a_run() -> None:
    found = random_trial(CLASSIC, 5)
    assert len(found.best) == 151
    assert list(found.best) == sorted(found.best)
    assert (found.best[-1] == 14.0) == (found.questions < 40 * 151)
    assert found.codes <= found.questions


def test_the_same_seed_gives_the_same_findings() -> None:
    assert PAPER.run("full", 1, SERIAL) == tiny()
    assert quick().rows[4:10] != tiny().rows[4:10], "the five experiments"


def test_every_part_has_its_table() -> None:
    tables = list(dict.fromkeys(row.table for row in tiny().rows))
    for words in (
        "What the source counts",
        "The five experiments, with crossover",
        "The five experiments, without crossover",
        "The text against the figures, super, scramble alone",
        "The text against the figures, super, swap alone",
        "Best fitness at the end, with crossover minus without",
        "Without crossover scramble and swap keep the pegs",
        "Claims on the experiments that hold, by reading",
        "Questions until the secret is found",
        "Share of runs that find the secret within 15 attempts",
        "Attempts in the classic game",
        "Super, gain by scramble and swap",
        "Super, questions by other shares of the mutations",
        "Larger spaces, all mutations",
    ):
        assert any(table.startswith(words) for table in tables), words
    by_reading = [
        row for row in tiny().rows if row.table == "Claims on the experiments that hold, by reading"
    ]
    assert [row.quantity.partition(" (")[0] for row in by_reading] == list(READINGS)


def test_a_quick_budget_counts_no_verdicts() -> None:
    tables, quick_tables = ({row.table for row in found.rows} for found in (tiny(), quick()))
    assert tables - quick_tables == {"Claims on the experiments that hold, by reading"}


def test_every_figure_is_data_and_a_picture() -> None:
    files = tiny().files
    for folder in ("with-crossover", "without-crossover"):
        for figure in range(9, 14):
            runs = 30 if figure == 9 else 3
            rows = list(csv.DictReader(files[f"{folder}/figure-{figure}-{runs}-runs.csv"].splitlines()))
            assert len(rows) == 5
            assert f"{folder}/figure-{figure}-{runs}-runs.svg" in files
    assert {path for path in files if path.startswith("crossover")} == {
        f"crossover-{n}.svg" for n in range(9, 14)
    }
    for path, text in files.items():
        if path.endswith(".svg"):
            ET.fromstring(text)  # noqa: S314 - it is our own text


def test_the_efforts_are_the_sources() -> None:
    assert EFFORTS["quick"].runs == 20
    assert all(effort.generations == 150 for effort in EFFORTS.values())


def test_the_committed_result_is_of_the_settings_in_use_and_says_what_is_claimed() -> None:
    """``experiments/data/paper-mastermind.json``: the text, in which crossover is, contradicts the figures."""
    data = record_of("mastermind")
    assert data["command"] == "gpkit paper mastermind --budget full --seed 30"
    assert data["settings"] == asdict(EFFORTS["full"])
    assert list(dict.fromkeys(row["table"] for row in data["rows"])) == list(
        dict.fromkeys(row.table for row in tiny().rows)
    )
    told = {(row.table, row.quantity): (row.claim, row.published) for row in tiny().rows}
    for row in map(Row.from_json, data["rows"]):
        if row.table.startswith(("The five experiments", "What the source counts")):
            claim, published = told[row.table, row.quantity]
            assert (row.published, row.claim is None) == (published, claim is None)
            if claim is not None and row.claim is not None:
                assert _ends(row.claim) == _ends(claim)
    assert [
        row["quantity"].partition(" (")[0]
        for row in data["rows"]
        if row["table"] == "Claims on the experiments that hold, by reading"
    ] == list(READINGS)
    contradicted = {
        (row["quantity"], row["verdict"])
        for row in data["rows"]
        if row["table"].startswith("The text against the figures")
    }
    assert contradicted == {
        (name, "fails" if name.startswith("with crossover") else "holds") for name in READINGS
    }


def _ends(claim: Claim) -> list[tuple[float, float] | None]:
    return [None if bound is None else (bound.low, bound.high) for bound in (claim.above, claim.below)]
