-- The order of targets: all squares alike.
local function fill_order(S)
	for square = 1, S.width * S.height do
		S.order[square], S.ends[square] = square, S.width * S.height
	end
end
