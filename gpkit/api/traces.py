"""Games followed step by step; the function is a command of the shell, too."""

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from gpkit.api.arguments import command
from gpkit.api.kinds import (
    NO_DIALECT,
    NO_RULES,
    Dialect,
    GameLike,
    Kind,
    Language,
    Number,
    Opponents,
    PlayerLike,
    Rules,
    Seed,
)
from gpkit.core.errors import UsageError
from gpkit.core.files import STANDARD_INPUT

if TYPE_CHECKING:
    from gpkit.draw.traced import Traced


@command
def trace(
    program: PlayerLike,
    opponents: Opponents = (),
    *,
    game: GameLike | None = None,
    rules: Rules = NO_RULES,
    seat: Number = 0,
    seed: Seed = 0,
    deal: Number = 0,
    until: Annotated[str, Kind("EXPR")] | None = None,
    formula: bool = False,
    dialect: Dialect = NO_DIALECT,
    language: Language | None = None,
) -> "Traced":
    """Follow one game of a program: every decision with its candidates or rules, their values, and the board.

    The compiled engine plays the same game on this deal. The program can also be the transcript (.json) of a game that
    a person played in the browser. A condition compares values of a step and may use and, or, not, as in
    `mine and rank == 7 and turn > 3`; `v` in --step lists them. The exit code is 1 if it never holds.

    >>> import gpkit
    >>> followed = gpkit.trace("champion", "random", game="sevens", until="turn > 0")
    >>> print(followed)
    sevens: champion in seat 0 against random 1, random 2; seed 0, deal 0
    step 0: the cards are dealt
    step 1: random 2 plays ♥7
    step 2: champion plays ♦7, its only choice
    >>> followed.holds, followed.to_rows()[1]["words"]
    (True, 'random 2 plays ♥7')

    Args:
        program: the program that is followed: a file, or the name of a player or of a shipped program.
        opponents: player in all other seats; repeat it for one player per seat: a name, a program file, or
            name:argument such as pimc:100. Default: the game's first default opponent.
        game: the game, if the programs do not say it: a name, a file with a game of your own, or an OpenSpiel game such
            as openspiel:hex. It also selects among shipped programs of the same name, such as champion; for a file,
            write ./champion.
        rules: a rule of the game, one of `gpkit list rules`; may be repeated.
        seat: seat of the program, from 0; the opponents sit after it.
        seed: the same seed gives the same result.
        deal: number of the deal, among those that the seed gives `gpkit run`.
        until: stop at the first step where this condition holds.
        formula: show the program at every step: all nodes' values for the candidate that won, the line executed, or the
            rule that acted.
        dialect: override the header of the program, such as target=uniform or dialect=literal; may be repeated.
        language: the language, for files without its suffix.

    Returns:
        ``steps()`` and ``holds``, which says whether the condition was met; a notebook shows the game to step through.

    Raises:
        UsageError: there is no such player, game, rule, seat or name in the condition.
        SourceError: a program does not parse, or has an error for this game.
        GuestError: a fault of a game of one's own; the message names the line.
    """
    from gpkit.api.games import name_of
    from gpkit.api.players import one_player, opponents_of, several, texts_of
    from gpkit.api.progress import refuse, remark, shell, watching
    from gpkit.draw.traced import Traced
    from gpkit.playing.conditions import read_condition
    from gpkit.playing.game_setup import seat_named
    from gpkit.playing.persons import SUFFIX, read_transcript, seating_of
    from gpkit.playing.trace import Tape, followed
    from gpkit.playing.transcript import trace_session

    path = os.fspath(program) if isinstance(program, str | os.PathLike) else ""
    if path.endswith(SUFFIX):
        if opponents or rules or dialect:
            raise UsageError(f"{path} already says who plays by which rules")
        transcript, session = read_transcript(path)
        seating, found = seating_of(transcript.rules, session), trace_session(session)
        seed, deal = transcript.seed, transcript.deal
    else:
        is_again = [program, *several(opponents)].count(STANDARD_INPUT) > 1
        refuse((is_again, "standard input can be read only once: name files for the others"))
        name = name_of(game)
        named = one_player(program, name, language, dialect)
        others = opponents_of(opponents, [named], name, language)
        seating = seat_named(named, opponents=others, game=name, options=texts_of(rules))
        found = followed(seating, seat=seat, seed=seed, deal=deal)
    awaited = None if until is None else read_condition(until, found.vocabulary)
    traced = Traced(replace(found, steps=Tape(found.steps)), seating, seed, deal, awaited, formula)
    remark(traced.heading)
    if shell() is None:  # which shows the steps as they come
        with watching() as tell:
            for step in traced.steps():
                tell(f"step {step.number}")
    return traced
