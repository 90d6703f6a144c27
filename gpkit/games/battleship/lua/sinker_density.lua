local function count_placements(S, counts, length, on_hits)
	for square = 1, #S.known do
		local x = (square - 1) % S.width + 1
		local y = (square - x) / S.width + 1
		for way = 1, length == 1 and 1 or 2 do
			local vertical = way == 2
			local hits = may_lie(S, x, y, vertical, length)
			if hits and (hits > 0 or not on_hits) then
				local weight = 1
				for _ = 1, hits < 10 and hits or 10 do
					weight = weight * 16
				end
				for k = 0, length - 1 do
					local covered = square_of(S, x + (vertical and 0 or k), y + (vertical and k or 0))
					counts[covered] = counts[covered] + weight
				end
			end
		end
	end
end

-- The square to shoot at: the one that most placements of ships afloat cover, the first of the order among equals.
local function aim(S)
	local counts, on_hits = {}, false
	for square = 1, #S.known do
		counts[square] = 0
		on_hits = on_hits or S.known[square] == OPEN
	end
	for _, length in ipairs(S.fleet) do
		count_placements(S, counts, length, on_hits)
	end
	local best = first_unshot(S)
	for place = S.place, #S.order do
		local square = square_at(S, place)
		if S.known[square] == UNSHOT and counts[square] > counts[best] then
			best = square
		end
	end
	return best
end
