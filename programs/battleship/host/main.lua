-- Battleship against an exported program, with LÖVE (https://love2d.org, 11.0 or later). In a copy of this folder:
--
--     gpkit export PROGRAM.sink --to lua -o player.lua          (of a formula: PROGRAM.tree and --mode player)
--     love .            (or with the fleets and shots of a number: love . 7)
--
-- You and the program shoot in turns at each other's fleet; whoever sinks all ships first wins. The arrows move your
-- aim and return shoots, or click on the right board; a lets the program shoot alone, n begins again, escape quits.
--
-- player.lua has the program and what it knows, S: player.next(S) gives a column and a row, player.report(S, ...) tells
-- it what that shot did. The fleets are this file's own: a program never learns more than it is told.

-- A roster.lua, exported with `--mode roster`, has several levels, which the key l picks; without it, there is one.
local has_levels, roster = pcall(require, "roster")
local is_there, player = pcall(has_levels and roster.level or require, has_levels and roster.LEVELS[1].name or "player")
if not is_there then
	error("export a program beside this file first, see its first lines\n" .. tostring(player), 0)
end

local SIZE = 10 -- columns and rows, which count from 1, from the top left corner
local FLEET = { 5, 4, 3, 3, 2 }
local PAUSE = 0.5 -- seconds before the program shoots

-- All that changes. A side of the game is `ships`, `cells` (which ship lies on a cell, by its name "x,y"), `shots` at
-- it in their order, `results` by name of the cell, and how many of its ships are `afloat`.
local game = { level = 1 }

local function cell(x, y)
	return x .. "," .. y
end

local function is_on_board(x, y)
	return x >= 1 and y >= 1 and x <= SIZE and y <= SIZE
end

-- The cells of a ship, or nothing where it would leave the board or lie on another one.
local function cells_of_ship(cells, x, y, is_vertical, length)
	local found = {}
	for step = 0, length - 1 do
		local to_x, to_y = x + (is_vertical and 0 or step), y + (is_vertical and step or 0)
		if not is_on_board(to_x, to_y) or cells[cell(to_x, to_y)] then
			return nil
		end
		found[#found + 1] = cell(to_x, to_y)
	end
	return found
end

local function new_fleet(random)
	local side = { ships = {}, cells = {}, shots = {}, results = {}, afloat = #FLEET }
	for number, length in ipairs(FLEET) do
		local found
		repeat
			local x, y, way = random:random(SIZE), random:random(SIZE), random:random(2)
			found = cells_of_ship(side.cells, x, y, way == 2, length)
		until found
		for _, name in ipairs(found) do
			side.cells[name] = number
		end
		side.ships[number] = { length = length, left = length }
	end
	return side
end

local function new_game(seed)
	local random = love.math.newRandomGenerator(seed)
	game.seed = seed
	game.yours, game.its = new_fleet(random), new_fleet(random)
	game.S = player.new(seed % 2 ^ 26, SIZE, SIZE, FLEET)
	game.x, game.y = 5, 5
	game.is_your_turn, game.shoots_alone, game.wait = true, false, PAUSE
	game.said = "you begin"
end

local function is_over()
	return game.yours.afloat == 0 or game.its.afloat == 0
end

-- A shot at a side: "miss", "hit" or "sunk", and the length of a ship that sank.
local function shoot(side, x, y)
	local name = cell(x, y)
	local ship = side.ships[side.cells[name]]
	local result, length = "miss", nil
	if ship then
		result = "hit"
		ship.left = ship.left - 1
		if ship.left == 0 then
			result, length = "sunk", ship.length
			side.afloat = side.afloat - 1
		end
	end
	side.shots[#side.shots + 1] = { x = x, y = y }
	side.results[name] = result
	return result, length
end

local function program_shoots()
	local x, y = player.next(game.S)
	if not x then
		game.said = "the program gives up its turn: " .. y
	elseif not is_on_board(x, y) then
		game.yours.shots[#game.yours.shots + 1] = { x = x, y = y }
		game.said = "the program shot beside the board"
	else
		local result, length = shoot(game.yours, x, y)
		player.report(game.S, result, length)
		game.said = "the program shot at " .. cell(x, y) .. ": " .. result
	end
	game.is_your_turn, game.wait = not game.shoots_alone, PAUSE
end

local function you_shoot()
	if game.its.results[cell(game.x, game.y)] then
		game.said = "you have shot there already"
		return
	end
	local result = shoot(game.its, game.x, game.y)
	game.said = "you shot at " .. cell(game.x, game.y) .. ": " .. result
	game.is_your_turn, game.wait = false, PAUSE
end

function love.load(arguments)
	new_game(tonumber(arguments and arguments[1]) or os.time())
end

function love.update(seconds)
	if is_over() or game.is_your_turn then
		return
	end
	game.wait = game.wait - seconds
	if game.wait <= 0 then
		program_shoots()
	end
end

local STEPS = { left = { -1, 0 }, right = { 1, 0 }, up = { 0, -1 }, down = { 0, 1 } }

function love.keypressed(key)
	if key == "escape" then
		love.event.quit()
	elseif key == "n" then
		new_game(game.seed + 1)
	elseif key == "l" and has_levels then
		game.level, player = roster.next_level(game.level)
		new_game(game.seed + 1)
	elseif key == "a" then
		game.shoots_alone = not game.shoots_alone
		game.is_your_turn = not game.shoots_alone
	elseif STEPS[key] then
		local x, y = game.x + STEPS[key][1], game.y + STEPS[key][2]
		if is_on_board(x, y) then
			game.x, game.y = x, y
		end
	elseif key == "return" and not is_over() and game.is_your_turn then
		you_shoot()
	end
end

-- Drawing. Sizes are in pixels; a board begins one cell before its first column and row.

local CELL, TOP = 42, 60
local YOUR_LEFT, ITS_LEFT = 0, 470

function love.mousepressed(mouse_x, mouse_y)
	local x, y = math.floor((mouse_x - ITS_LEFT) / CELL), math.floor((mouse_y - TOP) / CELL)
	if is_on_board(x, y) and not is_over() and game.is_your_turn then
		game.x, game.y = x, y
		you_shoot()
	end
end

local COLOURS = { miss = { 0.35, 0.5, 0.65 }, hit = { 0.95, 0.6, 0.2 }, sunk = { 0.8, 0.15, 0.1 } }
local SEA, SHIP = { 0.15, 0.3, 0.5 }, { 0.65, 0.65, 0.65 }

-- A board with its shots; ships that have not been hit are seen where they are `open`.
local function draw_board(left, side, is_open)
	for x = 1, SIZE do
		for y = 1, SIZE do
			local name = cell(x, y)
			local number, result = side.cells[name], side.results[name]
			if result == "hit" and side.ships[number].left == 0 then
				result = "sunk"
			end
			love.graphics.setColor(COLOURS[result] or (is_open and number and SHIP) or SEA)
			love.graphics.rectangle("fill", left + x * CELL, TOP + y * CELL, CELL - 2, CELL - 2, 4)
		end
	end
end

-- What is to be done, or how it ended.
local function status()
	if is_over() then
		local winner = game.its.afloat == 0 and "You win" or "The program wins"
		return winner .. ". n begins again."
	end
	return game.is_your_turn and "Shoot: arrows and return, or click" or "The program is to shoot"
end

function love.draw()
	love.graphics.clear(0.08, 0.1, 0.15)
	draw_board(YOUR_LEFT, game.yours, true)
	draw_board(ITS_LEFT, game.its, is_over())
	love.graphics.setColor(1, 1, 1)
	love.graphics.setLineWidth(3)
	love.graphics.rectangle("line", ITS_LEFT + game.x * CELL, TOP + game.y * CELL, CELL - 2, CELL - 2, 4)
	love.graphics.print(status(), CELL, 16, 0, 1.6)
	love.graphics.print(game.said, CELL, 62, 0, 1.2)
	love.graphics.printf(has_levels and roster.told(game.level) .. "; l takes the next level" or "", CELL, 96, 840)
	local your_words = "your fleet: " .. game.yours.afloat .. " ships, " .. #game.yours.shots .. " shots"
	local its_words = "its fleet: " .. game.its.afloat .. " ships, " .. #game.its.shots .. " shots"
	love.graphics.print(your_words, YOUR_LEFT + CELL, 530)
	love.graphics.print(its_words, ITS_LEFT + CELL, 530)
end

return game -- which LÖVE ignores; for whoever else loads this file, such as a test
