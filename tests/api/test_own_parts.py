"""Parts of one's own by argument: used, stored by name and SHA-256, asked for at resume, blamed for their faults."""

import contextlib
import pickle
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gpkit
from gpkit.core.errors import GpkitError, GuestError, UsageError
from gpkit.core.registry import data_folder
from gpkit.evolution import parts
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.run_folder import read_run

TIC_TAC_TOE = data_folder("programs") / "games" / "tic_tac_toe.py"
SMALL = {"population": {"size": 12}, "refinement": {"finish": False}}
GAMES = {**SMALL, "fitness": {"deals": 2, "validation_deals": 4}}
Rng = np.random.Generator


def count(program: gpkit.Program) -> float:
    """The nearer the value of 1 to 10, the better."""
    return -abs(float(program(x=1.0)) - 10.0)


PROBLEM = gpkit.problem(count, sensors={"x": (0, 2)}, operators="+ *", settings=SMALL)


def damp(rng: Rng, program: gpkit.Program) -> str:
    """A multiple of a program."""
    return f"({program}) * {rng.uniform(0.5, 1.5):.3f}"


def mean(rng: Rng, program: gpkit.Program, donor: gpkit.Program) -> gpkit.Program:
    """The mean of two programs."""
    return gpkit.parse(f"({program} + {donor}) * 0.5")


def second(rng: Rng, population: Sequence[gpkit.Individual[Any]]) -> int:
    """Always the second best."""
    return 1


class Best:
    """Selects one of the best."""

    def prepare(self, population: Sequence[gpkit.Individual[Any]]) -> Callable[[Rng], int]:
        """The draw."""
        return lambda rng: int(rng.integers(len(population) // 2))


class Renewed(gpkit.Scheme):
    """Every child is a mutant of the best."""

    def __init__(self, table: Any, shares: Any, selector: gpkit.Selector) -> None:
        self.shares = shares

    def prepare(self, population: Sequence[Any], size: int, parents: Callable[[str], int]) -> Any:
        """The mating."""
        return lambda rng, index: (self.shares[0][0], [0] * parents(self.shares[0][0]))


class Torn(Renewed):
    """Loses its population."""

    def survivors(self, individuals: Sequence[Any], size: int) -> Any:
        """Nobody."""
        return individuals[: size // 0]


def small(individual: gpkit.Individual[Any]) -> float:
    """The smaller, the better."""
    return -float(individual.size)


PARETO = {"scheme": "plus", "selection": "pareto", "settings": {"scheme": {"order": "pareto"}}}
"""Several objectives are weighed."""


def twice(rng: Rng, index: int, *, space: Any) -> str:
    """A random program, doubled."""
    return f"2 * ({space.print(space.create(rng, index)).strip()})"


def evolved(generations: int = 3, what: Any = PROBLEM, **more: Any) -> tuple[gpkit.Program, gpkit.Run]:
    """A small run."""
    return gpkit.evolve(what, seed=3, generations=generations, **more)


def operators_of(folder: Path) -> set[str]:
    """The operators in the genealogy of a run."""
    from gpkit.evolution.run_folder import open_genealogy

    with open_genealogy(folder / "run.db", reading=True) as connection:
        return {name for (name,) in connection.execute("select distinct operator from individuals")}


def test_operators_go_to_the_workers_of_islands(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[object] = []

    class Far(SerialExecutor):
        """An executor that sends what it runs, as a pool of processes does."""

        def run(self, function: Any, items: Sequence[Any], seconds: Sequence[float]) -> list[Any]:
            sent.append(function)
            function, items = pickle.loads(pickle.dumps((function, list(items))))  # noqa: S301
            return super().run(function, items, seconds)

    here = evolved(operators={"damp": (damp, 0.5)}, settings={"islands": {"count": 2}})[1]
    monkeypatch.setattr("gpkit.evolution.loop.executor_for", lambda workers: contextlib.nullcontext(Far()))
    there = evolved(operators={"damp": (damp, 0.5)}, settings={"islands": {"count": 2}})[1]
    assert sent
    assert there.digest == here.digest


def test_operators_make_children_of_programs_and_texts(tmp_path: Path) -> None:
    graft = gpkit.Operator(1, lambda space, rng, parents: gpkit.Child(parents[0], (("value", 0),)))
    own = {"damp": (damp, 0.5), "mean": (mean, 0.3), "graft": (graft, 0.2)}
    _, run = evolved(operators=own, folder=tmp_path / "run")
    assert {"damp", "mean"} <= operators_of(tmp_path / "run")
    assert run.config.operators["damp"] == 0.5
    versions = read_run(tmp_path / "run")[0].versions
    assert len(versions["own operator damp"]) == 64
    with pytest.raises(
        UsageError,
        match=r"no operator `damp`.*operators=\{\"damp\": \(function, share\)\}\), registered by its file, gpkit.reg",
    ):
        gpkit.evolve(PROBLEM, generations=4, folder=tmp_path / "run", resume=True)
    with pytest.raises(UsageError, match="the code of the operator `damp` has changed since the run started"):
        changed = {**own, "damp": (lambda rng, program: f"{program}", 0.5)}
        gpkit.evolve(PROBLEM, generations=4, folder=tmp_path / "run", resume=True, operators=changed)
    whole = evolved(4, operators=own)[1]
    again = gpkit.evolve(PROBLEM, generations=4, folder=tmp_path / "run", resume=True, operators=own)[1]
    assert again.digest == whole.digest


def test_games_take_them_too() -> None:
    same = {"copy": (lambda rng, program: program, 5.0)}
    _, run = evolved(1, TIC_TAC_TOE, settings=GAMES, operators=same, selection=second)
    assert run.config.selection.name == "second"


@pytest.mark.parametrize(
    ("own", "reason"),
    [
        ({"selection": Best()}, "3 generations"),
        ({"selection": second}, "3 generations"),
        ({"selection": "roulette"}, "3 generations"),
        ({"scheme": Renewed}, "3 generations"),
        ({"initialiser": twice}, "3 generations"),
        ({"stop": lambda state: "enough" if state.evaluations >= 24 else None}, "enough"),
        ({"callbacks": [lambda summary, champion: summary.generation < 2]}, "the callback lambda"),
        ({"objectives": ["score", small], **PARETO}, "3 generations"),
    ],
)
def test_every_kind_of_part(own: dict[str, Any], reason: str) -> None:
    first, second = evolved(**own)[1], evolved(**own)[1]
    assert first.digest == second.digest
    assert first.reason == reason
    shipped = own.keys() & {"stop", "callbacks"} or own == {"selection": "roulette"}
    assert (first.digest != evolved()[1].digest) or shipped


def raises(rng: Rng, program: gpkit.Program) -> str:
    """Nothing."""
    raise ZeroDivisionError("oh")


def loops(rng: Rng, program: gpkit.Program) -> str:
    """Never."""
    while True:
        pass


def assigns(rng: Rng, program: gpkit.Program) -> gpkit.Program:
    """Its parent, with another header."""
    program.named.source.program.trees[0].symbols[0] = "x"  # type: ignore[index]
    return program


def mutates(rng: Rng, program: gpkit.Program) -> gpkit.Program:
    """Its parent, changed."""
    object.__setattr__(program.named.source.program, "trees", gpkit.parse("x + 7").named.source.program.trees)
    return program


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A run of one generation, and the digest of the same run after two."""
    folder = tmp_path_factory.mktemp("begun") / "run"
    evolved(1, folder=folder)
    return folder, evolved(2)[1].digest


@pytest.mark.parametrize(
    ("own", "words"),
    [
        (
            {"operators": {"m": (lambda rng, p: 3, 9)}},
            r"operator `m` returned 3 \(int\), which is not a program",
        ),
        ({"operators": {"m": (lambda rng, p: None, 9)}}, r"returned None \(NoneType\)"),
        ({"operators": {"m": (lambda rng, p: "x +", 9)}}, "returned x +|returned 'x \\+'"),
        ({"operators": {"m": (lambda rng, p: "y", 9)}}, "a program reads `y`"),
        (
            {"operators": {"m": (raises, 9)}},
            r"operator `m`: .*test_own_parts.py, line \d+, in raises: ZeroDiv",
        ),
        ({"operators": {"m": (loops, 9)}}, "operator `m` did not return within"),
        ({"operators": {"m": (mutates, 9)}}, "operator `m` changed its parent"),
        ({"operators": {"m": (assigns, 9)}}, "operator `m`: .* in assigns: .*; .* are values: return a new"),
        ({"operators": {"m": (lambda rng: "x", 9)}}, "takes 0 programs"),
        ({"operators": {"m": damp}}, r"such as \(mutate, 0.3\)"),
        ({"operators": {"m": 0.5}}, "there is no operator `m`"),
        ({"selection": lambda rng, population: 99}, "selector `lambda` returned 99 for a population of 12"),
        ({"selection": lambda rng, population: None}, "returned None for a population"),
        ({"selection": lambda rng, population: population[0].nothing}, "AttributeError"),
        ({"selection": "tournamet"}, "no selector `tournamet`; did you mean `tournament`"),
        ({"selection": 3}, "expected a function"),
        ({"scheme": lambda table, shares, selector: 3}, "returned 3, which has no prepare"),
        ({"scheme": Torn}, r"scheme `Torn`: .*test_own_parts.py, line \d+, in survivors: ZeroDivisionError"),
        ({"initialiser": lambda rng, index: "z"}, "the initialiser returned"),
        ({"stop": lambda state: state.nothing}, "stopping rule `lambda`: .*AttributeError"),
        (
            {"objectives": [lambda individual: "x"], **PARETO},
            r"objective `lambda` returned 'x' \(str\); expected a number",
        ),
        ({"callbacks": [lambda summary, champion: 1 / 0]}, "callback `lambda`: .*ZeroDivisionError"),
        ({"selektion": second}, "no argument `selektion`; did you mean `selection`"),
    ],
)
def test_what_parts_do_wrong_is_told(
    own: Any, words: str, begun: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "SECONDS", 0.3)
    folder, digest = begun
    shutil.copytree(folder, tmp_path / "run")
    with pytest.raises((GuestError, UsageError), match=words):
        evolved(2, **own)
    resumed = gpkit.evolve(PROBLEM, generations=2, folder=tmp_path / "run", resume=True)[1]
    assert resumed.digest == digest


SHIPPED = [
    ("operator", "subtree", "arithmetic"),
    ("selector", "double-tournament", ""),
    ("scheme", "generational", ""),
    ("stop", "generations", ""),
    ("initialiser", "random", ""),
]


@pytest.fixture(params=SHIPPED, ids=lambda each: each[0])
def removed(request: pytest.FixtureRequest) -> Iterator[tuple[str, str, str, Any]]:
    """A shipped part that is removed, and there again afterwards."""
    kind, name, language = request.param
    whole = evolved()[1].digest
    value = gpkit.unregister(kind, name, language=language)
    yield kind, name, language, (value, whole)
    if name not in gpkit.registered(kind, language=language):
        gpkit.register(kind, name, value, language=language)


def test_a_shipped_part_comes_by_the_same_door(removed: tuple[str, str, str, Any]) -> None:
    kind, name, language, (value, whole) = removed
    with pytest.raises(GpkitError, match=f"no {kind} `{name}`"):
        evolved()
    gpkit.register(kind, name, value, language=language)
    again = evolved()[1].digest
    with pytest.raises(UsageError, match=f"there is an? {kind} `{name}` already"):
        gpkit.register(kind, name, value, language=language)
    assert again == whole


def test_the_same_source_is_registered_again() -> None:
    def first(rng: Any, population: Any) -> int:
        return 0

    def last(rng: Any, population: Any) -> int:
        return len(population) - 1

    gpkit.register("selector", "mine", first)
    try:
        gpkit.register("selector", "mine", first)
        with pytest.raises(UsageError, match="there is a selector `mine` already"):
            gpkit.register("selector", "mine", last)
    finally:
        assert gpkit.unregister("selector", "mine") is first


def test_kinds_and_parts_have_names() -> None:
    with pytest.raises(UsageError, match="did you mean `operator`"):
        gpkit.register("operators", "x", damp)
    with pytest.raises(UsageError, match="there is no selector `best`"):
        gpkit.unregister("selector", "best")


def test_fits_take_registered_ones_and_refuse_unknown_ones(tmp_path: Path) -> None:
    seen: list[Any] = []

    def kept(rng: Rng, program: gpkit.Program) -> gpkit.Program:
        seen.append(program)
        return program

    def first(rng: Rng, index: int, space: Any) -> Any:
        seen.append(index)
        return space.create(rng, index)

    gpkit.register("operator", "kept", kept)
    gpkit.register("initialiser", "counted", first)
    table = {"x": np.linspace(-1.0, 1.0, 40), "y": np.linspace(-1.0, 1.0, 40) ** 2}
    settings = {"operators": {"kept": 0.5, "crossover": 0.5}, "population": {"initialiser": "counted"}}
    try:
        gpkit.fit(table, "y", generations=1, population=30, settings=settings, folder=tmp_path / "run")
    finally:
        assert gpkit.unregister("operator", "kept") is kept
        assert gpkit.unregister("initialiser", "counted") is first
    assert seen[:30] == list(range(30))
    assert {type(each) for each in seen[30:]} == {gpkit.Program}
    with pytest.raises(
        UsageError, match=r"no operator `kept`.* registered in Python before gpkit\.fit, gpkit\.reg"
    ):
        gpkit.fit(folder=tmp_path / "run", resume=True, generations=2)
    by_name = (
        "one of your own is registered in Python before gpkit.fit, "
        'gpkit.register("initialiser", "nope", function), or installed (gpkit.initialisers)'
    )
    for other, told in (
        (
            {"population": {"initialiser": "nope"}},
            "there is no initialiser `nope`; there are: random; " + by_name,
        ),
        (
            {"stop": {"callbacks": ["nope"]}},
            "there is no callback `nope`; one of your own is registered in Python",
        ),
        ({"operators": {"croosover": 1.0}}, "did you mean `crossover`?"),
        ({"front": {"choose": "description-lenght"}}, "did you mean `description-length`?"),
    ):
        with pytest.raises(UsageError, match=re.escape(told)):
            gpkit.fit(table, "y", generations=1, population=30, settings=other)
