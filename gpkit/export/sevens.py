"""Games of Sevens as exports need them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from gpkit.core.primitives import RANDOM
from gpkit.export.statements import sensors_of
from gpkit.export.transcripts import Candidate, Decision, Transcript
from gpkit.games.sevens.cards import CARDS
from gpkit.games.sevens.decisions import choose, random_numbers
from gpkit.games.sevens.options import Rules
from gpkit.games.sevens.rules import Observation, deal
from gpkit.genomes.tree import TreeProgram
from gpkit.languages.arithmetic.interpreter import evaluate
from gpkit.vm.keyed import HALF, keyed_uniform_readable


class SevensRecorder:
    """Plays by the readable rules and the readable interpreter."""

    game = "sevens"
    parts: tuple[str, ...] = ("sevens", "sevens_game")
    keyed = "keyed"

    def rules(self, options: Mapping[str, str]) -> dict[str, int | bool | str]:
        """Every rule by its name.

        Raises:
            UsageError: an unknown option or value.
        """
        return asdict(Rules.from_options(options))

    def most(self, program: TreeProgram, options: Mapping[str, str]) -> int | None:
        """As many games as are asked for."""
        return None

    def tables(self, options: Mapping[str, str]) -> Mapping[str, Sequence[int]]:
        """None: a player computes everything."""
        return {}

    def record(self, program: TreeProgram, options: Mapping[str, str], key: int) -> Transcript:
        """The game of that key, played by the program in every seat.

        Raises:
            UsageError: an unknown option or value.
        """
        deck = keyed_deck(key)
        state = deal(deck, Rules.from_options(options))
        actions: list[int] = []
        decisions: list[Decision] = []
        while not state.is_terminal:
            legal = state.legal_actions()
            if len(legal) == 1:
                card = legal[0]
            else:
                candidates: list[Candidate] = []
                evaluations = _Evaluations(program, state.decision, key, state.actions, candidates)
                card = choose(state, evaluations.utility)
                seen = _plain(state.observation(state.current_player))
                decisions.append(Decision(state.decision, state.actions, seen, tuple(candidates), card))
            actions.append(card)
            state = state.apply(card)
        return Transcript(key, {"deck": deck}, tuple(actions), state.turn, state.returns(), tuple(decisions))


RECORDER = SevensRecorder()


def keyed_deck(key: int) -> list[int]:
    """The deck of a key of 0 … 2^26 − 1: all cards in an order that every exported player can make again."""
    deck = list(range(CARDS))
    for place in range(CARDS, 1, -1):
        other = int(keyed_uniform_readable(key, HALF - 1, place) * place)
        deck[place - 1], deck[other] = deck[other], deck[place - 1]
    return deck


class _Evaluations:
    """The utility of one decision's candidates, which keeps what it evaluated in ``candidates``."""

    def __init__(
        self, program: TreeProgram, section: str, key: int, actions: int, candidates: list[Candidate]
    ) -> None:
        self.tree = program.tree(section)
        self.names = sensors_of(self.tree)
        self.places = self.tree.symbols.count(RANDOM)
        self.key = key
        self.actions = actions
        self.candidates = candidates

    def utility(self, sensors: dict[str, float], card: int) -> float:
        """The value of one candidate."""
        source = random_numbers(self.key, self.actions, card)
        random = tuple(source() for _ in range(self.places))
        value = evaluate(self.tree, sensors, iter(random).__next__)
        self.candidates.append(Candidate(card, {n: sensors[n] for n in self.names}, random, value))
        return value


def _plain(seen: Observation) -> dict[str, Any]:
    """An observation as plain JSON values."""
    return {
        "player": seen.player,
        "hand": list(seen.hand),
        "sizes": list(seen.sizes),
        "low": list(seen.table.low),
        "high": list(seen.table.high),
        "turn": seen.turn,
        "phase": seen.decision,
        "receiver": seen.receiver,
        "finished": list(seen.finished),
        "actions": seen.actions,
    }
