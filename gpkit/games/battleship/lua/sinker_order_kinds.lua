-- Fills the order with the squares of one kind after another, 0 to `last`. The kind of a square follows from the sum of
-- its column and row, which count from 0 here.
local function fill_by_kind(S, last, kind_of)
	local first = 0
	for kind = 0, last do
		for square = 1, S.width * S.height do
			local x = (square - 1) % S.width
			if kind_of(x + (square - 1 - x) / S.width) == kind then
				S.order[#S.order + 1] = square
			end
		end
		for place = first + 1, #S.order do
			S.ends[place] = #S.order
		end
		first = #S.order
	end
end
