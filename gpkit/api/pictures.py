"""Pictures of programs and runs: in notebooks, in terminals, and as files; the function is also a shell command."""

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from gpkit.api.arguments import command
from gpkit.api.drawings import Drawing, drawing_of
from gpkit.api.kinds import NO_DIALECT, Dialect, GameLike, Kind, Language, Number, Seed, Within
from gpkit.api.progress import argument, refuse, remark
from gpkit.api.reports import path_of
from gpkit.core.errors import UsageError
from gpkit.core.registry import game_of_file

if TYPE_CHECKING:
    from gpkit.api.programs import Program
    from gpkit.api.runs import Run
    from gpkit.gamekit.game import Game
    from gpkit.playing.named import Named


Part = Literal["champion", "curves", "sizes", "diversity", "lineage", "front", "map", "predictions"]


@command
def drawing(
    subject: Annotated[
        "Program | Run | str | os.PathLike[str] | Sequence[Run | str | os.PathLike[str]]",
        Kind("PROGRAM | RUN...", "a program, a run, or the path or name of one", "program", many=True),
    ],
    what: Annotated[Part, Kind(option="--what")] | None = None,
    *,
    diff: Annotated[
        "Program | str | os.PathLike[str]", Kind("OTHER", "a program, or the path or name of one", "program")
    ]
    | None = None,
    trace: bool = False,
    until: Annotated[str, Kind("EXPR")] | None = None,
    opponent: Annotated[str, Kind("OPPONENT", completes="opponent")] | None = None,
    seed: Seed = 0,
    deal: Number = 0,
    games: Annotated[int, Within(1, 1000)] = 1,
    rule: Annotated[str, Kind("NAME")] | None = None,
    on: Annotated[str, Kind("BOARD", completes="position")] | None = None,
    game: GameLike | None = None,
    dialect: Dialect = NO_DIALECT,
    language: Language | None = None,
) -> Drawing:
    """Draw a program: formulas as trees, instructions as blocks with their jumps; code without effect is grey.

    Rules are drawn as graphs in which the edge that the rule plays is coloured. A .board file, a position of Dots and
    Boxes as text, is drawn with its graph. A .wave file, a wave of Battleship, is drawn as curves beside the density
    that its header names. For a run's folder, gpkit draws the champion so far. The exit code is 1 if the condition of
    --until never holds.

    >>> import gpkit
    >>> print(gpkit.drawing("rush", game="build_order").svg[:5])
    <?xml

    Args:
        subject: a program, a run, or the path or name of one; also a .board or .wave file. Several runs are drawn in
            one chart.
        what: for a run: its champion (the default), a chart of its generations, the champion's lineage, the front of
            its objectives, its map of behaviour, or for a fit its predictions.
        diff: draw the differences from another program or run.
        trace: show what was executed in one game: each formula's latest decision, how often each line ran, or the last
            rule that acted, on the board.
        until: for a traced game: stop at the first step where this condition holds, as in `gpkit trace`.
        opponent: for a traced game: the players in the other seats, as in `gpkit trace`.
        seed: the same seed gives the same result.
        deal: for a traced game: the number of the deal, as in `gpkit trace`.
        games: add up what was executed in this many deals, starting with deal number `deal`.
        rule: draw only this rule of a rule list, by its name or number.
        on: draw a rule in a position: on a board from a text file, or on a board of a size such as 3x3 on which the
            rule can act.
        game: the game, if the programs do not name it: a name, a file with your own game, or an OpenSpiel game such as
            openspiel:hex. It also selects among shipped programs of the same name, such as champion; for a file, write
            ./champion.
        dialect: override the header of programs, such as target=uniform or dialect=literal; may be repeated.
        language: the language, for files without its suffix.

    Raises:
        UsageError: there is no such program, run or part, or the arguments cannot be combined.
        SourceError: a program does not parse, or has an error for its game.
        CheckpointError: the folder contains no run, or the run is damaged.
    """
    from gpkit.api.programs import Program
    from gpkit.langkit.checking import in_dialect
    from gpkit.show import pictures

    if isinstance(subject, Sequence) and not isinstance(subject, str):
        runs, subject = subject, subject[0] if subject else ""
        if len(runs) != 1:
            from gpkit.show.run_charts import CURVES, picture_of_runs

            several = f"several runs need {{what}} {' or '.join(CURVES)}"
            refuse((not runs, "name a program or a run"), (what not in CURVES, several))
            return Drawing(partial(picture_of_runs, [*map(path_of, runs)], str(what)))
    path = None if isinstance(subject, Program) else path_of(subject)
    drawn_by, is_part = game_of_file(path or ""), what not in (None, "champion")
    compares, chooses = trace or diff is not None, rule is not None or on is not None
    refuse(
        (trace and diff is not None, "choose one of {diff} and {trace}"),
        (not trace and (until is not None or opponent is not None), "{until} and {opponent} need {trace}"),
        (compares and is_part, "{what} cannot be combined with {diff} or {trace}"),
        (compares and chooses, "{rule} and {on} cannot be combined with {diff} or {trace}"),
        (
            dialect and diff is not None,
            "{diff} compares program texts, which dialects do not change; leave out {dialect}",
        ),
        (
            dialect and (is_part or drawn_by is not None),
            "{dialect} is for programs, and none is drawn here; leave it out",
        ),
    )
    if drawn_by is not None:
        drawing_game: Game = drawn_by.load()
        drawn = drawing_game.forms.file_picture()
        assert drawn is not None, "the game draws the files whose suffix the registry lists"
        return Drawing(partial(drawn, path or ""))
    if what is not None and (path is None or not Path(path).is_dir()):
        raise UsageError(
            f"{argument('what')} is for runs, and {path or repr(subject)} is not the folder of a run"
        )
    if path is not None and is_part:
        from gpkit.show.run_charts import run_picture

        return Drawing(partial(run_picture, path, str(what)))
    named = _named(subject, language, game)
    named = replace(named, source=in_dialect(named.source, dialect, named.language))
    if chooses:
        return drawing_of(pictures.chosen_picture(named.source, rule, on, seed))
    if diff is not None:
        return drawing_of(pictures.change_picture(named.source, _named(diff, language, game).source))
    if not trace:
        return drawing_of(pictures.whole_picture(named))
    picture = pictures.played_picture(
        named, condition=until, opponent=opponent, seed=seed, deal=deal, games=games
    )
    remark(picture.title)
    return drawing_of(picture)


def _named(subject: Any, language: str | None, game: GameLike | None) -> "Named":
    """The given program, or the champion of the run."""
    from gpkit.api.games import name_of
    from gpkit.api.programs import Program
    from gpkit.evolution.history import program_in
    from gpkit.playing.named import read_file

    if isinstance(subject, Program):
        return subject.named
    name = name_of(game)
    return read_file(program_in(path_of(subject), name), language, game=name)
