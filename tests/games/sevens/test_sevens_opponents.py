"""The named opponents: program files that say what their description says."""

from collections.abc import Callable
from pathlib import Path

import pytest
from sevens_strategies import random_numbers

from gpkit.core.registry import data_folder, shipped_programs
from gpkit.core.rng import stream
from gpkit.games.sevens.cards import CARDS
from gpkit.games.sevens.game import GAME
from gpkit.games.sevens.primitives import PRIMITIVES
from gpkit.games.sevens.rules import SevensRules, SevensState, deal
from gpkit.langkit.formulas import evaluate
from gpkit.languages.arithmetic.text import format_source, parse
from gpkit_experiments.readable.sevens import choose, play

PROGRAMS = sorted((data_folder("programs") / "sevens").rglob("*.tree"))

Described = Callable[[dict[str, float], float], float]


def held(env: dict[str, float], _: float) -> float:
    """The lowest rank first, but a six or an eight of a suit with three own cards last."""
    return -env["env.rank"] - (100.0 if env["env.rank"] in (6, 8) and env["env.suit"] >= 3 else 0.0)


DESCRIBED: dict[str, tuple[Described, Described]] = {
    "random": (lambda env, u: u, lambda env, u: u),
    "simple": (lambda env, u: env["env.depth"] + env["env.selfblock"], lambda env, u: env["env.dist"]),
    "far-first": (lambda env, u: env["env.depth"], lambda env, u: env["env.dist"]),
    "own-minus-others": (
        lambda env, u: env["env.selfblock"] - env["env.block"],
        lambda env, u: env["env.dist"],
    ),
    "hold": (held, lambda env, u: env["env.dist"]),
}
"""What each opponent goes by in play and in sending, in Python: of the sensors and a random number."""


def test_there_is_a_file_for_every_opponent() -> None:
    assert set(DESCRIBED) == set(GAME.programs)
    assert set(GAME.programs) <= set(shipped_programs(GAME.name))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_the_file_is_well_kept(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    source = parse(text, path.name)
    assert source.header["game"] == "sevens"
    assert source.header["title"]
    assert source.header["source"]
    assert source.program.names == PRIMITIVES.sections
    assert format_source(parse(text, path.name)) == text


@pytest.mark.parametrize("name", DESCRIBED)
@pytest.mark.parametrize(
    "options", [{}, {"players": "5", "ace_high": "yes"}, {"gates": "yes", "sender": "all"}]
)
def test_it_chooses_as_described(name: str, options: dict[str, str]) -> None:
    program = parse(shipped_programs(GAME.name)[name].read_text(encoding="utf-8")).program
    rules = SevensRules.from_options(options)

    def by_program(state: SevensState) -> int:
        tree = program.parts[state.decision]
        return choose(state, lambda env, card: evaluate(tree, env, random_numbers(7, state.actions, card)))

    def as_described(state: SevensState) -> int:
        wish = DESCRIBED[name][PRIMITIVES.sections.index(state.decision)]
        return choose(state, lambda env, card: wish(env, random_numbers(7, state.actions, card)()))

    for seed in range(5):
        dealt = deal(stream(seed, "opponents").permutation(CARDS).tolist(), rules)
        states = [state for state in play(dealt, by_program) if not state.is_terminal]
        assert [by_program(state) for state in states] == [as_described(state) for state in states]
