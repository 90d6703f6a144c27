"""Pictures of programs in any language, and of programs and runs by name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from gpkit.core.errors import EXIT_FINDINGS, GpkitError, UsageError
from gpkit.core.files import STANDARD_INPUT
from gpkit.core.primitives import PrimitiveSet, offered
from gpkit.core.registry import game_of, offering
from gpkit.core.wording import deal_told
from gpkit.gamekit.game import Game
from gpkit.langkit.language import check_source, form
from gpkit.playing.decisions import Evaluation
from gpkit.playing.named import Named, game_for, offers_for, read_one
from gpkit.playing.session import seat_named
from gpkit.playing.trace import Step, followed, read_condition, until
from gpkit.show.graph import Picture


@dataclass(frozen=True, slots=True)
class Drawing:
    """Pictures of programs: the form ``draw`` of a language.

    Attributes:
        picture: a function of (program, header, primitives, title, text) that returns the picture, as for
            ``picture_of``.
        change: a function of (parent, child, title, text) that returns the picture, as for ``picture_of_change``; None
            if the language draws no changes.
        traced: a function of (source, primitives, steps, name, place, until) that returns the picture, as for
            ``picture_of_game``; None if the language draws no games.
        valued_text: a function that returns the text of an evaluated part with the value of every node; None if
            programs compute no values.
    """

    picture: Callable[[Any, Mapping[str, str], PrimitiveSet | None, str, str], Picture]
    change: Callable[[Any, Any, str, str], Picture] | None = None
    traced: Callable[[Any, PrimitiveSet | None, Sequence[Step], str, str, str], Picture] | None = None
    valued_text: Callable[[Evaluation], str] | None = None


Form = TypeVar("Form")


def drawing(language: str, find: Callable[[Drawing], Form | None], action: str) -> Form:
    """The part of a language's form ``draw`` for an action such as ``draw {}``; ``{}`` stands for programs.

    Raises:
        UsageError: the language has no pictures, or no pictures of this kind.
    """
    return form(language, lambda each: find(found) if (found := each.draw()) else None, action)


def picture_of(
    program: Any,
    header: Mapping[str, str],
    primitives: PrimitiveSet | None,
    *,
    title: str,
    text: str = "",
) -> Picture:
    """The picture of a program.

    Args:
        program: a program in any language.
        header: the header of its file, which may set the dialect.
        primitives: the primitives of the program's game, which some languages need; None if the game is unknown.
        title: the text below the picture.
        text: the text of the program, for pages.

    Raises:
        UsageError: the header sets a switch to an invalid value, or the language has no pictures.
    """
    return drawing(program.language, lambda each: each.picture, "draw {}")(
        program, header, primitives, title, text
    )


def picture_of_change(parent: Any, child: Any, *, title: str = "", text: str = "") -> Picture:
    """The picture of the changes from a parent to its child in the same language.

    Raises:
        UsageError: the language has no pictures.
    """
    return drawing(child.language, lambda each: each.change, "draw what changed in {}")(
        parent, child, title, text
    )


def picture_of_game(
    source: Any, primitives: PrimitiveSet | None, steps: Sequence[Step], *, name: str, place: str, until: str
) -> Picture:
    """The picture of a program, with its behaviour in a traced game.

    Args:
        source: the program, as its language parsed it.
        primitives: the primitives of its game.
        steps: the steps of the game.
        name: the name of the program.
        place: the deal in words; empty for a picture without a caption.
        until: the condition that ended the trace; empty if the trace goes to the end of the game.

    Raises:
        UsageError: the language has no pictures, or the program's behaviour in the game cannot be drawn.
    """
    return drawing(source.program.language, lambda each: each.traced, "draw traced games of {}")(
        source, primitives, steps, name, place, until
    )


def title_of(source: Any) -> str:
    """The name of a program's file without its folders, for titles."""
    return "standard input" if source.filename == STANDARD_INPUT else Path(source.filename).name


def change_picture(source: Any, other: Any) -> Picture:
    """The picture of the differences between two programs in one language and for one game.

    Raises:
        UsageError: the programs differ in language or game, so everything would have changed.
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
    return picture_of_change(
        other.program, source.program, title=f"{title_of(other)} → {title_of(source)}", text=source.text
    )


def _nothing_alike(sources: Sequence[object], what: Sequence[str], needed: str) -> UsageError:
    message = ", ".join(f"{title_of(source)} {each}" for source, each in zip(sources, what, strict=True))
    return UsageError(f"{message}; --diff needs two programs {needed}")


def whole_picture(named: Named) -> Picture:
    """The picture of a program.

    Raises:
        SourceError: the program has an error for its game, and its language needs the game for a picture.
    """
    source = named.source
    return picture_of(
        source.program, source.header, _checked(named), title=title_of(source), text=source.text
    )


def _checked(named: Named) -> PrimitiveSet | None:
    """The primitives of a program's game; if the language needs a game, the program must have no error for that game.

    Raises:
        SourceError: the program has an error; the message reports the first one.
    """
    offers = offers_for(named)
    if named.language.needs_game and offers is not None:
        check_source(named.language, named.source, offers)
    return offered(offers, named.language.name)


class HoldsNowhereError(GpkitError):
    """Raised if a condition holds in no step of a game."""

    exit_code = EXIT_FINDINGS


def played_picture(
    named: Named, *, condition: str | None, opponent: str | None, seed: int, deal: int, games: int = 1
) -> Picture:
    """The picture of a program, with its behaviour in one or several games.

    Args:
        named: the program.
        condition: the condition at which to stop the game; None to play to the end.
        opponent: the player in all other seats; None means the default one.
        seed, deal: the seed and the number of the first deal.
        games: the number of deals to play.

    Raises:
        UsageError: the condition or the opponent cannot be read, or the language has no such pictures.
        HoldsNowhereError: the condition holds in no step.
        SourceError: the program has an error for its game.
    """
    primitives = _checked(named)
    game = game_for([named], None).name
    seating = seat_named(named, opponents=[read_one(opponent, None, {}, game)] if opponent else [], game=game)
    steps: list[Step] = []
    for each in range(deal, deal + games):
        trace = followed(seating, seat=0, seed=seed, deal=each)
        awaited = None if condition is None else read_condition(condition, trace.vocabulary)
        steps += trace.steps if awaited is None else until(trace.steps, awaited)
        if awaited is not None and not awaited.holds(steps[-1].values):
            raise HoldsNowhereError(f"{condition} holds in no step")
    place = deal_told(seed, deal) if games == 1 else f"seed {seed}, deals {deal} to {deal + games - 1}"
    return picture_of_game(
        named.source, primitives, steps, name=title_of(named.source), place=place, until=condition or ""
    )


def chosen_picture(source: Any, rule: str | None, board: str | None, seed: int) -> Picture:
    """The picture of one rule of a list, in a position of the list's game if it has one.

    Raises:
        UsageError: the program is not a list of rules, or the game finds no such rule or position.
    """
    title = title_of(source)
    meant = source.header.get("game")
    for name in (meant,) if meant else offering(source.program.language):
        found: Game = game_of(name)
        if drawn := found.forms.chosen_picture():
            return drawn(source, rule, board, title, seed)
    raise UsageError(f"--rule and --on are for rule lists, and {title} is not one")
