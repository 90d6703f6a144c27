-- How `gpkit export --check` plays one game with an exported player: all squares, from 0, how many, and the score.
return function(M, key, squares)
	local ships, word = {}, string.gmatch(squares, "%d+")
	for length in string.gmatch(M.RULES.fleet, "%d+") do
		local ship = {}
		for k = 1, tonumber(length) do
			ship[k] = tonumber(word()) + 1
		end
		ships[#ships + 1] = ship
	end
	local shots = M.play_game(ships, key)
	local out = {}
	for i, square in ipairs(shots) do
		out[i] = tostring(square - 1)
	end
	out[#out + 1] = tostring(#shots)
	out[#out + 1] = string.format("%.17g", #shots)
	return table.concat(out, " ")
end
