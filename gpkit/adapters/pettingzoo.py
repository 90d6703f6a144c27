"""Games as PettingZoo environments, which need the extra ``pettingzoo``.

In ``env``, agents act one after another (AEC). In ``parallel_env``, all agents submit actions in every step, which
suits games with simultaneous decisions.

Agents are named ``player_0``, ``player_1``, ... by seat. An observation is a dictionary of two arrays. ``observation``
contains the feature table from ``gpkit.gamekit.sensors``, with a row for each action. ``action_mask`` contains a 1 for
each legal action, and only zeros for agents that cannot act. An agent receives its reward at the end of the game: its
score, negated if lower scores are better.
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
from gpkit.gamekit.game import Game
from gpkit.gamekit.options import Value, text_of
from gpkit.gamekit.players import Player
from gpkit.gamekit.sensors import encoding_of
from gpkit.gamekit.state import ObservableState, after_chance, is_same_round
from gpkit.playing.conversation import Conversation, Mover
from gpkit.playing.players import check_seat
from gpkit.playing.session import new_conversation, seat_all
from gpkit.user_games.rules import WrappedState

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper
except ModuleNotFoundError as error:
    raise UsageError(
        f"PettingZoo environments need the package {error.name}: {install_command('pettingzoo')}"
    ) from error

Observation = dict[str, NDArray[Any]]
"""An agent's observation: float64 (actions, columns) and int8 (actions,)."""

MODES = ("ansi", "svg")

SEED_BITS = 32
"""The number of bits in the random seed of an environment that is created without a seed."""

NO_RULES: Mapping[str, Value] = MappingProxyType({})


def env(
    game: str,
    rules: Mapping[str, Value] = NO_RULES,
    render_mode: str | None = None,
    opponents: Sequence[str] = (),
    seat: int = 0,
) -> AECEnv:
    """A game as an environment with the usual wrappers: an illegal action ends the game, and the agent loses.

    Args:
        game: the name of a built-in game, or the path of your own game, such as ``./nim.py``.
        rules: the options of the game, by name.
        render_mode: ``ansi`` for text boards or ``svg`` for pictures; both also show hidden information.
        opponents: names or program files, as for ``gpkit play --vs``, with one for all other seats or one for each
            seat. The opponents act automatically, so the environment has only one agent.
        seat: the seat of the single agent; the opponents take the seats after it.

    Raises:
        UsageError: the game, rule, mode, opponent or seat does not exist, or the number of actions is unknown.
    """
    environment = raw_env(game, rules, render_mode, opponents, seat)
    return OrderEnforcingWrapper(
        AssertOutOfBoundsWrapper(TerminateIllegalWrapper(environment, illegal_reward=environment.worst))
    )


def raw_env(
    game: str,
    rules: Mapping[str, Value] = NO_RULES,
    render_mode: str | None = None,
    opponents: Sequence[str] = (),
    seat: int = 0,
) -> "GameEnv":
    """The same as ``env``, but without the wrappers: an illegal action raises ``ValueError``."""
    if render_mode not in (None, *MODES):
        raise UsageError(f"there is no render mode `{render_mode}`; {suggestion(render_mode, MODES)}")
    name = name_game(game)
    options = {key: text_of(value) for key, value in rules.items()}
    others = Opponents(name, opponents, options, seat) if opponents else None
    return GameEnv(name, options, render_mode, others)


def parallel_env(
    game: str, rules: Mapping[str, Value] = NO_RULES, render_mode: str | None = None
) -> "ParallelGameEnv":
    """A game as a parallel environment: each step takes a dictionary with the actions of all agents to move.

    In a simultaneous decision, several agents act without seeing each other's choices. Actions of agents that are not
    to move have no effect; an illegal action raises ``ValueError``.

    Args:
        game, rules, render_mode: the same as for ``env``.

    Raises:
        UsageError: the same as for ``env``.
    """
    return ParallelGameEnv(raw_env(game, rules, render_mode))


class GameEnv(AECEnv):  # type: ignore[misc]  # a class without types
    """An environment for a game, built on the game's state (``gpkit.gamekit.state.State``)."""

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
        )  # a player who only hides something changes no seats and is not an agent
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
        """The lowest possible reward."""
        metric = self.game.metric(self.rules)
        return min(metric.direction * bound for bound in metric.support)

    def observation_space(self, agent: str) -> spaces.Dict:
        """An agent's observation space."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """An agent's action space; actions are numbers."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, object] | None = None) -> None:
        """Begin the first game for a seed or, without a seed, the next game; ``options`` has no effect."""
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
            self._arrive(self.game.begin([Player("")] * self.game.players(self.rules), deals, self.rules))
        else:
            first = self.game.begin(self._opponents.table.seated.players, deals, self.rules)
            self._arrive(self._opponents.begin(first, deals))

    def step(self, action: int | None) -> None:
        """Act as the selected agent; an agent whose game is over must pass None, and leaves the environment.

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

    def _arrive(self, moment: ObservableState) -> None:
        """Advance to the next moment at which an agent acts, or to the end of the game."""
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
        """The observation of an agent."""
        return self.seen(agent, self.moment)

    def seen(self, agent: str, moment: Any) -> Observation:
        """An agent's observation at one moment of the game."""
        seat = self.seats[agent]
        table = encoding_of(self.game.name).encode(moment, seat)
        mask = np.zeros(self.count, dtype=np.int8)
        if seat == moment.current_player:
            mask[list(moment.legal_actions())] = 1
        return {"observation": table, "action_mask": mask}

    def render(self) -> str | None:
        """The board as text or as an SVG document, with all hidden information, or None without a render mode."""
        if self.render_mode is None:
            return None
        view = self.game.view
        draw = view.board_text if self.render_mode == "ansi" else view.board_svg
        return draw(self.moment, names=self._names)


class ParallelGameEnv(ParallelEnv):  # type: ignore[misc]  # a class without types
    """An environment for a game in which all agents submit actions in every step.

    It wraps ``single``, the environment in which agents act one after another.
    """

    def __init__(self, single: GameEnv) -> None:
        self.single = single
        self.metadata = {**single.metadata, "is_parallelizable": True}
        self.render_mode = single.render_mode
        self.possible_agents = single.possible_agents
        self.observation_spaces, self.action_spaces = single.observation_spaces, single.action_spaces
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Dict:
        """An agent's observation space."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """An agent's action space; actions are numbers."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a game in the same way as ``GameEnv``; returns observations and infos by agent."""
        self.single.reset(seed, options)
        self.agents = self.possible_agents[:]
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: Mapping[str, int]) -> tuple[dict[str, Any], ...]:
        """Apply all agents' actions; returns observations, rewards, terminations, truncations and infos by agent.

        Raises:
            ValueError: an action is not legal, or is missing.
        """
        single, agents = self.single, self.agents
        while True:
            before, agent = single.moment, single.agent_selection
            single.step(actions.get(agent))
            if (
                single.terminations[agent]
                or single.truncations[agent]
                or not is_same_round(before, single.moment)
            ):
                break
        observations = self._observations()
        told = [dict(each) for each in (single.rewards, single.terminations, single.truncations)]
        if any(told[1].values()) or any(told[2].values()):
            self.agents = []
        return observations, *told, {agent: {} for agent in agents}

    def _observations(self) -> dict[str, Observation]:
        """The observation of each agent: at the moment of its choice if it is to move, otherwise now."""
        moment = self.single.moment
        found = {agent: self.single.seen(agent, moment) for agent in self.agents}
        while not moment.is_terminal:
            before, moment = (
                moment,
                moment.apply(moment.legal_actions()[0]),
            )  # hidden from agents that act now, too
            if not is_same_round(before, moment):
                break
            agent = f"player_{moment.current_player}"
            found[agent] = self.single.seen(agent, moment)
        return found

    def render(self) -> str | None:
        """The board, rendered in the same way as in ``GameEnv``."""
        return self.single.render()


class Opponents:
    """The opponents, who take all seats except the agent's.

    Programs may remember their earlier actions in a game. A copy of the opponents therefore replays the game up to the
    current moment, so it shares no state with the original.

    Attributes:
        seat: the agent's seat; gpkit plays all other seats.
    """

    def __init__(self, game: str, names: Sequence[str], rules: Mapping[str, str], seat: int) -> None:
        """Read the named opponents in the same way as ``gpkit play``.

        Raises:
            UsageError: there is no such player, or the players do not fit the rules or the seat.
            SourceError: a program does not parse, or has an error for this game.
        """
        self.seat = seat
        self._named = game, tuple(names), dict(rules)
        self._begun: tuple[Any, Any] | None = None
        self._acted: list[int] = []

    def __getstate__(self) -> dict[str, Any]:
        """The attributes to pickle; the others can be rebuilt from them."""
        return {name: value for name, value in vars(self).items() if name not in ("table", "_move")}

    @cached_property
    def table(self) -> Conversation:
        """The players by seat, and the rules that they play by."""
        game, names, rules = self._named
        seated = seat_all(None, names, game=game, options=rules)
        return new_conversation(seated.game, seated.options, seated.players, self.seat)

    @cached_property
    def _move(self) -> Mover:
        """The function that makes the opponents' moves, with the game replayed up to the agent's last action."""
        assert self._begun is not None, "a game has begun"
        moment, deals = self._begun
        move = self.table.mover(moment, deals)
        for action in self._acted:
            moment = self._wait(moment, move).apply(action)
        return move

    def begin(self, first: Any, deals: Any) -> Any:
        """The first moment of a game at which the agent acts, or the end of the game."""
        self._begun, self._acted = (first, deals), []
        vars(self).pop("_move", None)
        return self._wait(first, self._move)

    def answer(self, moment: ObservableState, action: int) -> Any:
        """The next moment at which the agent acts after its current action, or the end of the game."""
        after, move = moment.apply(action), self._move
        self._acted.append(action)
        return self._wait(after, move)

    def _wait(self, moment: ObservableState, move: Mover) -> Any:
        """Make the opponents' moves until it is the agent's turn or the game is over."""
        while not moment.is_terminal and moment.current_player != self.seat:
            moment = move(moment).after
        return moment


def observation_space(columns: Sequence[Sensor], count: int) -> spaces.Dict:
    """The observation space with these columns and one row for each action."""
    low = [min(column.low, 0.0) for column in columns]
    high = [max(column.high, 0.0) for column in columns]
    return spaces.Dict(
        {
            "observation": spaces.Box(np.tile(low, (count, 1)), np.tile(high, (count, 1)), dtype=np.float64),
            "action_mask": spaces.Box(0, 1, (count,), dtype=np.int8),
        }
    )
