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
