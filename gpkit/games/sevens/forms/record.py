"""Games of Sevens as exports need them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gpkit.export.transcripts import Recorder
from gpkit.games.sevens.cards import CARDS
from gpkit.games.sevens.options import Rules
from gpkit.games.sevens.rules import State, deal
from gpkit.vm.keyed import HALF, keyed_uniform_readable


class SevensRecorder(Recorder):
    """Plays by the readable rules and the readable interpreter."""

    game = "sevens"
    keyed = "keyed"
    folders = (Path(__file__).parents[1] / "lua",)

    def begin(self, options: Mapping[str, str], key: int) -> tuple[State, dict[str, Any]]:
        """The pack of a key dealt."""
        deck = keyed_deck(key)
        return deal(deck, Rules.from_options(options)), {"deck": deck}

    def seen(self, state: State) -> dict[str, Any]:
        """The observation of who is to choose."""
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

    def count(self, state: State) -> int:
        """Cards played and sent, and passes."""
        return state.actions

    def turns(self, end: State) -> int:
        """The turns of the game."""
        return end.turn


RECORDER = SevensRecorder()


def keyed_deck(key: int) -> list[int]:
    """The deck of a key of 0 … 2^26 − 1: all cards in an order that every exported player can make again."""
    deck = list(range(CARDS))
    for place in range(CARDS, 1, -1):
        other = int(keyed_uniform_readable(key, HALF - 1, place) * place)
        deck[place - 1], deck[other] = deck[other], deck[place - 1]
    return deck
