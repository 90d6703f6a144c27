-- Adds to `details` by square the odds that a shot there sinks a ship of a kind, and that one goes on to each side.
local function add_details(S, kind, details)
	local _, covers = weigh(kind)
	for _, squares in ipairs(kind.ways) do
		local weight, length, hits = weight_of(kind, squares), #squares, 0
		for k = 1, length do
			hits = hits + (S.known[squares[k]] == OPEN and 1 or 0)
		end
		local is_last = S.announce ~= "hit" and hits == length - 1
		local vertical = squares[length] - squares[1] >= S.width
		for k, square in ipairs(squares) do
			if S.known[square] == UNSHOT and covers[square] > 0.0 then
				local share = kind.ships * kind.odds[square] / covers[square] * weight
				local here = details[square]
				if is_last then
					here.sinks = here.sinks + share
				end
				if k > 1 and S.known[squares[k - 1]] == UNSHOT then
					local side = vertical and "above" or "before"
					here[side] = here[side] + share
				end
				if k < length and S.known[squares[k + 1]] == UNSHOT then
					local side = vertical and "below" or "behind"
					here[side] = here[side] + share
				end
			end
		end
	end
end

-- Writes the sensors of beliefs about the squares not yet shot at.
local function sense_beliefs(S, sensors)
	local kinds, total = propagate(S)
	local details = {}
	for square in pairs(sensors) do
		details[square] = { sinks = 0.0, before = 0.0, behind = 0.0, above = 0.0, below = 0.0 }
	end
	for _, kind in ipairs(kinds) do
		add_details(S, kind, details)
	end
	for square, env in pairs(sensors) do
		local odds, here = total[square], details[square]
		local chance = odds / (1.0 + odds)
		local sinks = smaller(here.sinks / (1.0 + odds), chance)
		local best = larger(larger(here.before, here.behind), larger(here.above, here.below))
		local miss, stays = 1.0 - chance, chance - sinks
		env.chance, env.sinks = chance, sinks
		env.follow = odds > 0.0 and smaller(best / odds, 1.0) or 0.0
		env.fleets = miss * miss + sinks * sinks + stays * stays
	end
end
