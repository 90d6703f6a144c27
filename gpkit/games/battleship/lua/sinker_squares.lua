local function on_board(S, x, y)
	return x >= 1 and y >= 1 and x <= S.width and y <= S.height
end

local function square_of(S, x, y)
	return (y - 1) * S.width + x
end

-- The square at a place of the order, which is shuffled as far as it has been asked for.
local function square_at(S, place)
	while S.shuffled < place do
		local here = S.shuffled + 1
		local left = S.ends[here] - here + 1
		if left > 1 then
			local u = keyed_uniform(S.key, here - 1, 0) * left
			local other = here + (u - u % 1)
			S.order[here], S.order[other] = S.order[other], S.order[here]
		end
		S.shuffled = here
	end
	return S.order[place]
end

local function first_unshot(S)
	while S.known[square_at(S, S.place)] ~= UNSHOT do
		S.place = S.place + 1
	end
	return S.order[S.place]
end
