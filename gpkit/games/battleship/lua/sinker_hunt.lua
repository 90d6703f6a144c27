local function is_open(S, x, y)
	return on_board(S, x, y) and S.known[square_of(S, x, y)] == OPEN
end

-- The square to shoot at: the first of the order that continues a line of open hits, else one beside a hit, else any.
local function aim(S)
	local first, beside = first_unshot(S), nil
	for place = S.place, #S.order do
		local square = square_at(S, place)
		if S.known[square] == UNSHOT then
			local x = (square - 1) % S.width + 1
			local y = (square - x) / S.width + 1
			for d = 1, 4 do
				if is_open(S, x + STEP_X[d], y + STEP_Y[d]) then
					if is_open(S, x + 2 * STEP_X[d], y + 2 * STEP_Y[d]) then
						return square
					end
					beside = beside or square
				end
			end
		end
	end
	return beside or first
end
