-- By square how many placements of ships afloat cover it, by the open hits that they cover: 0, 1, 2, 3 and more.
local function count_covers(S)
	local counts = {}
	for square = 1, #S.known do
		counts[square] = { 0.0, 0.0, 0.0, 0.0 }
	end
	for _, length in ipairs(S.fleet) do
		for square = 1, #S.known do
			local x = (square - 1) % S.width + 1
			local y = (square - x) / S.width + 1
			for way = 1, length == 1 and 1 or 2 do
				local hits = may_lie(S, x, y, way == 2, length)
				for k = 0, hits and length - 1 or -1 do
					local count = counts[square + (way == 2 and k * S.width or k)]
					local place = hits < 3 and hits + 1 or 4
					count[place] = count[place] + 1.0
				end
			end
		end
	end
	return counts
end

local STEPS = { { 0, -1 }, { 1, 0 }, { 0, 1 }, { -1, 0 } }

-- What lies beside a square: the sides with open hits, the longest line of these, and the sides where no ship can lie.
local function look_around(S, x, y)
	local beside, line, blocked = 0.0, 0.0, 0.0
	for _, step in ipairs(STEPS) do
		local run, to_x, to_y = 0.0, x + step[1], y + step[2]
		local state = on_board(S, to_x, to_y) and S.known[square_of(S, to_x, to_y)] or MISS
		if state == MISS or state == SUNKEN then
			blocked = blocked + 1.0
		end
		while state == OPEN do
			run, to_x, to_y = run + 1.0, to_x + step[1], to_y + step[2]
			state = on_board(S, to_x, to_y) and S.known[square_of(S, to_x, to_y)]
		end
		beside = beside + (run > 0.0 and 1.0 or 0.0)
		line = run > line and run or line
	end
	return beside, line, blocked
end

-- The columns and rows to the nearest open hit, 0 if there is none.
local function nearest_open(S, x, y)
	local least = 0.0
	for square, state in ipairs(S.known) do
		if state == OPEN then
			local column = (square - 1) % S.width + 1
			local row = (square - column) / S.width + 1
			local distance = math.abs(row - y) + math.abs(column - x) + 0.0
			least = (least == 0.0 or distance < least) and distance or least
		end
	end
	return least
end

--- What the formula sees of the squares not yet shot at, by square; ships count as afloat until it is announced that
--- they sank, and which.
---@param S table
---@return table<integer, table<string, number>>
function M.sense(S)
	local covers, sensors, opened = count_covers(S), {}, 0.0
	for _, state in ipairs(S.known) do
		opened = opened + (state == OPEN and 1.0 or 0.0)
	end
	for square, state in ipairs(S.known) do
		if state == UNSHOT then
			local x = (square - 1) % S.width + 1
			local y = (square - x) / S.width + 1
			local beside, line, blocked = look_around(S, x, y)
			sensors[square] = {
				cover = covers[square][1],
				cover1 = covers[square][2],
				cover2 = covers[square][3],
				cover3 = covers[square][4],
				parity = (x + y) % 2 + 0.0,
				beside = beside,
				line = line,
				near = nearest_open(S, x, y),
				edge = math.min(x - 1, y - 1, S.width - x, S.height - y) + 0.0,
				blocked = blocked,
				open = opened,
				longest = (S.fleet[1] or 0) + 0.0,
				shortest = (S.fleet[#S.fleet] or 0) + 0.0,
				afloat = #S.fleet + 0.0,
				left = S.unshot + 0.0,
				turns = S.turns + 0.0,
			}
		end
	end
	sense_beliefs(S, sensors)
	return sensors
end
