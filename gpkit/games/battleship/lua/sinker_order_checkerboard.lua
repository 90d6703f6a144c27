-- The order of targets: the squares whose column and row have an even sum, then the others.
local function fill_order(S)
	fill_by_kind(S, 1, function(sum)
		return sum % 2
	end)
end
