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

local function on_board(S, x, y)
	return x >= 1 and y >= 1 and x <= S.width and y <= S.height
end

local function square_of(S, x, y)
	return (y - 1) * S.width + x
end

-- The square at a place of the order, which is shuffled as far as it has been asked for.
local function square_at(S, place)
	while S.shuffled < place do
		local here = S.shuffled + 1
		local left = S.ends[here] - here + 1
		if left > 1 then
			local u = keyed_uniform(S.key, here - 1, 0) * left
			local other = here + (u - u % 1)
			S.order[here], S.order[other] = S.order[other], S.order[here]
		end
		S.shuffled = here
	end
	return S.order[place]
end

local function first_unshot(S)
	while S.known[square_at(S, S.place)] ~= UNSHOT do
		S.place = S.place + 1
	end
	return S.order[S.place]
end
