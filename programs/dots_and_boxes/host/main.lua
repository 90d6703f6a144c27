-- Dots and Boxes against an exported rule list, with LÖVE (https://love2d.org, 11.0 or later). In a copy of this
-- folder:
--
--     gpkit export PROGRAM.rules --to lua -o player.lua
--     love .            (or with the random numbers of a number: love . 7)
--
-- Whoever draws the last side of a box owns it and draws again. You begin; the one with more boxes wins. A click draws
-- a side, or left and right choose one and return draws it; a lets the program draw for you, too, l takes the next
-- level, n begins again, escape quits.
--
-- player.lua knows the position S, the sides that its rules propose, and what a side closes. So all that is written
-- here is who draws (love.update for the program, keys and mouse for you), who owns what, and what it looks like.

-- A roster.lua, exported with `--mode roster`, has several levels, which the key l picks; without it, there is one.
local has_levels, roster = pcall(require, "roster")
local is_there, player = pcall(has_levels and roster.level or require, has_levels and roster.LEVELS[1].name or "player")
if not is_there then
	error("export a program beside this file first, see its first lines\n" .. tostring(player), 0)
end

local WIDTH, HEIGHT = 3, 3 -- boxes
local PAUSE = 0.6 -- seconds before the program draws
local YOU, PROGRAM = 1, 2
local NAMES = { "you", "the program" }
local COLOURS = { { 0.2, 0.6, 1.0 }, { 1.0, 0.5, 0.2 } }

-- All that changes. `S` is the position of player.lua, `sides` are those drawn so far.
local game = { level = 1 }

local function new_game(seed)
	game.seed = seed
	game.random = love.math.newRandomGenerator(seed)
	game.S = player.new(WIDTH, HEIGHT)
	game.sides, game.owners, game.boxes = {}, {}, { 0, 0 }
	game.turn, game.selected, game.wait = YOU, 1, PAUSE
	game.draws_for_you = false
	game.said = "you begin"
end

-- Sides count from 1: the horizontal ones row by row, then the vertical ones row by row. A side as its two ends, in
-- boxes from the top left corner.
local function ends_of(side)
	local horizontal = WIDTH * (HEIGHT + 1)
	if side <= horizontal then
		local x = (side - 1) % WIDTH
		local y = (side - 1 - x) / WIDTH
		return x, y, x + 1, y
	end
	local place = side - horizontal - 1
	local x = place % (WIDTH + 1)
	local y = (place - x) / (WIDTH + 1)
	return x, y, x, y + 1
end

-- The sides of the box in a column and a row, both from 0: above, below, left, right.
local function sides_of(x, y)
	local left = WIDTH * (HEIGHT + 1) + y * (WIDTH + 1) + x + 1
	return { y * WIDTH + x + 1, (y + 1) * WIDTH + x + 1, left, left + 1 }
end

local function undrawn_sides()
	local sides = {}
	for side, is_drawn in ipairs(game.S.drawn) do
		if not is_drawn then
			sides[#sides + 1] = side
		end
	end
	return sides
end

local function is_over()
	return #undrawn_sides() == 0
end

local function is_your_turn()
	return game.turn == YOU and not game.draws_for_you
end

-- Writes down who owns the boxes that have just been closed.
local function own_closed_boxes()
	for y = 0, HEIGHT - 1 do
		for x = 0, WIDTH - 1 do
			local sides, is_closed = sides_of(x, y), true
			for _, side in ipairs(sides) do
				is_closed = is_closed and game.S.drawn[side]
			end
			local box = y * WIDTH + x + 1
			if is_closed and not game.owners[box] then
				game.owners[box] = game.turn
				game.boxes[game.turn] = game.boxes[game.turn] + 1
			end
		end
	end
end

-- Draws a side for whoever is to draw, who goes on after closing a box.
local function draw_side(side)
	local closed = player.draw(game.S, side)
	game.sides[#game.sides + 1] = side
	game.said = NAMES[game.turn] .. " drew a side" .. (closed > 0 and " and closed " .. closed or "")
	own_closed_boxes()
	if closed == 0 then
		game.turn = game.turn == YOU and PROGRAM or YOU
	end
	game.selected, game.wait = 1, PAUSE
end

function love.load(arguments)
	new_game(tonumber(arguments and arguments[1]) or os.time())
end

function love.update(seconds)
	if is_over() or is_your_turn() then
		return
	end
	game.wait = game.wait - seconds
	if game.wait <= 0 then
		-- Where a rule proposes several sides, a random number of [0, 1) decides.
		draw_side(player.choose(game.S, function()
			return game.random:random()
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
		new_game(game.seed + 1)
	elseif key == "a" then
		game.draws_for_you = not game.draws_for_you
	elseif not is_over() and is_your_turn() then
		local sides = undrawn_sides()
		if key == "left" then
			game.selected = (game.selected - 2) % #sides + 1
		elseif key == "right" then
			game.selected = game.selected % #sides + 1
		elseif key == "return" then
			draw_side(sides[game.selected])
		end
	end
end

-- Drawing. Sizes are in pixels.

local BOX, LEFT, TOP = 150, 95, 120

local function on_screen(x, y)
	return LEFT + x * BOX, TOP + y * BOX
end

function love.mousepressed(mouse_x, mouse_y)
	if is_over() or not is_your_turn() then
		return
	end
	for _, side in ipairs(undrawn_sides()) do
		local x, y, to_x, to_y = ends_of(side)
		local middle_x, middle_y = on_screen((x + to_x) / 2, (y + to_y) / 2)
		if math.abs(mouse_x - middle_x) + math.abs(mouse_y - middle_y) < BOX / 2 then
			draw_side(side)
			return
		end
	end
end

local function draw_boxes()
	for box, owner in pairs(game.owners) do
		local column = (box - 1) % WIDTH
		local x, y = on_screen(column, (box - 1 - column) / WIDTH)
		local colour = COLOURS[owner]
		love.graphics.setColor(colour[1], colour[2], colour[3], 0.5)
		love.graphics.rectangle("fill", x + 6, y + 6, BOX - 12, BOX - 12)
	end
end

local function draw_sides()
	local selected = is_your_turn() and undrawn_sides()[game.selected]
	for side, is_drawn in ipairs(game.S.drawn) do
		local x, y, to_x, to_y = ends_of(side)
		local from_x, from_y = on_screen(x, y)
		local end_x, end_y = on_screen(to_x, to_y)
		local colour = is_drawn and { 1, 1, 1 } or side == selected and COLOURS[YOU] or { 0.25, 0.25, 0.3 }
		love.graphics.setColor(colour)
		love.graphics.setLineWidth(side == game.sides[#game.sides] and 10 or 5)
		love.graphics.line(from_x, from_y, end_x, end_y)
	end
end

local function draw_dots()
	love.graphics.setColor(1, 1, 1)
	for x = 0, WIDTH do
		for y = 0, HEIGHT do
			local screen_x, screen_y = on_screen(x, y)
			love.graphics.circle("fill", screen_x, screen_y, 8)
		end
	end
end

-- What is to be done, or how it ended.
local function status()
	if is_over() then
		local lead = game.boxes[YOU] - game.boxes[PROGRAM]
		local ending = lead > 0 and "You win" or lead < 0 and "The program wins" or "Nobody wins"
		return ending .. ". n begins again."
	end
	return is_your_turn() and "Draw a side" or "The program is to draw"
end

function love.draw()
	love.graphics.clear(0.12, 0.12, 0.16)
	draw_boxes()
	draw_sides()
	draw_dots()
	love.graphics.setColor(1, 1, 1)
	love.graphics.print(status(), LEFT, 24, 0, 1.6)
	love.graphics.print(game.said, LEFT, 64)
	love.graphics.printf(has_levels and roster.told(game.level) .. "; l takes the next level" or "", LEFT, 84, 640)
	love.graphics.print("you " .. game.boxes[YOU] .. " : " .. game.boxes[PROGRAM] .. " the program", LEFT, 600, 0, 1.4)
end

return game -- which LÖVE ignores; for whoever else loads this file, such as a test
