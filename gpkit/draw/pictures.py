"""Pictures of programs and runs that people name."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from gpkit.core.errors import EXIT_FINDINGS, GpkitError, UsageError
from gpkit.core.files import STANDARD_INPUT
from gpkit.core.primitives import PrimitiveSet, offered
from gpkit.core.registry import form_of_game, offering
from gpkit.draw.graph import Picture
from gpkit.draw.programs import picture_of, picture_of_change, picture_of_game
from gpkit.langkit.language import check_source
from gpkit.playing.conditions import read_condition
from gpkit.playing.game_setup import seat_named
from gpkit.playing.named import Named, game_for, offers_for, read_one
from gpkit.playing.trace import Step, followed, until


class FileDrawing(Protocol):
    """Pictures of a game's files that are no programs, in a format of ``render``: ``forms.draw`` beside the game."""

    def file_picture(self, path: str, form: str) -> bytes: ...


@runtime_checkable
class ChosenDrawing(Protocol):
    """Pictures of one rule of a parsed list, in a position if there is one: further function of ``forms.draw``."""

    def chosen_picture(
        self, source: Any, rule: str | None, board: str | None, *, title: str, seed: int
    ) -> Picture: ...


def title_of(source: Any) -> str:
    """Name of a program's file without its folders, for titles."""
    return "standard input" if source.filename == STANDARD_INPUT else Path(source.filename).name


def change_picture(source: Any, other: Any) -> Picture:
    """Picture of the diff of two programs of one language and game.

    Raises:
        UsageError: they are of different ones, so that everything would have changed.
    """
    pair = (source, other)
    kinds = [each.program.language for each in pair]
    if kinds[0] != kinds[1]:
        raise _nothing_alike(pair, [f"is in {kind}" for kind in kinds], "in one language")
    games = [each.header.get("game", "") for each in pair]
    if all(games) and games[0] != games[1]:
        raise _nothing_alike(pair, [f"is for {game}" for game in games], "for one game")
    sections = [each.program.names for each in pair]
    if sections[0] != sections[1] and not set(sections[0]).intersection(sections[1]):
        raise _nothing_alike(
            pair, [f"has {', '.join(names)}" for names in sections], "with the same sections"
        )
    title = f"{title_of(other)} → {title_of(source)}"
    return picture_of_change(other.program, source.program, title=title, text=source.text)


def _nothing_alike(sources: Sequence[Any], what: Sequence[str], needed: str) -> UsageError:
    message = ", ".join(f"{title_of(source)} {each}" for source, each in zip(sources, what, strict=True))
    return UsageError(f"{message}; --diff needs two programs {needed}")


def whole_picture(named: Named) -> Picture:
    """The picture of a program.

    Raises:
        SourceError: it has an error for its game, without which its language has no picture.
    """
    source = named.source
    return picture_of(
        source.program, source.header, _checked(named), title=title_of(source), text=source.text
    )


def _checked(named: Named) -> PrimitiveSet | None:
    """Primitive set of a program's game; where the language needs a game, the program must have no error for it.

    Raises:
        SourceError: it has one; the first.
    """
    offers = offers_for(named)
    if named.language.needs_game and offers is not None:
        check_source(named.language, named.source, offers)
    return offered(offers, named.language.name)


class HoldsNowhereError(GpkitError):
    """A condition holds in no step of a game."""

    exit_code = EXIT_FINDINGS


def played_picture(
    named: Named, *, condition: str | None, opponent: str | None, seed: int, deal: int, games: int = 1
) -> Picture:
    """Picture of a program with what became of it in one game, or in several.

    Args:
        named: the program.
        condition: as far as which the game is followed; None: to the end.
        opponent: in all other seats; None: the default one.
        seed, deal: of the deal that is played.
        games: how many deals are played, that one first.

    Raises:
        UsageError: the condition or the opponent cannot be read, or the language has no such pictures.
        HoldsNowhereError: the condition holds in no step.
        SourceError: the program has an error for its game.
    """
    primitives = _checked(named)
    game = game_for([named], None).name
    others = [read_one(opponent, None, {}, game)] if opponent else []
    seating = seat_named(named, opponents=others, game=game)
    steps: list[Step] = []
    for each in range(deal, deal + games):
        trace = followed(seating, seat=0, seed=seed, deal=each)
        awaited = None if condition is None else read_condition(condition, trace.vocabulary)
        steps += trace.steps if awaited is None else until(trace.steps, awaited)
        if awaited is not None and not awaited.holds(steps[-1].values):
            raise HoldsNowhereError(f"{condition} holds in no step")
    place = f"seed {seed}, deal {deal}" if games == 1 else f"seed {seed}, deals {deal} to {deal + games - 1}"
    return picture_of_game(
        named.source, primitives, steps, name=title_of(named.source), place=place, until=condition or ""
    )


def chosen_picture(source: Any, rule: str | None, board: str | None, seed: int) -> Picture:
    """Picture of one rule of a list, in a position of the game that the list is for if there is one.

    Raises:
        UsageError: the program is not a list of rules, or the game finds no such rule or position.
    """
    title = title_of(source)
    meant = source.header.get("game")
    for name in (meant,) if meant else offering(source.program.language):
        if drawing := form_of_game(ChosenDrawing, "draw", name):
            return drawing.chosen_picture(source, rule, board, title=title, seed=seed)
    raise UsageError(f"--rule and --on are for rule lists, and {title} is not one")
