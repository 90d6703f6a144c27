"""Persons sit down: the conversation of a game, with who plays and who advises."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol, runtime_checkable

from gpkit.core.errors import UsageError
from gpkit.core.forms import form_of_game
from gpkit.core.wording import YOU
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.gamekit.view import view_of
from gpkit.playing.conversation import Conversation
from gpkit.playing.players import names_at_table


@runtime_checkable
class Talking(Protocol):
    """Conversations of a game with persons, by their class: ``forms.talk`` beside a game that has its own."""

    @property
    def CONVERSATION(self) -> type[Conversation]: ...  # noqa: N802


def sit_down(game: Game, options: Mapping[str, str], opponents: Sequence[Player], seat: int) -> Conversation:
    """The conversation of a person in a seat, whom the opponents follow.

    Raises:
        UsageError: they cannot play by these rules.
    """
    own = form_of_game(Talking, "talk", game.name)
    kind = Conversation if own is None else own.CONVERSATION
    names = [f"{name} (program)" if name == YOU else name for name in names_at_table(opponents)]
    players: list[Player | None] = [None, *opponents]
    seated = [(place - seat) % len(players) for place in range(len(players))]
    found = kind(
        game,
        view_of(game.name),
        kind.rules_of(game, options, opponents),
        seat,
        tuple(players[place] for place in seated),
        tuple([YOU, *names][place] for place in seated),
    )
    found.check()
    return found


def advised_by(conversation: Conversation, adviser: Player) -> Conversation:
    """The conversation with another adviser.

    Raises:
        UsageError: the adviser chooses nothing.
    """
    if not adviser.decides:
        raise UsageError(f"{adviser.name} chooses no actions, so it gives no hints")
    return replace(conversation, adviser=adviser)
