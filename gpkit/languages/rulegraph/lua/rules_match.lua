local COMPARE = {
	["<"] = function(a, b)
		return a < b
	end,
	["<="] = function(a, b)
		return a <= b
	end,
	["="] = function(a, b)
		return a == b
	end,
	["!="] = function(a, b)
		return a ~= b
	end,
	[">"] = function(a, b)
		return a > b
	end,
	[">="] = function(a, b)
		return a >= b
	end,
}

-- One side of a comparison: a number, "score", "left", or the length of the chain at a place.
local function quantity(graph, chosen, value)
	if type(value) == "table" then
		return graph.nodes[chosen[value.length_of]].length
	end
	return type(value) == "number" and value or graph[value]
end

local function all_hold(graph, chosen, comparisons)
	for _, each in ipairs(comparisons) do
		local one, other = quantity(graph, chosen, each[1]), quantity(graph, chosen, each[3])
		if not COMPARE[each[2]](one, other) then
			return false
		end
	end
	return true
end

-- Whether a node of the position can stand at a place, next to those that stand at earlier places.
local function fits(node, place, chosen)
	if node.symbol ~= place.symbol or node.loops < place.loops or (node.links[0] or 0) < place.grounds then
		return false
	end
	if node.length ~= place.length and (not place.longer or node.length < place.length) then
		return false
	end
	for _, link in ipairs(place.links) do
		if (node.links[chosen[link[1]]] or 0) < link[2] then
			return false
		end
	end
	return true
end

-- Fills the places from `at` on; `found` is called for each way to do it, and ends the search by giving true.
local function search(graph, places, chosen, taken, at, last, found)
	if at > last then
		return found()
	end
	for number, node in ipairs(graph.nodes) do
		if not taken[number] and fits(node, places[at], chosen) then
			chosen[at], taken[number] = number, true
			local is_over = search(graph, places, chosen, taken, at + 1, last, found)
			taken[number] = nil
			if is_over then
				return true
			end
		end
	end
	return false
end

local function is_there(graph, places)
	return search(graph, places, {}, {}, 1, #places, function()
		return true
	end)
end

-- The edges of the rule between its first place and what stands at `to`.
local function edges_to(rule, chosen, to)
	if to == 0 then
		return rule.places[1].grounds
	end
	for place = 2, rule.prefix do
		if chosen[place] == to then
			for _, link in ipairs(rule.places[place].links) do
				if link[1] == 1 then
					return link[2]
				end
			end
		end
	end
	return 0
end

-- Adds the sides that the action is under a match: from the node at the first place to what stands at the place
-- `other`, to the border (0) or to whatever the rule leaves open (-1), `offset` sides further into a chain.
local function propose(graph, rule, chosen, proposed)
	local node, other = graph.nodes[chosen[1]], rule.other
	if node.loops > 0 then
		if other == 1 or (other == -1 and rule.places[1].loops == 0) then
			for _, side in ipairs(node.path) do
				proposed[side] = true
			end
		end
		return
	end
	for number, each in ipairs(node.ends) do
		local is_image
		if other == -1 then
			is_image = node.links[each.to] > edges_to(rule, chosen, each.to)
		else
			is_image = each.to == (other > 0 and chosen[other] or 0)
		end
		if is_image then
			local side = each.side
			if rule.offset > 0 then
				side = node.path[number == 1 and 1 + rule.offset or #node.path - rule.offset]
			end
			proposed[side] = true
		end
	end
end

-- The sides that a rule proposes, as a set; nil if it may not act. The first places decide what the action is: of all
-- ways to fill the others one is enough.
local function proposed_by(graph, rule)
	if not all_hold(graph, {}, rule.early) then
		return nil
	end
	local chosen, taken, proposed = {}, {}, {}
	local function conditions_hold()
		return all_hold(graph, chosen, rule.late)
	end
	search(graph, rule.places, chosen, taken, 1, rule.prefix, function()
		if search(graph, rule.places, chosen, taken, rule.prefix + 1, #rule.places, conditions_hold) then
			propose(graph, rule, chosen, proposed)
		end
		return false
	end)
	if next(proposed) == nil then
		return nil
	end
	for _, places in ipairs(rule.absent) do
		if is_there(graph, places) then
			return nil
		end
	end
	return proposed
end
