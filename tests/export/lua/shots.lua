local S, shots, left = M.new(7.0, 6.0, 5.0, { 3.0, 2.0 }), 0, 5
local ships = { ["2,1"] = 3, ["2,2"] = 3, ["2,3"] = 3, ["4,5"] = 2, ["5,5"] = 2 }
local lengths = { [2] = 2, [3] = 3 }
while left > 0 do
	if not S.thread and shots % 2 == 1 then
		S = floats(S)
	end
	local x, y = M.next(S)
	whole({ x, y }, "the shot")
	assert(x, y)
	assert(shots < 100)
	shots = shots + 1
	local ship = ships[x .. "," .. y]
	if ship then
		lengths[ship], left = lengths[ship] - 1, left - 1
		ships[x .. "," .. y] = nil
	end
	M.report(S, ship and (lengths[ship] == 0 and "sunk" or "hit") or "miss", ship and ship + 0.0)
end
return shots
