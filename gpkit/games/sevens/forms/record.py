"""A recorder of Sevens games, which serve to check exported programs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gpkit.export.conformance import Recorder
from gpkit.games.sevens.cards import CARDS
from gpkit.games.sevens.rules import SevensRules, SevensState, deal
from gpkit.vm.keyed import HALF, keyed_uniform_readable


class SevensRecorder(Recorder):
    """A recorder that plays games with the readable rules and the readable interpreter."""

    game = "sevens"
    keyed = "keyed"
    folders = (Path(__file__).parents[1] / "lua",)

    def begin(self, options: Mapping[str, str], key: int) -> tuple[SevensState, dict[str, Any]]:
        """The first state for a key, and the deck that was dealt."""
        deck = keyed_deck(key)
        return deal(deck, SevensRules.from_options(options)), {"deck": deck}

    def seen(self, state: SevensState) -> dict[str, Any]:
        """The observation of the player to move."""
        seen = state.observation(state.current_player)
        return {
            "player": seen.player,
            "hand": list(seen.hand),
            "sizes": list(seen.sizes),
            "low": list(seen.tableau.low),
            "high": list(seen.tableau.high),
            "turn": seen.turn,
            "phase": seen.decision,
            "receiver": seen.receiver,
            "finished": list(seen.finished),
            "actions": seen.actions,
        }

    def count(self, state: SevensState) -> int:
        """The total number of cards played, cards sent, and passes."""
        return state.actions

    def turns(self, end: SevensState) -> int:
        """The number of turns in the game."""
        return end.turn


RECORDER: Recorder = SevensRecorder()


def keyed_deck(key: int) -> list[int]:
    """The deck for a key from 0 to 2^26 − 1, which exported players can reproduce."""
    deck = list(range(CARDS))
    for place in range(CARDS, 1, -1):
        other = int(keyed_uniform_readable(key, HALF - 1, place) * place)
        deck[place - 1], deck[other] = deck[other], deck[place - 1]
    return deck
