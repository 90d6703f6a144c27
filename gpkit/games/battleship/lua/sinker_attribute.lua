-- Marks the straight run of open hits through a square that the ship which sank there must be.
local function attribute(S, x, y, length)
	for way = 1, 2 do
		local dx, dy = way == 1 and 1 or 0, way == 1 and 0 or 1
		for back = length - 1, 0, -1 do
			local run = 0
			while run < length do
				local to_x, to_y = x + dx * (run - back), y + dy * (run - back)
				if not on_board(S, to_x, to_y) or S.known[square_of(S, to_x, to_y)] ~= OPEN then
					break
				end
				run = run + 1
			end
			if run == length then
				for k = -back, length - 1 - back do
					S.known[square_of(S, x + dx * k, y + dy * k)] = SUNKEN
				end
				return
			end
		end
	end
end
