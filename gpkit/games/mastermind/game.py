"""Mastermind at the seam of games: rules from options, secrets, and whole games of code breakers.

Two agents take part. The first breaks codes; the second is the code maker, who only hides one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from gpkit.core.errors import UsageError
from gpkit.games.game import Agent, Builtin, Expected, Metric, Scores, machine_programs
from gpkit.games.mastermind.chance import expected_mean, guess_by_chance
from gpkit.games.mastermind.codes import Code, code_of_number
from gpkit.games.mastermind.options import OPTIONS, Rules
from gpkit.games.mastermind.primitives import PRIMITIVES
from gpkit.games.mastermind.programs import draws, guesses_for, guesses_for_all
from gpkit.games.mastermind.rules import State, Turn
from gpkit.vm.keyed import HALF

MAKER = "codemaker"

MAKERS: Mapping[str, str] = MappingProxyType({MAKER: "hides any code, all equally likely"})
"""Who hides codes."""


@dataclass(frozen=True, slots=True)
class Deals:
    """Secrets.

    Attributes:
        secrets: int64 (deals,): numbers of codes.
        keys: int64 (deals,): the key of each game's random numbers, of at least 0 and below 2^26.
    """

    secrets: NDArray[np.int64]
    keys: NDArray[np.int64]

    def __len__(self) -> int:
        """The number of deals."""
        return len(self.secrets)

    def __getitem__(self, part: slice) -> "Deals":
        """Some of the deals."""
        return Deals(self.secrets[part], self.keys[part])


@dataclass(frozen=True, slots=True)
class Breaker:
    """A code breaker that no program says.

    Attributes:
        title: what it does in a few words.
        guess: what it guesses after these turns, in the game of a key, which is at least 0 and below 2^26.
        exact: what it reaches over all secrets.
    """

    title: str
    guess: Callable[[tuple[Turn, ...], int, Rules], Code]
    exact: Callable[[Rules], Expected]


BREAKERS: Mapping[str, Breaker] = MappingProxyType(
    {
        "consistent-random": Breaker(
            "guesses any code that can be the secret, all equally likely",
            guess_by_chance,
            lambda rules: Expected((expected_mean(rules),)),
        )
    }
)
"""The code breakers that are no programs."""

BUILTINS: Mapping[str, Builtin] = MappingProxyType(
    {name: Builtin(breaker.title) for name, breaker in BREAKERS.items()}
)


@dataclass(frozen=True, slots=True)
class Mastermind:
    """The game as matches, evolution and the command line see it (``gpkit.games.game.Game`` and ``Countable``)."""

    name = "mastermind"
    primitives = PRIMITIVES
    options = OPTIONS
    opponents = ("knuth", "irving", "entropy", "kooi", "first-consistent")
    builtins = BUILTINS
    placements = MAKERS

    def make_rules(self, options: Mapping[str, str]) -> Rules:
        """The rules with these options set.

        Raises:
            UsageError: an unknown option or value.
        """
        return Rules.from_options(options)

    def players(self, rules: Rules) -> int:
        """Two: who breaks codes, and who makes them."""
        return 2

    def seatings(self, rules: Rules) -> int:
        """One: the agents do not change places."""
        return 1

    def rivals(self, rules: Rules) -> tuple[str, ...]:
        """The code maker."""
        return (MAKER,)

    def metric(self, rules: Rules) -> Metric:
        """``guesses``, one more than are allowed if the code is not found."""
        return Metric("guesses", 1.0, rules.guesses + 1.0, lower_is_better=True)

    def deal(self, rng: np.random.Generator, count: int, rules: Rules) -> Deals:
        """``count`` secrets; the first of them are the same for any larger count."""
        drawn = (rng.random((count, 2)) * (rules.codes, HALF)).astype(np.int64)
        return Deals(drawn[:, 0], drawn[:, 1])

    def play(self, agents: Sequence[Agent], deals: Deals, rules: Rules) -> Scores:
        """The guesses of the first agent for every secret.

        Raises:
            UsageError: the first agent breaks no codes, the second makes none, or there are too many codes.
        """
        check_agents(agents)
        guesses = _guesses(agents[0], deals, rules)
        lost = int(np.count_nonzero(guesses > rules.guesses))
        return Scores(guesses.astype(np.float64)[:, None], lost, 0)

    def expect(self, agents: Sequence[Agent], rules: Rules) -> Expected:
        """The mean guesses of the first agent over all secrets.

        Raises:
            UsageError: as for ``play``; the agent is a program that draws random numbers; or there are too many codes.
        """
        check_agents(agents)
        agent = agents[0]
        if agent.builtin:
            return BREAKERS[agent.builtin].exact(rules)
        (program,) = machine_programs([agent])
        if draws(program):
            raise UsageError(
                f"{agent.name} draws random numbers, so no exact mean is known: leave --exact out"
            )
        return exact_of_guesses(guesses_for_all(program, rules), rules)


def exact_of_guesses(guesses: NDArray[np.int32], rules: Rules) -> Expected:
    """The exact result of the guesses for every secret, int32 (codes,)."""
    counts = np.bincount(guesses, minlength=rules.guesses + 2).tolist()
    found, lost = counts[1 : rules.guesses + 1], counts[rules.guesses + 1]
    most = max((number for number, count in enumerate(found, start=1) if count), default=0)
    details = {"secrets": rules.codes, "most": most, "lost": lost, "distribution": found[:most]}
    return Expected((int(guesses.sum()) / rules.codes,), details)


def _guesses(agent: Agent, deals: Deals, rules: Rules) -> NDArray[np.int32]:
    """The guesses for each of these secrets."""
    pairs = zip(deals.secrets.tolist(), deals.keys.tolist(), strict=True)
    if agent.builtin:
        guess = BREAKERS[agent.builtin].guess
        return np.array([_play_out(guess, secret, key, rules) for secret, key in pairs], dtype=np.int32)
    (program,) = machine_programs([agent])
    if not draws(program):
        return guesses_for_all(program, rules)[deals.secrets]
    return np.array([guesses_for(program, secret, key, rules) for secret, key in pairs], dtype=np.int32)


def _play_out(
    guess: Callable[[tuple[Turn, ...], int, Rules], Code], secret: int, key: int, rules: Rules
) -> float:
    """The guesses that a breaker takes for one secret."""
    state = State.begin(code_of_number(secret, rules), rules)
    while not state.is_terminal:
        state = state.guess(guess(state.turns, key, rules))
    return state.returns()[0]


def check_agents(agents: Sequence[Agent]) -> None:
    """Check that the first agent breaks codes and the second one makes them.

    Raises:
        UsageError: it does not.
    """
    breaker, maker = agents
    if not breaker.programs and not breaker.builtin:
        raise UsageError(f"{breaker.name} only hides a code; name a program or a player that breaks codes")
    if maker.programs or maker.builtin:
        raise UsageError(f"{maker.name} breaks codes; name who hides them: {', '.join(MAKERS)}")


GAME = Mastermind()
