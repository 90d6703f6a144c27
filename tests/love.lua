-- A `love` without a window, for the hosts in programs/*/host: the functions of LÖVE 11 that they use, which look at the
-- kinds of what they are given as LÖVE does. What was printed in the last frame is in `love.printed`, every random number
-- drawn in `love.drawn`; `love.scripted` are the next random numbers, if there are any.
local love = { graphics = {}, math = {}, event = {}, printed = {}, drawn = {}, scripted = {}, has_quit = false }

-- Checks arguments against kinds: n a number, s a string or a number, m a way to draw; behind a point they may be absent.
local function check(name, kinds, ...)
	local must, may = string.match(kinds, "^(%a*)%.?(%a*)$")
	local given = select("#", ...)
	assert(given >= #must and given <= #must + #may, name .. " takes " .. kinds .. ", not " .. given .. " arguments")
	for place = 1, given do
		local value, kind = select(place, ...), string.sub(must .. may, place, place)
		local is_right
		if kind == "n" then
			is_right = type(value) == "number" and value == value
		elseif kind == "s" then
			is_right = type(value) == "string" or type(value) == "number"
		else
			is_right = value == "fill" or value == "line"
		end
		assert(is_right, name .. ": argument " .. place .. " is " .. tostring(value))
	end
end

local KINDS = {
	clear = "nnn.n",
	rectangle = "mnnnn.nn",
	circle = "mnnn",
	line = "nnnn",
	setLineWidth = "n",
	print = "snn.nnn",
	printf = "snnn.s",
}

for name, kinds in pairs(KINDS) do
	love.graphics[name] = function(...)
		check("love.graphics." .. name, kinds, ...)
		if name == "clear" then
			love.printed = {}
		elseif name == "print" or name == "printf" then
			love.printed[#love.printed + 1] = tostring((...))
		end
	end
end

function love.graphics.setColor(...)
	local parts = type((...)) == "table" and (...) or { ... }
	assert(#parts == 3 or #parts == 4, "a colour has three or four parts")
	for _, part in ipairs(parts) do
		assert(part >= 0 and part <= 1, "a part of a colour is a number of 0 to 1")
	end
end

function love.math.newRandomGenerator(seed)
	local state = seed % 2147483646 + 1
	local generator = {}
	function generator:random(most)
		assert(self == generator)
		if #love.scripted > 0 then
			return table.remove(love.scripted, 1)
		end
		state = (state * 16807) % 2147483647
		local u = state / 2147483648
		love.drawn[#love.drawn + 1] = u
		return most and math.floor(u * most) + 1 or u
	end
	return generator
end

function love.event.quit()
	love.has_quit = true
end

return love
