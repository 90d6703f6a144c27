"""Coordinates, cards, codes, sides and places in Lua are integers where Lua has these, whatever numbers a host uses.

A host that keys the cells of a board by ``x .. "," .. y`` would otherwise look for the cell ``9,1.0``.
"""

from importlib import import_module
from typing import Any

import pytest
from rule_samples import LEARNED, LEVEL_0

from gpkit.core.registry import language_entry
from gpkit.export.check import check_export
from gpkit.export.lua import checking
from gpkit.export.lua import valued as valued_form
from gpkit.export.lua.hosts import LupaHost, runtime_names
from gpkit.export.registry import exporter
from gpkit.export.subject import Subject
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.primitives import PRIMITIVES as BATTLESHIP
from gpkit.games.battleship.primitives import TARGETS
from gpkit.games.mastermind.primitives import PRIMITIVES as MASTERMIND
from gpkit.languages.arithmetic.parser import parse
from gpkit.languages.rulegraph.parser import parse as parse_rules
from gpkit.playing.players import program_of_name

CORRECTED = program_of_name("corrected", GAME)

TOOLS = """
-- Asserts that all numbers of a value are integers where Lua has these, and whole numbers elsewhere.
function whole(value, name)
	if type(value) == "table" then
		for key, each in pairs(value) do
			whole(key, name)
			whole(each, name .. "." .. tostring(key))
		end
	elseif type(value) == "number" then
		assert(value % 1 == 0, name .. " is " .. value)
		assert(math.type == nil or math.type(value) == "integer", name .. " is " .. tostring(value))
	end
	return value
end

-- The value with floats for all numbers, as a host hands them over that reads JSON or computes with floats.
function floats(value)
	if type(value) == "table" then
		local out = {}
		for key, each in pairs(value) do
			out[key] = floats(each)
		end
		return out
	end
	return type(value) == "number" and value + 0.0 or value
end
"""


def run(subject: Subject, mode: str, code: str) -> set[Any]:
    """What a chunk returns in all Luas, in which ``M`` is an exported program."""
    text, found = exporter("lua").export(subject, mode)[0].text, set()
    for lua in runtime_names():
        state = import_module(f"lupa.{lua}").LuaRuntime(unpack_returned_tuples=True)
        state.globals().M = state.execute(text)
        found.add(state.execute(TOOLS + code))
    return found


def sinker(**dialect: str) -> Subject:
    return Subject(CORRECTED, "sinker", dialect, BATTLESHIP, {"board": "6x5", "fleet": "3,2,1"}, 5)


SHOTS = """
local S, shots, left = M.new(7.0, 6.0, 5.0, { 3.0, 2.0 }), 0, 5
local ships = { ["2,1"] = 3, ["2,2"] = 3, ["2,3"] = 3, ["4,5"] = 2, ["5,5"] = 2 }
local lengths = { [2] = 2, [3] = 3 }
while left > 0 do
	if not S.thread and shots % 2 == 1 then
		S = floats(S)
	end
	local x, y = M.next(S)
	whole({ x, y }, "the shot")
	assert(x, y)
	assert(shots < 100)
	shots = shots + 1
	local ship = ships[x .. "," .. y]
	if ship then
		lengths[ship], left = lengths[ship] - 1, left - 1
		ships[x .. "," .. y] = nil
	end
	M.report(S, ship and (lengths[ship] == 0 and "sunk" or "hit") or "miss", ship and ship + 0.0)
end
return shots
"""


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("mode", ["module", "nested"])
def test_shots_are_integers(target: str, mode: str) -> None:
    (shots,) = run(sinker(target=target), mode, SHOTS)
    assert 5 <= shots <= 30


@pytest.mark.parametrize("edge", ["leave", "clamp", "torus"])
def test_a_state_holds_integers(edge: str) -> None:
    play = """
    local S = whole(M.new(7.0, 6.0, 5.0, { 3.0, 2.0, 1.0 }), "the new state")
    local shots = 0
    while shots < 12 and M.next(S) do
        shots = shots + 1
        M.report(S, shots % 3 == 0 and "hit" or "miss")
        whole(S, "the state")
    end
    return whole(S.turns, "the count of turns") == shots and shots
    """
    assert run(sinker(edge=edge, target="density"), "module", play) == {6 if edge == "clamp" else 12}


@pytest.mark.parametrize("width", ["2.5", "0", "-1", '"wide"'])
def test_a_board_of_no_whole_size_is_refused(width: str) -> None:
    wanted = "the width is a whole number of 1 or more, not"
    for subject in (sinker(), Subject(parse_rules(LEVEL_0).program)):
        call = f"M.new({'1, ' if subject.name == 'sinker' else ''}{width}, 3)"
        for answered, message in run(subject, "module", f"return pcall(function() return {call} end)"):
            assert not answered
            assert wanted in message


SEVENS = """
local deck = {}
for place = 1, 52 do
	deck[place] = (place * 17) % 52 + 0.0
end
local rules = whole(M.make_rules({ players = 4.0, laps = 50.0 }), "rules")
local cards, state = M.play_game(deck, rules, 3.0)
whole(cards, "cards")
whole(state, "the state")
state = M.deal(deck, rules)
local known = M.observe(state, state.current_player)
whole(M.sense(known, M.legal(known)[1]), "sensors")
state = M.deal(deck, floats(rules), 3.0)
for _ = 1, 30 do
	local seen = floats(M.observe(state, state.current_player + 0.0))
	whole(M.legal(seen), "legal cards")
	M.apply(state, whole(M.choose(seen), "the card") + 0.0)
	whole({ state.current_player, state.hands, state.low, state.high, state.finished, state.turn }, "the state")
end
return #cards
"""


def test_cards_are_integers(sample: Subject) -> None:
    (cards,) = run(sample, "player", SEVENS)
    assert cards >= 40


MASTERMIND_GAME = """
local secret = { 4.0, 2.0, 1.0 }
local guesses, score = M.play_game(secret, 5.0)
whole({ guesses, score, M.number_of(secret), { M.feedback(floats(guesses[1]), secret) } }, "the game")
local turns = {}
for number, guess in ipairs(guesses) do
	local black, white = M.feedback(guess, secret)
	turns[number] = { guess = floats(guess), black = black + 0.0, white = white + 0.0 }
	whole(M.codes_left(turns), "codes left")
	whole(M.choose(turns, 5.0), "the guess")
end
return #guesses
"""


def guesser() -> Subject:
    program = parse("guess: env.entropy + env.possible").program
    return Subject(program, "guesser", {"game": "mastermind"}, MASTERMIND, {"length": "3", "colours": "4"})


def test_guesses_are_integers() -> None:
    (guesses,) = run(guesser(), "player", MASTERMIND_GAME)
    assert 1 <= guesses <= 10


SIDES = """
local S, moves = M.new(3.0, 2.0), 0
whole(S, "the new state")
while true do
	local sides, rule = M.moves(floats(S))
	whole({ sides, rule or 0 }, "the sides")
	local side = M.choose(S, function() return 0.5 end)
	if not side then
		break
	end
	if M.sample then
		whole(M.sample(S, function() return 0.5 end), "the sampled side")
	end
	whole(M.draw(S, whole(side, "the side") + 0.0), "boxes")
	whole(S, "the state")
	moves = moves + 1
end
return moves
"""


@pytest.mark.parametrize("text", [LEVEL_0, LEARNED], ids=["rules", "learned rules"])
def test_sides_are_integers(text: str) -> None:
    assert run(Subject(parse_rules(text).program), "module", SIDES) == {17}


def test_places_of_candidates_are_integers(sample: Subject) -> None:
    code = """
    local env = { selfblock = 2.0, block = 1.0, hand = 5.0, smallest = 4.0, rank = 9.0, run = 3.0 }
    return whole(M.choose("play", { env, env }), "the place")
    """
    assert run(sample, "module", code) == {1}


MUTATIONS = [
    ("sinker", "module", "return math.floor(S.x), math.floor(S.y)", "return S.x, S.y + 0.0"),
    ("sinker", "nested", "yield(math.floor(S.x), math.floor(S.y))", "yield(S.x + 0.0, S.y)"),
    ("sample", "player", "return best\n", "return best + 0.0\n"),
    ("sample", "module", "return best\n", "return best + 0.0\n"),
    ("guesser", "player", "code[place] = colour", "code[place] = colour + 0.0"),
    ("rules", "module", "sides[#sides + 1] = side", "sides[#sides + 1] = side + 0.0"),
    ("rules", "module", "return sides[1 +", "return 0.0 + sides[1 +"),
]


@pytest.mark.parametrize(("name", "mode", "before", "after"), MUTATIONS)
def test_floats_are_found_by_the_export_itself_and_by_a_check(
    name: str, mode: str, before: str, after: str, sample: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = {
        "sinker": sinker(),
        "sample": sample,
        "guesser": guesser(),
        "rules": Subject(parse_rules(LEVEL_0).program),
    }[name]
    text = exporter("lua").export(subject, mode)[0].text
    assert before in text
    state = import_module("lupa.lua54").LuaRuntime(unpack_returned_tuples=True)
    assert state.execute(text).selftest() == (0, None)
    failures, first = state.execute(text.replace(before, after)).selftest()
    assert failures > 0
    assert ".0" in first

    writer = {"sinker": "sinker_text", "rules": "rules_text"}.get(name, "lua_text")
    valued = name in ("sample", "guesser")
    form = valued_form if valued else language_entry(subject.program.language).part("forms.lua")
    write = getattr(form, writer)
    monkeypatch.setattr(checking, "hosts", lambda: [LupaHost(lua) for lua in ("lua51", "lua53", "lua55")])
    monkeypatch.setattr(form, writer, lambda *arguments: write(*arguments).replace(before, after))
    rows = {row.host: row.failures for row in check_export(subject, "lua", mode, evaluations=5, games=2).rows}
    assert rows["lua53"] > 1  # more than the self-test alone
    assert rows["lua55"] > 1
    assert rows["lua51"] == 0
