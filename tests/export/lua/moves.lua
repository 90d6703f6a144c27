local M, score, text = ...
local S = M.new(3, 3)
local out = {}
for word in text:gmatch("%d+") do
	local mask, bit = tonumber(word), 1
	for side = 1, #S.drawn do
		S.drawn[side] = mask % (2 * bit) >= bit
		bit = 2 * bit
	end
	S.score = score
	local moves, rule = M.moves(S)
	local found = 0
	for _, side in ipairs(moves) do
		found = found + 2 ^ (side - 1)
	end
	out[#out + 1] = string.format("%d %d", found, rule or 0)
end
return table.concat(out, " ")
