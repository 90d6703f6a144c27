-- Connect Four against an exported program, with LÖVE (https://love2d.org, 11.0 or later). In a copy of this folder:
--
--     gpkit export PROGRAM.tree --game connect_four.py --to lua --mode player -o player.lua
--     love .            (or with the random numbers of a number: love . 7)
--
-- You drop discs in turn; four of one's own in a row, a column or a diagonal win. Keys: left and right choose a column,
-- return drops a disc, or a click does both; a lets the program play for you, too, n begins again with the other
-- player, escape quits.
--
-- rules.lua has the game: who is to move, the legal columns, the end, and what programs see of a move, for which
-- player.lua asks. So all that is written here is who moves (love.update for the program, keys and mouse for you) and
-- what it looks like (love.draw).

-- A roster.lua, exported with `--mode roster`, has several levels, which the key l picks; without it, there is one.
local has_levels, roster = pcall(require, "roster")
local is_there, player = pcall(has_levels and roster.level or require, has_levels and roster.LEVELS[1].name or "player")
if not is_there then
	error("export a program beside this file first, see its first lines\n" .. tostring(player), 0)
end

local rules = require("rules")

local PAUSE = 0.6 -- seconds before the program drops a disc
local COLOURS = { [0] = { 0.95, 0.8, 0.2 }, { 0.9, 0.25, 0.2 } }

-- All that changes. `state` is that of rules.lua, `columns` are those of the discs dropped so far, `you` is your player.
local game = { level = 1, rules = rules, program = player.new(rules) }

local function new_game(seed)
	game.seed = seed
	game.state = rules.begin()
	game.columns = {}
	game.you = seed % 2
	game.selected, game.wait = math.floor(rules.COLUMNS / 2), PAUSE
	game.plays_for_you = false
	game.said = game.you == 0 and "you begin" or "the program begins"
end

local function is_your_turn()
	return not rules.is_over(game.state) and game.state.player == game.you and not game.plays_for_you
end

-- Drops a disc for whoever is to move.
local function drop(column)
	local mover = game.state.player == game.you and "you" or "the program"
	rules.apply(game.state, column)
	game.columns[#game.columns + 1] = column
	game.said = mover .. " dropped a disc into column " .. (column + 1)
	game.wait = PAUSE
end

-- Drops your disc if the column takes one.
local function try(column)
	for _, legal in ipairs(rules.legal(game.state)) do
		if legal == column then
			return drop(column)
		end
	end
	game.said = "this column is full"
end

function love.load(arguments)
	new_game(tonumber(arguments and arguments[1]) or os.time())
end

function love.update(seconds)
	if rules.is_over(game.state) or is_your_turn() then
		return
	end
	game.wait = game.wait - seconds
	if game.wait <= 0 then
		-- What a program draws at random follows from the number of the game, the moves so far and the column.
		drop(player.choose(game.program, game.state, function(column)
			return player.keyed(game.seed % 2 ^ 26, #game.columns, column)
		end))
	end
end

function love.keypressed(key)
	if key == "escape" then
		love.event.quit()
	elseif key == "n" then
		new_game(game.seed + 1)
	elseif key == "l" and has_levels then
		game.level, player = roster.next_level(game.level)
		game.program = player.new(rules)
		new_game(game.seed + 1)
	elseif key == "a" then
		game.plays_for_you = not game.plays_for_you
	elseif is_your_turn() then
		if key == "left" then
			game.selected = (game.selected - 1) % rules.COLUMNS
		elseif key == "right" then
			game.selected = (game.selected + 1) % rules.COLUMNS
		elseif key == "return" then
			try(game.selected)
		end
	end
end

-- Drawing. Sizes are in pixels.

local SQUARE, LEFT, TOP = 90, 45, 150

function love.mousepressed(mouse_x)
	local column = math.floor((mouse_x - LEFT) / SQUARE)
	if is_your_turn() and column >= 0 and column < rules.COLUMNS then
		game.selected = column
		try(column)
	end
end

local function middle_of(column, row)
	return LEFT + (column + 0.5) * SQUARE, TOP + (rules.ROWS - row - 0.5) * SQUARE
end

local function draw_board()
	love.graphics.setColor(0.15, 0.3, 0.7)
	love.graphics.rectangle("fill", LEFT, TOP, rules.COLUMNS * SQUARE, rules.ROWS * SQUARE, 12)
	for column = 0, rules.COLUMNS - 1 do
		for row = 0, rules.ROWS - 1 do
			local owner = game.state.columns[column + 1][row + 1]
			local x, y = middle_of(column, row)
			love.graphics.setColor(owner and COLOURS[owner] or { 0.08, 0.12, 0.3 })
			love.graphics.circle("fill", x, y, SQUARE * 0.4)
		end
	end
end

-- A ring around the disc that was dropped last, and your next disc above the column that is selected.
local function draw_marks()
	local last = game.columns[#game.columns]
	if last then
		local x, y = middle_of(last, #game.state.columns[last + 1] - 1)
		love.graphics.setColor(1, 1, 1)
		love.graphics.setLineWidth(4)
		love.graphics.circle("line", x, y, SQUARE * 0.4)
	end
	if is_your_turn() then
		local x, y = middle_of(game.selected, rules.ROWS)
		love.graphics.setColor(COLOURS[game.you])
		love.graphics.circle("fill", x, y + SQUARE * 0.05, SQUARE * 0.3)
	end
end

-- What is to be done, or how it ended.
local function status()
	if rules.is_over(game.state) then
		local winner = game.state.winner
		local ending = winner == nil and "Nobody wins" or winner == game.you and "You win" or "The program wins"
		return ending .. ". n begins again."
	end
	return is_your_turn() and "Drop a disc: left, right, return" or "The program is to drop a disc"
end

function love.draw()
	love.graphics.clear(0.12, 0.12, 0.16)
	draw_board()
	draw_marks()
	love.graphics.setColor(1, 1, 1)
	love.graphics.print(status(), LEFT, 16, 0, 1.6)
	love.graphics.print(game.said, LEFT, 54)
	love.graphics.printf(has_levels and roster.told(game.level) .. "; l takes the next level" or "", LEFT, 76, 630)
end

return game -- which LÖVE ignores; for whoever else loads this file, such as a test
