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

-- The sides among which the first rule that may act chooses, ascending, and the number of that rule; where none may
-- act, all sides that are not drawn, and nil.
function M.moves(S)
	local graph = graph_of(S)
	for number, each in ipairs(RULES) do
		local proposed = proposed_by(graph, each)
		if proposed then
			return sides_among(S, proposed), number
		end
	end
	return sides_among(S), nil
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
