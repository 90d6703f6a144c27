-- The order of targets: row by row.
local function fill_order(S)
	for square = 1, S.width * S.height do
		S.order[square], S.ends[square] = square, square
	end
end
