-- The order of targets: every fourth diagonal with the longest among them, then those midway between, then the rest.
local function fill_order(S)
	local longest = (S.width + S.height - 2) / 2
	local kinds = { [0] = 0, 2, 1, 2 }
	local first = 0
	longest = longest - longest % 1
	for kind = 0, 2 do
		for square = 1, S.width * S.height do
			local x = (square - 1) % S.width
			if kinds[(x + (square - 1 - x) / S.width - longest) % 4] == kind then
				S.order[#S.order + 1] = square
			end
		end
		for place = first + 1, #S.order do
			S.ends[place] = #S.order
		end
		first = #S.order
	end
end
