-- Plays a recorded game: the fleet, as squares by ship, what is announced at a sinking ("ship": which one, "sunk": that
-- one did, "hit": nothing), and the shots that are expected. Returns the first difference.
local function replay(game)
	local S = M.new(game.key, game.width, game.height, game.fleet)
	local left, ships = {}, {}
	for number, squares in ipairs(game.ships) do
		left[number] = #squares
		for _, square in ipairs(squares) do
			ships[square] = number
		end
	end
	for turn, expected in ipairs(game.shots) do
		local x, y = M.next(S)
		local square = x and ((x < 1 or y < 1 or x > S.width or y > S.height) and 0 or (y - 1) * S.width + x) or -1
		if tostring(square) ~= tostring(expected) then -- as text, in which a float is none of the integers
			return string.format("key %d, shot %d: square %s instead of %d", game.key, turn, tostring(square), expected)
		end
		local ship = ships[square]
		if ship then
			ships[square] = nil
			left[ship] = left[ship] - 1
			if left[ship] > 0 or game.announce == "hit" then
				M.report(S, "hit")
			else
				M.report(S, "sunk", game.announce == "ship" and game.fleet[ship] or nil)
			end
		elseif square > 0 then
			M.report(S, "miss")
		end
	end
	return nil
end
