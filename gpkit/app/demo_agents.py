"""Part of ``gpkit demo`` about Battleship's whole players: what one believes, shot by shot, and how one adapts."""

from collections.abc import Mapping
from dataclasses import replace

from gpkit.app.demo_parts import Made, Part, Place, interval_text
from gpkit.app.frames import frame_of, replay_of
from gpkit.core.registry import game_of
from gpkit.draw.page import Section, page, paragraph
from gpkit.games.game import Game
from gpkit.playing.match import Match, deal_of, play_matches
from gpkit.playing.players import player_of_name
from gpkit.playing.series import play_series
from gpkit.playing.trace import trace_game

NAME = "battleship players"

STRONGEST = "belief"
"""Player whose game is shown."""

SHOOTERS = {STRONGEST: 12, "density": 1_000, "mcs:10": 60, "reference": 100}
"""Games that each shooter plays alone."""

LEARNER, OPPONENT = "adaptive", "hunt:wall"

GAMES, REPEAT = 8, 1
"""Games of a series of the learner, and series from every seating."""


def show_agents(place: Place, _before: Mapping[str, Made]) -> Made:
    """Strength of some players, a game of the strongest with its belief, and a series of one that learns."""
    game: Game = game_of("battleship")
    rules = game.make_rules({})
    uniform = player_of_name("uniform", game)
    results = [
        play_matches(
            game, [Match(player_of_name(name, game), (uniform,))], rules=rules, seed=place.seed, games=games
        )[0]
        for name, games in SHOOTERS.items()
    ]
    duel = game.make_rules({"mode": "duel"})
    series = play_series(
        game,
        [player_of_name(LEARNER, game), player_of_name(OPPONENT, game)],
        rules=duel,
        seed=place.seed,
        games=GAMES,
        repeat=REPEAT,
    )
    first, last = series.scores[:, : GAMES // 2].mean(), series.scores[:, GAMES // 2 :].mean()
    learned = (
        f"{LEARNER} wins {first:.0%} of the first {GAMES // 2} games of a series against {OPPONENT}, "
        f"{last:.0%} of the others"
    )
    name = place.write(place.of(game.name) / "belief.html", _game_of(STRONGEST, game, place.seed))
    made = Made(
        f"a game with beliefs, {len(results)} players, {series.scores.size} games in series",
        files=(name,),
        columns=("player", "games", "shots", "95 % interval"),
        rows=tuple((r.program, r.games, r.interval.mean, interval_text(r.interval)) for r in results),
        data={"results": [result.to_json() for result in results], "series": series.to_json()},
        shown=((name, f"a game of {STRONGEST}, shot by shot"),),
        then=(f"gpkit play battleship --vs {STRONGEST}",),
    )
    section = Section("Battleship: players that think and adapt", (made.table(), paragraph(learned)))
    return replace(made, sections=(section,))


def _game_of(name: str, game: Game, seed: int) -> str:
    """A page with a game of an agent."""
    rules = game.make_rules({})
    players = [player_of_name(name, game), player_of_name("uniform", game)]
    trace = trace_game(game.name, players, deal_of(game, rules, seed, 0), rules)
    frames = [frame_of(step) for step in trace.steps]
    return page(f"A game of {name}", "", [Section("The game", (replay_of(frames),))])


AGENTS = Part(NAME, "Battleship: players that think and adapt", (), show_agents)
