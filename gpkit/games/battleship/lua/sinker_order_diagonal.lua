-- The order of targets: every fourth diagonal with the longest among them, then those midway between, then the rest.
local function fill_order(S)
	local longest = (S.width + S.height - 2) / 2
	local kinds = { [0] = 0, 2, 1, 2 }
	longest = longest - longest % 1
	fill_by_kind(S, 2, function(sum)
		return kinds[(sum - longest) % 4]
	end)
end
