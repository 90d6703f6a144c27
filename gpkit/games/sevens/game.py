"""The declaration of Sevens, with its deals, built-in players, and games in the compiled kernel."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats, Ints
from gpkit.gamekit.forms import DemoRun, GameForms, Trial
from gpkit.gamekit.game import Builtin, Deals, Metric, Scores
from gpkit.gamekit.players import Player, machine_programs
from gpkit.gamekit.state import best_place
from gpkit.games.sevens import forms
from gpkit.games.sevens.cards import CARDS, SEVEN
from gpkit.games.sevens.facts import FACTS
from gpkit.games.sevens.kernel import rules as at
from gpkit.games.sevens.kernel.games import play_deals, search_after
from gpkit.games.sevens.primitives import OFFERS, PRIMITIVES
from gpkit.games.sevens.rules import METRICS, OPTIONS, SevensRules, SevensState, deal
from gpkit.games.sevens.sensors import SENSORS
from gpkit.playing.decisions import Valued
from gpkit.user_games.declare import game
from gpkit.vm.keyed import HALF
from gpkit.vm.program import Program, jumps_of, link, slots_read

BUILTINS: Mapping[str, Builtin] = MappingProxyType(
    {
        "pimc": Builtin("tries each card in random deals that fit everything it has seen", policy="champion"),
        "pimc-certain": Builtin("like pimc, but learns nothing from what others chose", policy="champion"),
        "pimc-blind": Builtin("like pimc, but its random deals ignore what it has seen", policy="champion"),
    }
)

DOUBTS: Mapping[str, int] = MappingProxyType({"pimc": 10, "pimc-certain": at.CERTAIN, "pimc-blind": at.BLIND})
"""The percentage of the other players' choices that each search assumes to be random."""

_SENSORS = len(PRIMITIVES.sensors)


@dataclass(frozen=True, slots=True)
class PackDeals(Deals):
    """Shuffled packs.

    Attributes:
        decks: int64 (deals, 52): the numbers of the cards in the order of dealing.
    """

    decks: Ints


def metric_of(rules: SevensRules) -> Metric:
    """The metric, ``win_share``, ``rank_score`` or ``points``, depending on the option ``end``.

    ``win_share`` and ``rank_score`` range from 0 to 1, and ``points`` from −52 to 52.
    """
    if rules.end == "points":
        return Metric(METRICS[rules.end], -float(CARDS), float(CARDS), total=0.0)
    return Metric(METRICS[rules.end], 0.0, 1.0)


def shuffle(rng: np.random.Generator, count: int, rules: SevensRules) -> PackDeals:
    """``count`` shuffled packs; a larger ``count`` appends further packs to the same ones."""
    keys_and_order = rng.random((count, CARDS + 1))
    decks = np.argsort(keys_and_order[:, :CARDS], axis=1)
    return PackDeals((keys_and_order[:, CARDS] * HALF).astype(np.int64), decks.astype(np.int64))


def begin(players: Sequence[Player], deals: PackDeals, rules: SevensRules) -> SevensState:
    """The first state of the first deal."""
    return deal(deals.decks[0].tolist(), rules)


def play(players: Sequence[Player], deals: PackDeals, rules: SevensRules) -> Scores:
    """Play every deal once with the first player in each seat; the other players follow in order."""
    scores = np.zeros((len(deals.keys), rules.players))
    stalled, invalid, _ = _play(players, deals, rules, scores, log_rows=0)
    return Scores(scores, stalled, invalid)


def log_game(players: Sequence[Player], deals: PackDeals, rules: SevensRules) -> Ints:
    """All actions of a game on the first deal, with each player in the seat of the same number.

    The actions are int64 (actions, LOG_SIZE); ``kernel.rules`` documents the columns.
    """
    _, _, log = _play(players, deals[:1], rules, np.zeros((1, 1)), log_rows=_longest(rules))
    return log


def total_scores(player: Player, state: SevensState, key: int) -> dict[int, float]:
    """The total score of each legal card over the worlds that the player's search samples, sorted by card.

    The state must contain the history of the game since the deal; ``key`` is the key of the deal.
    """
    assert state.dealt, "the course of the game is known"
    rules, scratch = state.rules, _scratch(_longest(state.rules))
    hands = np.zeros(at.MOST_PLAYERS, dtype=np.int64)
    hands[: rules.players] = [sum(1 << card for card in hand) for hand in state.dealt]
    chosen, log = np.array(state.chosen, dtype=np.int64), np.zeros((0, at.LOG_SIZE), dtype=np.int64)
    search_after(hands, chosen, rules_vector(rules), link_players([player]), key, scratch, log)
    assert scratch.totals is not None, "a course has rows"
    return {card: float(scratch.totals[card]) for card in state.legal_actions()}


def choose(player: Player, state: SevensState, deals: PackDeals) -> int | Valued:
    """The card that a search chooses, with the mean scores of all legal cards (no scores if only one card is legal)."""
    legal = state.legal_actions()
    if len(legal) == 1:
        return legal[0]
    scores = {
        card: total / player.worlds for card, total in total_scores(player, state, deals.key(0)).items()
    }
    return Valued(list(scores)[best_place(list(scores.values()))], scores, "mean score")


def _longest(rules: SevensRules) -> int:
    """The maximum number of actions in a game, assuming one extra turn after each card."""
    return (rules.laps * rules.players + CARDS) * (rules.players + 1)


_Tree = tuple[Ints, Ints]

_NO_TREE: _Tree = (np.zeros((0, at.NODE_SIZE), dtype=np.int64), np.zeros(1, dtype=np.int64))

NODES = 16_384
"""The maximum number of nodes in a tree of games, at 5 MB in total; further positions are played without the tree."""

MOST_ROOTS = NODES // 16
"""The maximum number of games for which a tree is used."""


@lru_cache(maxsize=4)
def _trees(rules: SevensRules, others: "_Agents", deals: bytes, roots: int) -> list[_Tree]:
    """The unused trees for games on these deals against these opponents; the first game adds a tree."""
    return []


def _scratch(rows: int, tree: _Tree | None = None) -> at.GameScratch:
    """Scratch arrays for a game, where ``rows`` is the maximum length of the course if a player searches."""
    return at.GameScratch(
        np.zeros((4, at.STATE_SIZE), dtype=np.int64),
        np.zeros((2, at.MOST_PLAYERS), dtype=np.int64),
        np.zeros(CARDS) if rows else None,
        np.zeros((rows, at.COURSE_SIZE), dtype=np.int64),
        np.zeros(rows, dtype=np.int64),
        np.zeros((at.MOST_SWAPS, 4), dtype=np.int64),
        *(_NO_TREE if tree is None else tree),
    )


def _play(
    players: Sequence[Player],
    deals: PackDeals,
    rules: SevensRules,
    scores: Floats,
    *,
    log_rows: int,
) -> tuple[int, int, Ints]:
    """Run the kernel; returns the numbers of stalled and invalid games, and the log of the last game."""
    assert len(players) == rules.players, "one player for each seat"
    searches = any(player.worlds for player in players)
    is_kept = not searches and not log_rows and scores.size <= MOST_ROOTS
    spare: list[_Tree] = []
    if is_kept:
        spare = _trees(rules, _agents(players[1:]), deals.keys.tobytes() + deals.decks.tobytes(), scores.size)
    try:
        tree = spare.pop()
    except IndexError:  # the first game on these deals, or another thread uses it
        tree = None
    scratch = _scratch(_longest(rules) if searches else 0, tree)
    log = np.full((log_rows, at.LOG_SIZE), -1, dtype=np.int64)
    stalled, invalid = play_deals(
        deals.decks, deals.keys, rules_vector(rules), link_players(players), scratch, log, scores
    )
    if is_kept:
        if tree is None:  # room for a tree of games, none of which has been played
            nodes = np.empty((NODES, at.NODE_SIZE), dtype=np.int64)
            nodes[: scores.size, at.FAILED] = at.UNKNOWN
            tree = nodes, np.array([scores.size], dtype=np.int64)
        spare.append(tree)
    return int(stalled), int(invalid), log[: scratch.states[0, at.ACTIONS]]


@lru_cache(maxsize=64)
def rules_vector(rules: SevensRules) -> Ints:
    """The rules in the kernel's format, in the order of the options: int64 (RULES_SIZE,)."""
    given = ((each, getattr(rules, each.name)) for each in OPTIONS)
    vector = [each.choices.index(value) if isinstance(value, str) else int(value) for each, value in given]
    vector[at.SEVEN] = SEVEN - rules.pack.lowest
    return np.array(vector, dtype=np.int64)


def link_players(players: Sequence[Player]) -> tuple[Ints, NDArray[np.uint32], Floats]:
    """The players in the kernel's format, each with separate memory.

    The first player and the others are linked separately, and the results are cached, because opponents are often the
    same.

    Returns:
        int64 (players, AGENT_SIZE), uint32 (rows, 5) and float64 (2 · players, slots): see ``play_game`` in the kernel.
    """
    agent, first, own, _ = _linked(_agents(players[:1]))
    if len(players) == 1:
        return agent.copy(), first, own.copy()
    others, rest, theirs, jumps = _linked(_agents(players[1:]))
    agents, code = np.concatenate((agent, others)), np.concatenate((first, rest))
    agents[1:, _ENTRIES] += len(first)
    code[len(first) + jumps, 1] += np.uint32(len(first))
    memory = np.zeros((len(own) + len(theirs), max(own.shape[1], theirs.shape[1])))
    memory[: len(own), : own.shape[1]] = own
    memory[len(own) :, : theirs.shape[1]] = theirs
    return agents, code, memory


_ENTRIES = [section * at.PROGRAM_SIZE + at.ENTRY for section in range(len(PRIMITIVES.sections))]


_Agents = tuple[tuple[tuple[Program, ...], int, int], ...]


def _agents(players: Sequence[Player]) -> _Agents:
    """The programs, the number of sampled worlds, and the doubt of each player."""
    return tuple(
        (tuple(machine_programs([each])), each.worlds, DOUBTS[each.strategy] if each.worlds else 0)
        for each in players
    )


@lru_cache(maxsize=4096)
def _linked(agents: _Agents) -> tuple[Ints, NDArray[np.uint32], Floats, NDArray[np.intp]]:
    """The linked code of a group of players, which must not be modified, and the rows with jumps."""
    programs = [program for own, _, _ in agents for program in own]
    code, memory, entries = link(programs)
    columns = np.zeros((len(programs), at.PROGRAM_SIZE), dtype=np.int64)
    columns[:, at.ENTRY] = entries
    columns[:, at.RESULT] = [program.result for program in programs]
    columns[:, at.RANDOMS] = [len(program.inputs) - _SENSORS for program in programs]
    columns[:, at.USED] = [
        sum(1 << slot for slot in slots_read(program) if slot < _SENSORS) for program in programs
    ]
    table = np.zeros((len(agents), at.AGENT_SIZE), dtype=np.int64)
    table[:, : len(PRIMITIVES.sections) * at.PROGRAM_SIZE] = columns.reshape(len(agents), -1)
    table[:, at.WORLDS] = [worlds for _, worlds, _ in agents]
    table[:, at.DOUBT] = [doubt for _, _, doubt in agents]
    starts = dict(zip(entries, programs, strict=True))
    return table, code, memory, np.concatenate([entry + jumps_of(starts[entry]) for entry in sorted(starts)])


SUITES = (
    Trial("random", games=20_000),
    Trial("simple", games=20_000),
    *(Trial("simple", {"players": players}, games=20_000, quick=True) for players in ("2", "4", "5")),
    Trial("pimc:100", games=300),
)
"""The trials of Sevens: fresh deals against the default opponents, against a search, and with other numbers of
players."""

GAME = game(
    "sevens",
    begin,
    sensors=SENSORS,
    facts=FACTS,
    options=SevensRules,
    metric=metric_of,
    opponents={
        **dict.fromkeys(("random", "simple", "far-first", "own-minus-others", "hold"), ""),
        **BUILTINS,
    },
    rivals=("random", "simple"),
    offers=OFFERS,
    deal=shuffle,
    play=play,
    choose=choose,
    forms=GameForms(
        view=lambda: forms.view.VIEW,
        encoding=lambda: forms.view,
        suites=lambda: SUITES,
        conversation=lambda: forms.talk.SevensConversation,
        demo=DemoRun("champion", "evolve sevens --generations 6 --seed 1", "best/champion.tree"),
        short_demo=DemoRun(  # about this game because its kernels compile fastest
            "own-minus-others",
            "evolve article --generations 6 --seed 7",
            "best/champion.tree",
            trace="--deal 9 --until 'mine and candidates > 1'",
            compared=("own-minus-others",),
        ),
        recorder=lambda: forms.record.RECORDER,
    ),
)
