-- The order of targets: the squares whose column and row have an even sum, then the others.
local function fill_order(S)
	local first = 0
	for parity = 0, 1 do
		for square = 1, S.width * S.height do
			local x = (square - 1) % S.width
			if (x + (square - 1 - x) / S.width) % 2 == parity then
				S.order[#S.order + 1] = square
			end
		end
		for place = first + 1, #S.order do
			S.ends[place] = #S.order
		end
		first = #S.order
	end
end
