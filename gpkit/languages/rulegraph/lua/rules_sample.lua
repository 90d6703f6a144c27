-- The side to draw as a learner chooses: of the ten rules of highest q that may act one, its chance in proportion to
-- its weight, and one of its sides, all equally likely. Where none may act, any side; nil at the end. `random` gives
-- numbers of [0, 1); two are asked for.
function M.sample(S, random)
	local graph = graph_of(S)
	local best = {}
	for number, each in ipairs(RULES) do
		local proposed = proposed_by(graph, each)
		if proposed then
			best[#best + 1] = { number = number, q = each.q, weight = each.weight, sides = sides_among(S, proposed) }
		end
	end
	table.sort(best, function(a, b)
		return a.q > b.q or (a.q == b.q and a.number < b.number)
	end)
	local count, total = math.min(#best, 10), 0.0
	for k = 1, count do
		total = total + best[k].weight
	end
	local left = random() * total
	local acting = best[count]
	for k = 1, count do
		left = left - best[k].weight
		if left < 0.0 then
			acting = best[k]
			break
		end
	end
	return one_of(acting and acting.sides or sides_among(S), random())
end
