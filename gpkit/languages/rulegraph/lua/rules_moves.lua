-- The undrawn sides, ascending, or those of them that are proposed.
local function sides_among(S, proposed)
	local sides = {}
	for side, is_drawn in ipairs(S.drawn) do
		if not is_drawn and (proposed == nil or proposed[side]) then
			sides[#sides + 1] = side
		end
	end
	return sides
end

local function one_of(sides, u)
	local place = u * #sides
	return sides[1 + (place - place % 1)]
end

-- The sides that the first rule that may act proposes, or one of those that are joined to it, ascending, and the number
-- of that rule; where none may act, all sides that are not drawn, and nil.
function M.moves(S)
	local graph = graph_of(S)
	local acting, together = nil, nil
	for number, each in ipairs(RULES) do
		if acting and not each.joined then
			break
		end
		local proposed = proposed_by(graph, each)
		if proposed then
			acting, together = acting or number, together or {}
			for side in pairs(proposed) do
				together[side] = true
			end
		end
	end
	return sides_among(S, together), acting
end

-- The side to draw, one of `M.moves`, all equally likely; nil at the end. `random` gives a number of [0, 1).
function M.choose(S, random)
	local sides = M.moves(S)
	return one_of(sides, random())
end

-- What a rule is called; nothing if it has no name.
function M.name(rule)
	return RULES[rule].name
end
