local UNSHOT, MISS, OPEN, SUNKEN = 0, 1, 2, 3
local STEP_X, STEP_Y = { 0, 1, 0, -1 }, { -1, 0, 1, 0 }
local BUDGET = 1000

-- The state of a game. Columns and rows count from 1, from the top left corner. `key` is a whole number of 0 to
-- 2^26 - 1; the same key gives the same game. `fleet` lists the lengths of the ships.
function M.new(key, width, height, fleet)
	width, height = size(width or 10, "width"), size(height or 10, "height")
	local S = {
		key = math.floor(key or 1),
		width = width,
		height = height,
		fleet = {},
		known = {},
		unshot = width * height,
		order = {},
		ends = {},
		place = 1,
		shuffled = 0,
		draws = 0,
		used = {},
		turns = 0,
		pc = 1,
		steps = 0,
		x = 1,
		y = 1,
		temp_x = 1,
		temp_y = 1,
		dir = 1,
		hit = false,
		flag = false,
		sunk = false,
		count = 0,
	}
	for i, length in ipairs(fleet or { 5, 4, 3, 3, 2 }) do
		S.fleet[i] = size(length, "length of a ship")
	end
	for square = 1, width * height do
		S.known[square] = UNSHOT
	end
	fill_order(S)
	return S
end
