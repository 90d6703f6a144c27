"""Games as PettingZoo environments, in which agents act one after the other (AEC); with the extra ``pettingzoo``.

Agents are called ``player_0``, ``player_1``, ... by seat. An observation is a dictionary of two arrays:
``observation``, the table of numbers of ``gpkit.gamekit.encoding`` with a row for each action; and ``action_mask``, 1
for each legal action, all 0 but for the agent that is to act. Rewards come at the end: the score, negative where less
is better.
"""

import secrets
from collections.abc import Mapping, Sequence
from functools import cached_property
from operator import index
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.primitives import Sensor
from gpkit.core.registry import game_of, name_game
from gpkit.core.rng import stream
from gpkit.core.wording import install_command
from gpkit.gamekit.encoding import encoding_of
from gpkit.gamekit.game import Game
from gpkit.gamekit.options import Value, text_of
from gpkit.gamekit.players import Player
from gpkit.gamekit.state import after_chance
from gpkit.gamekit.view import view_of
from gpkit.playing.conversation import Conversation, Mover
from gpkit.playing.game_setup import seat_all
from gpkit.playing.players import check_seat
from gpkit.playing.session import new_conversation
from gpkit.user_games.wrapped_state import WrappedState

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper
except ModuleNotFoundError as error:
    raise UsageError(
        f"PettingZoo environments need the package {error.name}: {install_command('pettingzoo')}"
    ) from error

Observation = dict[str, NDArray[Any]]
"""Observation: float64 (actions, columns) and int8 (actions,)."""

MODES = ("ansi", "svg")

SEED_BITS = 32
"""Bits of the seed of an environment that is not given one."""

NO_RULES: Mapping[str, Value] = MappingProxyType({})


def env(
    game: str,
    rules: Mapping[str, Value] = NO_RULES,
    render_mode: str | None = None,
    opponents: Sequence[str] = (),
    seat: int = 0,
) -> AECEnv:
    """A game as an environment with the usual wrappers: who chooses an illegal action loses, and the game ends.

    Args:
        game: its name, or the file of one's own, such as ``./nim.py``.
        rules: options of the game by name.
        render_mode: ``ansi`` for boards as text, ``svg`` for pictures; all is open on both.
        opponents: names or program files, as for ``gpkit play --vs``: one for all other seats, or one for each. They
            act by themselves, and there is one agent.
        seat: of that agent, whom the opponents follow.

    Raises:
        UsageError: there is no such game, rule, mode, opponent or seat, or the number of actions is not known.
    """
    environment = raw_env(game, rules, render_mode, opponents, seat)
    wrapped = TerminateIllegalWrapper(environment, illegal_reward=environment.worst)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(wrapped))


def raw_env(
    game: str,
    rules: Mapping[str, Value] = NO_RULES,
    render_mode: str | None = None,
    opponents: Sequence[str] = (),
    seat: int = 0,
) -> "GameEnv":
    """A game as an environment without wrappers: an illegal action raises ``ValueError``; otherwise as ``env``."""
    if render_mode not in (None, *MODES):
        raise UsageError(f"there is no render mode `{render_mode}`; {suggestion(render_mode, MODES)}")
    name = name_game(game)
    options = {key: text_of(value) for key, value in rules.items()}
    if opponents:
        return GameEnv(name, options, render_mode, Opponents(name, opponents, options, seat))
    return GameEnv(name, options, render_mode, None)


class GameEnv(AECEnv):  # type: ignore[misc]  # a class without types
    """Environment of a game; all that is said of a moment is asked of its state (``gpkit.gamekit.state.State``)."""

    def __init__(
        self, name: str, options: Mapping[str, str], render_mode: str | None, opponents: "Opponents | None"
    ) -> None:
        super().__init__()
        self.metadata = {"name": name, "render_modes": list(MODES), "is_parallelizable": False}
        self.render_mode = render_mode
        self.game: Game = game_of(name)
        self.rules = self.game.make_rules(options) if opponents is None else opponents.table.rules
        seats = self.game.seatings(
            self.rules
        )  # who only hides something changes no seats, and is not an agent
        self.seats = {f"player_{seat}": seat for seat in range(seats)}
        self._names = list(self.seats)
        if opponents is not None:
            agent = f"player_{check_seat(opponents.seat, seats)}"
            self.seats = {agent: opponents.seat}
            self._names = list(opponents.table.names)
            self._names[opponents.seat] = agent
        self._opponents = opponents
        self.possible_agents = list(self.seats)
        encoding = encoding_of(name)
        self.count = encoding.actions(self.rules)
        self.observation_spaces = {
            agent: observation_space(encoding.columns(), self.count) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(self.count) for agent in self.possible_agents}
        self.agents: list[str] = []
        self.moment: Any = None
        self._rng: np.random.Generator | None = None

    @property
    def worst(self) -> float:
        """The least reward."""
        metric = self.game.metric(self.rules)
        return min(metric.direction * bound for bound in metric.support)

    def observation_space(self, agent: str) -> spaces.Dict:
        """Space of the observations of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Space of the actions of an agent, by number."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game: the first of a seed, or the next one of the seed before; ``options`` mean nothing."""
        if seed is not None or self._rng is None:
            self._rng = stream(secrets.randbits(SEED_BITS) if seed is None else seed, "pettingzoo")
        self.agents = self.possible_agents[:]
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._skip_agent_selection = None
        deals = self.game.deal(self._rng, 1, self.rules)
        if self._opponents is None:
            players = [Player("")] * self.game.players(self.rules)
            self._arrive(self.game.begin(players, deals, self.rules))
        else:
            first = self.game.begin(self._opponents.table.seated.players, deals, self.rules)
            self._arrive(self._opponents.begin(first, deals))

    def step(self, action: int | None) -> None:
        """Act as the selected agent; one whose game is over gives None, and leaves.

        Raises:
            ValueError: the action is not legal.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} has to choose: expected an action, not None")
        chosen = index(action)
        asked = self._opponents
        after = self.moment.apply(chosen) if asked is None else asked.answer(self.moment, chosen)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._arrive(after)

    def _arrive(self, moment: Any) -> None:
        """Go to the next moment in which an agent is to act, or to the end."""
        assert self._rng is not None, "a game has begun"
        self.moment = moment = after_chance(moment, self._rng.random)
        if not moment.is_terminal:
            self.agent_selection = f"player_{moment.current_player}"
            return
        metric = self.game.metric(self.rules)
        called_off = isinstance(moment, WrappedState) and moment.is_called_off
        for agent in self.agents:
            self.rewards[agent] = metric.direction * moment.returns()[self.seats[agent]]
            self.terminations[agent] = not called_off
            self.truncations[agent] = called_off
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> Observation:
        """Observation of an agent."""
        seat = self.seats[agent]
        table = encoding_of(self.game.name).encode(self.moment, seat)
        mask = np.zeros(self.count, dtype=np.int8)
        if seat == self.moment.current_player:
            mask[list(self.moment.legal_actions())] = 1
        return {"observation": table, "action_mask": mask}

    def render(self) -> str | None:
        """The board, all open, as text or as an SVG document."""
        if self.render_mode is None:
            return None
        view = view_of(self.game.name)
        draw = view.board_text if self.render_mode == "ansi" else view.board_svg
        return draw(self.moment, names=self._names)


class Opponents:
    """Players in all seats but one.

    Programs may remember what they did before in a game. A copy plays the game up to its moment again, so that it
    shares nothing with the original.

    Attributes:
        seat: of the agent, who is not a player of gpkit.
    """

    def __init__(self, game: str, names: Sequence[str], rules: Mapping[str, str], seat: int) -> None:
        """Read whom a person named, as the opponents of ``gpkit play``.

        Raises:
            UsageError: there is no such player, or these do not fit the rules or the seat.
            SourceError: a program does not parse, or has an error for this game.
        """
        self.seat = seat
        self._named = game, tuple(names), dict(rules)
        self._begun: tuple[Any, Any] | None = None
        self._acted: list[int] = []

    def __getstate__(self) -> dict[str, Any]:
        """All but what can be made again."""
        return {name: value for name, value in vars(self).items() if name not in ("table", "_move")}

    @cached_property
    def table(self) -> Conversation:
        """Players by seat, and their rules."""
        game, names, rules = self._named
        seated = seat_all(None, names, game=game, options=rules)
        return new_conversation(seated.game, seated.options, seated.players, self.seat)

    @cached_property
    def _move(self) -> Mover:
        """The mover of the table, which has played the game up to the agent's last action."""
        assert self._begun is not None, "a game has begun"
        moment, deals = self._begun
        move = self.table.mover(moment, deals)
        for action in self._acted:
            moment = self._wait(moment, move).apply(action)
        return move

    def begin(self, first: Any, deals: Any) -> Any:
        """The first moment of a game in which the agent is to act, or its end."""
        self._begun, self._acted = (first, deals), []
        vars(self).pop("_move", None)
        return self._wait(first, self._move)

    def answer(self, moment: Any, action: int) -> Any:
        """The next moment in which the agent is to act, or the end, after it has acted."""
        after, move = moment.apply(action), self._move
        self._acted.append(action)
        return self._wait(after, move)

    def _wait(self, moment: Any, move: Mover) -> Any:
        """The moment after what the others do until the agent is to act."""
        while not moment.is_terminal and moment.current_player != self.seat:
            moment = move(moment).after
        return moment


def observation_space(columns: Sequence[Sensor], count: int) -> spaces.Dict:
    """Space of the observations of a table with these columns and as many rows as there are actions."""
    low = [min(column.low, 0.0) for column in columns]
    high = [max(column.high, 0.0) for column in columns]
    return spaces.Dict(
        {
            "observation": spaces.Box(np.tile(low, (count, 1)), np.tile(high, (count, 1)), dtype=np.float64),
            "action_mask": spaces.Box(0, 1, (count,), dtype=np.int8),
        }
    )
