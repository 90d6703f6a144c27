-- The ways in which a ship can lie on the board, as squares.
local function ways_of(S, length)
	local ways = {}
	for square = 1, #S.known do
		local x = (square - 1) % S.width + 1
		local y = (square - x) / S.width + 1
		for way = 1, 2 do -- two of a ship of one square, too, so that fleets are those of other hosts
			if may_lie(S, x, y, way == 2, length) then
				local squares = {}
				for k = 0, length - 1 do
					squares[k + 1] = square_of(S, x + (way == 2 and 0 or k), y + (way == 2 and k or 0))
				end
				ways[#ways + 1] = squares
			end
		end
	end
	return ways
end

-- Whether none of these squares is taken.
local function are_free(squares, taken)
	for _, square in ipairs(squares) do
		if taken[square] then
			return false
		end
	end
	return true
end

-- Takes the squares of a ship, and those around it where ships may not touch.
local function take(S, squares, taken)
	local reach = S.touch and 0 or 1
	for _, square in ipairs(squares) do
		local x = (square - 1) % S.width + 1
		local y = (square - x) / S.width + 1
		for row = y - reach, y + reach do
			for column = x - reach, x + reach do
				if on_board(S, column, row) then
					taken[square_of(S, column, row)] = true
				end
			end
		end
	end
end

-- A fleet that depends only on a key: the longest ship first, each anywhere that it fits beside those before it;
-- all of them anew where one finds no place in 10,000 draws.
local function keyed_fleet(key)
	local S, ships, taken, draw, tries = M.new(key), {}, {}, 100000, 0
	while #ships < #S.fleet do
		local ways = ways_of(S, S.fleet[#ships + 1])
		local place = keyed_uniform(key, draw, #ships) * #ways
		local squares = ways[place - place % 1.0 + 1]
		draw, tries = draw + 1, tries + 1
		if are_free(squares, taken) then
			take(S, squares, taken)
			ships[#ships + 1], tries = squares, 0
		elseif tries == 10000 then
			ships, taken, tries = {}, {}, 0
		end
	end
	return ships
end

-- Plays whole games, with keys from 1 on, from which the fleets follow, and compares a hash of all shots.
local function check_games(count, expected)
	local hash, float = 0.0, nil
	for key = 1, count do
		local shots = M.play_game(keyed_fleet(key), key)
		for _, square in ipairs(shots) do
			hash = mix(hash, square - 1)
			if not is_integer(square) then
				float = square
			end
		end
		hash = mix(hash, #shots)
	end
	if float then
		return 1, "whole games: square " .. float .. " is no integer"
	elseif hash == expected then
		return 0, nil
	end
	return 1, string.format("whole games: hash %.0f instead of %.0f", hash, expected)
end
