"""The declaration of Mastermind, with its secrets, its metric, and complete games of code breakers.

Two players take part. The first player breaks codes; the second is the code maker, who only hides a code.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Ints
from gpkit.core.errors import UsageError
from gpkit.gamekit.forms import DemoRun, GameForms, Trial
from gpkit.gamekit.game import Builtin, Deals, Exact, Expected, Metric, Scores, laying_out
from gpkit.gamekit.players import Player, machine_programs
from gpkit.gamekit.state import end_of
from gpkit.games.mastermind import forms
from gpkit.games.mastermind.facts import FACTS
from gpkit.games.mastermind.players import BREAKERS, expected_of
from gpkit.games.mastermind.primitives import OFFERS
from gpkit.games.mastermind.programs import draws, guesses_for, guesses_for_all, refuse_too_many
from gpkit.games.mastermind.rules import MastermindRules, code_of_number, distribution_of, number_of_code
from gpkit.games.mastermind.sensors import SENSORS
from gpkit.games.mastermind.state import MastermindState
from gpkit.user_games.declare import game
from gpkit.vm.keyed import HALF

MAKER = "codemaker"

MAKERS: Mapping[str, str] = MappingProxyType({MAKER: "hides a random code"})


@dataclass(frozen=True, slots=True)
class SecretDeals(Deals):
    """Deals of secrets.

    Attributes:
        secrets: int64 (deals,): the numbers of the secret codes.
    """

    secrets: Ints


def metric_of(rules: MastermindRules) -> Metric:
    """The metric ``guesses``, where a code that is not found counts as one guess more than allowed."""
    return Metric("guesses", 1.0, rules.guesses + 1.0, lower_is_better=True, alone=True)


def deal(rng: np.random.Generator, count: int, rules: MastermindRules) -> SecretDeals:
    """Draw ``count`` secrets; a larger ``count`` appends further secrets to the same ones."""
    drawn = (rng.random((count, 2)) * (rules.codes, HALF)).astype(np.int64)
    return SecretDeals(drawn[:, 1], drawn[:, 0])


def begin(players: Sequence[Player], deals: SecretDeals, rules: MastermindRules) -> MastermindState:
    """The game of the first deal before the first guess."""
    return MastermindState.begin(code_of_number(int(deals.secrets[0]), rules), rules)


def play(players: Sequence[Player], deals: SecretDeals, rules: MastermindRules) -> Scores:
    """The number of guesses of the first player for every secret.

    Raises:
        UsageError: the first player is not a code breaker, the second is not a code maker, or there are too many codes.
    """
    check_players(players, rules)
    guesses = _guesses(players[0], deals, rules)
    return Scores(guesses.astype(np.float64)[:, None], int(np.count_nonzero(guesses > rules.guesses)), 0)


def check_exact(players: Sequence[Player], rules: MastermindRules) -> None:
    """Check that gpkit can compute the exact mean.

    Raises:
        UsageError: a player does not fit its role, the first player draws random numbers, or there are too many codes.
    """
    check_players(players, rules)
    player = players[0]
    if player.strategy:
        BREAKERS[player.name].check_exact(rules)
        return
    (program,) = machine_programs([player])
    if draws(program):
        raise UsageError(
            f"{player.name} draws random numbers, so its exact mean is unknown: leave --exact out"
        )
    refuse_too_many(rules)


def expect(players: Sequence[Player], rules: MastermindRules) -> Expected:
    """The mean number of guesses of the first player over all secrets.

    Raises:
        UsageError: gpkit cannot compute the exact mean (see ``check_exact``).
    """
    check_exact(players, rules)
    if players[0].strategy:
        return BREAKERS[players[0].name].expect(rules)
    (program,) = machine_programs(players[:1])
    return expected_of(distribution_of(guesses_for_all(program, rules), rules))


def _guesses(player: Player, deals: SecretDeals, rules: MastermindRules) -> NDArray[np.int32]:
    """The number of guesses for each of these secrets."""
    if player.strategy:
        each = (deals[k : k + 1] for k in range(len(deals)))
        ends = [end_of(begin([player], one, rules), partial(choose, player, deals=one)) for one in each]
        return np.array([end.returns()[0] for end in ends], dtype=np.int32)
    (program,) = machine_programs([player])
    if not draws(program):
        return guesses_for_all(program, rules)[deals.secrets]
    pairs = zip(deals.secrets.tolist(), deals.keys.tolist(), strict=True)
    return np.array([guesses_for(program, secret, key, rules) for secret, key in pairs], dtype=np.int32)


def choose(player: Player, state: MastermindState, deals: SecretDeals) -> int:
    """The number of the code that a built-in code breaker guesses."""
    return number_of_code(BREAKERS[player.name].guess(state.turns, deals.key(0), state.rules), state.rules)


def check_players(players: Sequence[Player], rules: MastermindRules) -> None:
    """Check that the first player breaks codes and the second player makes them.

    Raises:
        UsageError: a player has the wrong role.
    """
    breaker, maker = players
    if not breaker.decides:
        raise UsageError(f"{breaker.name} only hides a code; name a program or a player that breaks codes")
    if maker.decides:
        raise UsageError(f"{maker.name} breaks codes; name a player that hides them: {', '.join(MAKERS)}")


SUITES = (
    Trial("codemaker", exact=True),
    *(
        Trial("codemaker", options, exact=True, quick=True)
        for options in ({"length": "3"}, {"colours": "5"}, {"repeats": "no"})
    ),
    Trial("codemaker", {"variant": "super"}, exact=True),
)
"""The trials of Mastermind: exact means over all secrets, in the classic game and in other variants."""

GAME = game(
    "mastermind",
    begin,
    sensors=SENSORS,
    facts=FACTS,
    options=MastermindRules,
    metric=metric_of,
    opponents={
        **dict.fromkeys(("knuth", "irving", "entropy", "kooi", "first-consistent"), ""),
        **{name: Builtin(breaker.title, plays=breaker.plays) for name, breaker in BREAKERS.items()},
        **laying_out(MAKERS),
    },
    rivals=(MAKER,),
    offers=OFFERS,
    deal=deal,
    play=play,
    choose=choose,
    check=check_players,
    exact=Exact(check_exact, expect),
    forms=GameForms(
        view=lambda: forms.view.VIEW,
        encoding=lambda: forms.view,
        suites=lambda: SUITES,
        conversation=lambda: forms.talk.MastermindConversation,
        demo=DemoRun("champion", "evolve mastermind --generations 3 --seed 1", "best/champion.tree"),
        recorder=lambda: forms.record.RECORDER,
    ),
)
