-- Whether the largest ship afloat may lie on a square.
local function may_hold(S, square, length)
	local x = (square - 1) % S.width + 1
	local y = (square - x) / S.width + 1
	for back = 0, length - 1 do
		if x - back >= 1 and may_lie(S, x - back, y, false, length) then
			return true
		end
		if y - back >= 1 and may_lie(S, x, y - back, true, length) then
			return true
		end
	end
	return false
end

-- The square to shoot at: the first of the order on which the largest ship afloat may lie.
local function aim(S)
	local first, longest = first_unshot(S), 0
	for _, length in ipairs(S.fleet) do
		longest = length > longest and length or longest
	end
	for place = S.place, #S.order do
		local square = square_at(S, place)
		if S.known[square] == UNSHOT and may_hold(S, square, longest) then
			return square
		end
	end
	return first
end
