--- The shot of this player: a column and a row, or nothing if no square is left, and why. The host answers with
--- M.report and asks again. Of equal values the first counts, in an order that the key decides; NaN loses to all.
---@param S table
---@return integer?
---@return integer|string
function M.next(S)
	if S.unshot == 0 then
		return nil, "no square left"
	end
	local best, highest = first_unshot(S), nil
	local sensors = M.sense(S)
	for place = S.place, #S.order do
		local square = square_at(S, place)
		if S.known[square] == UNSHOT then
			local value = M.shoot(sensors[square], keyed_source(S.key, S.turns, square - 1))
			if value == value and (highest == nil or value > highest) then
				best, highest = square, value
			end
		end
	end
	S.x = (best - 1) % S.width + 1
	S.y = math.floor((best - S.x) / S.width) + 1
	return S.x, S.y
end

local RESULTS = { miss = MISS, hit = OPEN, sunk = OPEN }

--- Tells what the last shot did.
---@param S table
---@param result string miss, hit or sunk; any other word is an error
---@param length? integer of the ship that sank, where that is announced
function M.report(S, result, length)
	local state, square = RESULTS[result], square_of(S, S.x, S.y)
	if not state then
		error('a result is "miss", "hit" or "sunk", not ' .. tostring(result), 2)
	end
	if S.known[square] ~= UNSHOT then
		return
	end
	S.known[square] = state
	S.unshot, S.turns = S.unshot - 1, S.turns + 1
	if result == "sunk" and length then
		attribute(S, S.x, S.y, length)
		for i, afloat in ipairs(S.fleet) do
			if afloat == length then
				table.remove(S.fleet, i)
				break
			end
		end
	end
end

--- A whole game: the squares shot at, in order, until all ships are sunk.
---@param ships integer[][] the squares of each ship, the longest first
---@param key? integer
---@return integer[]
function M.play_game(ships, key)
	local S, shots, lies, left, afloat = M.new(key), {}, {}, {}, #ships
	for ship, squares in ipairs(ships) do
		left[ship] = #squares
		for _, square in ipairs(squares) do
			lies[square] = ship
		end
	end
	while afloat > 0 do
		local x, y = M.next(S)
		shots[#shots + 1] = square_of(S, x, y)
		local ship = lies[shots[#shots]]
		if ship then
			left[ship] = left[ship] - 1
			local sinks = left[ship] == 0
			afloat = afloat - (sinks and 1 or 0)
			local is_told = sinks and S.announce ~= "hit"
			M.report(S, is_told and "sunk" or "hit", sinks and S.announce == "ship" and #ships[ship] or nil)
		else
			M.report(S, "miss")
		end
	end
	return shots
end
