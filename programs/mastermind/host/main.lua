-- Mastermind against an exported program, with LÖVE (https://love2d.org, 11.0 or later). In a copy of this folder:
--
--     gpkit export PROGRAM.tree --game mastermind --to lua --mode player -o player.lua
--     love .            (or with the hidden code of a number: love . 7)
--
-- First make a code for the program to break, then you and the program guess in turns, each at a code of its own;
-- whoever needs fewer guesses wins. Keys: left and right choose a peg, up and down its colour, return says the code;
-- n begins again, escape quits.
--
-- player.lua knows the codes, the answers and the guess of the program after some turns. So all that is written here is
-- who guesses (love.update for the program, love.keypressed for you) and what it looks like (love.draw).

-- A roster.lua, exported with `--mode roster`, has several levels, which the key l picks; without it, there is one.
local has_levels, roster = pcall(require, "roster")
local is_there, player = pcall(has_levels and roster.level or require, has_levels and roster.LEVELS[1].name or "player")
if not is_there then
	error("export a program beside this file first, see its first lines\n" .. tostring(player), 0)
end

local LENGTH, COLOURS, MOST = player.RULES.length, player.RULES.colours, player.RULES.guesses
local PAUSE = 0.6 -- seconds before the program guesses

-- All that changes. `phase` is "hide" while you make a code, then "guess"; `code` is what your keys change. A breaker
-- is its `secret`, which it does not know, and its `turns`: guesses with their answers, as player.lua wants them.
local game = { level = 1 }

local function first_code()
	local code = {}
	for place = 1, LENGTH do
		code[place] = player.RULES.repeats and 1 or place
	end
	return code
end

local function random_code(random)
	local codes = player.codes_left({})
	return codes[random:random(#codes)]
end

local function new_game(seed)
	game.seed = seed
	game.key = seed % 2 ^ 26 -- of what the program draws at random
	game.phase, game.code, game.selected = "hide", first_code(), 1
	game.you = { secret = random_code(love.math.newRandomGenerator(seed)), turns = {} }
	game.program = { secret = nil, turns = {} }
	game.is_your_turn, game.wait = true, PAUSE
	game.said = "make a code for the program to break"
end

local function has_broken(breaker)
	local last = breaker.turns[#breaker.turns]
	return last ~= nil and last.black == LENGTH
end

local function is_done(breaker)
	return has_broken(breaker) or #breaker.turns == MOST
end

local function is_over()
	return game.phase == "guess" and is_done(game.you) and is_done(game.program)
end

-- A guess and its answer. Then the other one is to guess, if it is not done.
local function guess(breaker, code)
	local black, white = player.feedback(code, breaker.secret)
	breaker.turns[#breaker.turns + 1] = { guess = code, black = black, white = white }
	local other = breaker == game.you and game.program or game.you
	local is_yours = breaker == game.you
	if not is_done(other) then
		is_yours = not is_yours
	end
	game.is_your_turn, game.wait = is_yours, PAUSE
	game.said = black .. " black, " .. white .. " white"
end

-- Without repeated colours some lists of pegs are no codes.
local function is_code(code)
	local had = {}
	for _, colour in ipairs(code) do
		if had[colour] and not player.RULES.repeats then
			return false
		end
		had[colour] = true
	end
	return true
end

-- Takes the code that your keys have made: as the one to break, or as your guess.
local function say_code()
	if not is_code(game.code) then
		game.said = "no colour may come twice"
		return
	end
	local code = game.code
	game.code, game.selected = first_code(), 1
	if game.phase == "hide" then
		game.program.secret, game.phase = code, "guess"
		game.said = "now break the code of the program"
	else
		guess(game.you, code)
	end
end

function love.load(arguments)
	new_game(tonumber(arguments and arguments[1]) or os.time())
end

function love.update(seconds)
	if game.phase == "hide" or game.is_your_turn or is_over() then
		return
	end
	game.wait = game.wait - seconds
	if game.wait <= 0 then
		guess(game.program, player.choose(game.program.turns, game.key))
	end
end

function love.keypressed(key)
	local colour = game.code[game.selected]
	if key == "escape" then
		love.event.quit()
	elseif key == "n" then
		new_game(game.seed + 1)
	elseif key == "l" and has_levels then
		game.level, player = roster.next_level(game.level)
		new_game(game.seed + 1)
	elseif is_over() or not game.is_your_turn then
		return
	elseif key == "left" then
		game.selected = (game.selected - 2) % LENGTH + 1
	elseif key == "right" then
		game.selected = game.selected % LENGTH + 1
	elseif key == "up" then
		game.code[game.selected] = colour % COLOURS + 1
	elseif key == "down" then
		game.code[game.selected] = (colour - 2) % COLOURS + 1
	elseif key == "return" then
		say_code()
	end
end

-- Drawing. Sizes are in pixels.

local PEG, ROW, TOP = 44, 48, 150
local PAINT = {
	{ 0.9, 0.2, 0.2 },
	{ 0.2, 0.7, 0.3 },
	{ 0.25, 0.45, 0.95 },
	{ 0.95, 0.85, 0.2 },
	{ 0.95, 0.55, 0.15 },
	{ 0.65, 0.3, 0.8 },
	{ 0.3, 0.85, 0.85 },
	{ 0.95, 0.6, 0.75 },
	{ 0.6, 0.45, 0.3 },
	{ 0.8, 0.8, 0.8 },
}

local function draw_code(left, y, code)
	for place, colour in ipairs(code) do
		love.graphics.setColor(PAINT[(colour - 1) % #PAINT + 1])
		love.graphics.circle("fill", left + place * PEG, y + PEG / 2, PEG / 2 - 5)
		love.graphics.setColor(0, 0, 0)
		love.graphics.print(tostring(colour), left + place * PEG - 4, y + PEG / 2 - 7)
	end
end

local function draw_turns(left, title, breaker)
	love.graphics.setColor(1, 1, 1)
	love.graphics.print(title .. (has_broken(breaker) and ": broken" or ""), left + PEG / 2, TOP - 28, 0, 1.2)
	for number, turn in ipairs(breaker.turns) do
		local y = TOP + (number - 1) * ROW
		draw_code(left, y, turn.guess)
		love.graphics.setColor(1, 1, 1)
		love.graphics.print(turn.black .. " black " .. turn.white .. " white", left + (LENGTH + 1) * PEG, y + 14)
	end
end

-- What is to be done, or how it ended.
local function status()
	if is_over() then
		local lead = #game.program.turns - #game.you.turns
		if has_broken(game.you) ~= has_broken(game.program) then
			lead = has_broken(game.you) and 1 or -1
		end
		local ending = lead > 0 and "You win" or lead < 0 and "The program wins" or "Nobody wins"
		return ending .. ". n begins again."
	elseif game.phase == "hide" then
		return "Make a code: arrows and return"
	end
	return game.is_your_turn and "Guess: arrows and return" or "The program is to guess"
end

function love.draw()
	love.graphics.clear(0.15, 0.13, 0.12)
	love.graphics.setColor(1, 1, 1)
	love.graphics.print(status(), 20, 12, 0, 1.6)
	love.graphics.print(game.said, 20, 44)
	love.graphics.printf(has_levels and roster.told(game.level) .. "; l takes the next level" or "", 380, 16, 250)
	if not is_over() then
		draw_code(0, 66, game.code)
		love.graphics.setColor(1, 1, 1)
		love.graphics.circle("line", game.selected * PEG, 66 + PEG / 2, PEG / 2 - 2)
	end
	draw_turns(0, "You", game.you)
	draw_turns(360, "The program", game.program)
	if game.phase == "guess" then
		draw_code(360, 66, game.program.secret)
	end
	if is_over() then
		draw_code(0, 66, game.you.secret)
	end
end

return game -- which LÖVE ignores; for whoever else loads this file, such as a test
