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

local RESULTS = { miss = MISS, hit = OPEN, sunk = OPEN }

-- Tells what the last shot did: "miss", "hit" or "sunk", and the length of the ship that sank where that is announced.
-- Any other word is an error.
function M.report(S, result, length)
	local state = RESULTS[result]
	if not state then
		error('a result is "miss", "hit" or "sunk", not ' .. tostring(result), 2)
	end
	if not on_board(S, S.x, S.y) or S.known[square_of(S, S.x, S.y)] ~= UNSHOT then
		return
	end
	S.known[square_of(S, S.x, S.y)] = state
	S.unshot = S.unshot - 1
	S.hit, S.sunk = result ~= "miss", result == "sunk"
	if S.sunk and length then
		attribute(S, S.x, S.y, length)
		for i, afloat in ipairs(S.fleet) do
			if afloat == length then
				table.remove(S.fleet, i)
				break
			end
		end
	end
	if S.sunk and DIALECT.sunk == "reset" then
		S.pc = 1
	end
end
