"""Part of ``gpkit demo`` about execution and decision trees: build orders, a scout, and trees that grow blue."""

from collections.abc import Mapping
from dataclasses import replace

from gpkit.app.demo_parts import Made, Part, Place
from gpkit.app.named import Named, opponent, read_named, seat
from gpkit.app.pictures import whole_picture
from gpkit.core.registry import game_of, shipped_programs
from gpkit.draw.page import Section, drawing, paragraph
from gpkit.draw.render import render
from gpkit.games.build_order.plans import follow_plan
from gpkit.games.players import Player, machine_programs
from gpkit.games.view import view_of
from gpkit.papers.sevens.blue_nodes import blue_svg, histories, typical
from gpkit.playing.match import Match, deal_of, play_matches

NAME = "trees"

GAME = "build_order"

ORDERS = ("earliest", "8_pool", "pool", "expand")
"""Programs whose ticks are compared; no order of orders is earlier than the first."""

DRAWN = {"8_pool": GAME, "scout": GAME, "champion-15": "sevens"}
"""Programs of which the flow is drawn, with their games."""

CAPTIONS = {
    f"{GAME}/8_pool.svg": "the plan 8_pool",
    f"{GAME}/scout.svg": "the plan that scouts",
    f"{GAME}/timeline.svg": "a game of it",
    "sevens/champion-15.svg": "decision trees that evolved for Sevens",
    "blue-nodes.svg": "four trees over five generations: the bluer, the fitter",
}
"""By file what its picture shows."""

SCOUT, ATTACKS = "scout", {"attack": "random"}

SCOUTED = 1_000
"""Games of the scout."""


def show_trees(place: Place, _before: Mapping[str, Made]) -> Made:
    """Ticks of build orders, a game of the scout on a timeline, pictures of plans and of a decision tree."""
    game = game_of(GAME)
    (rival,) = game.rivals(game.make_rules({}))

    def played(name: str, options: Mapping[str, str], games: int) -> float:
        match = Match(_player(name), (opponent(rival, game),))
        rules = game.make_rules(options)
        return play_matches(game, [match], rules=rules, seed=place.seed, games=games)[0].interval.mean

    ticks = {name: played(name, {}, 1) for name in ORDERS}
    survived = played(SCOUT, ATTACKS, SCOUTED)
    least = ticks[ORDERS[0]]
    files = {f"{game_name}/{name}.svg": _flow(name, game_name) for name, game_name in DRAWN.items()}
    files[f"{GAME}/timeline.svg"] = _timeline(place.seed)
    files["blue-nodes.svg"] = blue_svg(typical(histories(range(1, 201))))
    names = tuple(place.write(place.folder / name, text) for name, text in files.items())
    late = f"8_pool: {ticks['8_pool']:.0f} ticks, {ticks['8_pool'] - least:.0f} more than the least"
    made = Made(
        f"{len(ticks)} build orders, {len(names)} pictures",
        files=names,
        columns=("build order", "ticks until six zerglings", "more than the least"),
        rows=tuple((name, int(value), int(value - least)) for name, value in ticks.items()),
        data={"ticks": ticks, "survived": survived},
        shown=((f"{GAME}/8_pool.svg", late),),
    )
    told = f"A plan that scouts survives {survived:.0%} of {SCOUTED:,} hidden attacks."
    body = (made.table(), paragraph(told), *(drawing(files[name], words) for name, words in CAPTIONS.items()))
    return replace(made, sections=(Section("Plans, decision trees and a population", body),))


def _named(name: str, game: str) -> Named:
    """A shipped program."""
    (named,) = read_named([str(shipped_programs(game)[name])], None)
    return named


def _player(name: str) -> Player:
    """A shipped program that orders."""
    return seat(_named(name, GAME), game_of(GAME))


def _flow(name: str, game: str) -> str:
    """The picture of a shipped program."""
    return render(whole_picture(_named(name, game)), "svg").decode()


def _timeline(seed: int) -> str:
    """A game of the scout as a timeline, at its end."""
    game = game_of(GAME)
    (program,) = machine_programs([_player(SCOUT)])
    rules = game.make_rules(ATTACKS)
    state = game.begin([], deal_of(game, rules, seed, 0), rules)
    *_, (last, _) = follow_plan(program, state, seed)
    return view_of(GAME).board_svg(last)


TREES = Part(NAME, "Plans and decision trees", (), show_trees)
