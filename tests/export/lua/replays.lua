local game = games[1]
local function copy(value)
	local kind = type(value)
	assert(kind == "number" or kind == "boolean" or kind == "string" or kind == "table", kind)
	if kind ~= "table" then
		return value
	end
	local out = {}
	for k, v in pairs(value) do
		out[copy(k)] = copy(v)
	end
	return out
end
local S, left, ships, shots = M.new(game.key, game.width, game.height, game.fleet), {}, {}, {}
for number, squares in ipairs(game.ships) do
	left[number] = #squares
	for _, square in ipairs(squares) do
		ships[square] = number
	end
end
for turn = 1, #game.shots do
	S = copy(S)
	local x, y = M.next(S)
	S = copy(S)
	local square = (y - 1) * S.width + x
	local ship = ships[square]
	shots[turn] = square
	if ship then
		left[ship] = left[ship] - 1
	end
	M.report(S, ship and (left[ship] == 0 and "sunk" or "hit") or "miss", ship and game.fleet[ship])
end
return table.concat(shots, " ")
