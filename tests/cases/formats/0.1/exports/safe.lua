--|# gpkit export FILE --to tree reads the program back from these lines
--|# SHA-256 of the code below: ee0b60d007c78317af80d997216cdc2a8f824f96c695e701df7d01f28f0cab78
--|= safe.rules
--|> # game: dots_and_boxes
--|> # title: takes a box, else draws any safe edge: the opponent safe
--|> # trained: nothing
--|> # best-response: 1.0000 moving first, 1.0000 moving second
--|> # level: 1
--|> 
--|> take: x_0 w => x_0 - w
--|> safe: t_0 t_1 w w : t_1 t_0 w w => t_0 - t_1
--|> | q_0 t_1 w w w : t_1 q_0 w w => q_0 - t_1
--|> | q_0 q_1 w w w : q_1 q_0 w w w => q_0 - q_1
--|> | t_0 n w w => t_0 - n
--|> | q_0 n w w w => q_0 - n
-- safe: written by gpkit 0.1.0, a player of Dots and Boxes.
-- game: dots_and_boxes
-- title: takes a box, else draws any safe edge: the opponent safe
-- trained: nothing
-- best-response: 1.0000 moving first, 1.0000 moving second
-- level: 1
-- S = M.new(width, height); side = M.choose(S, random); closed = M.draw(S, side). M.moves(S) gives all sides that the
-- acting rule chooses from, and the number of this rule. A joined rule acts together with the one before it.

local M = {}

M._VERSION = "safe, gpkit 0.1.0"

local RULES = {
	{
		-- x_0 w => x_0 - w
		name = "take",
		places = {
			{ symbol = "x", length = 0, grounds = 0, loops = 0, links = {} },
		},
		prefix = 1,
		other = -1,
		offset = 0,
		early = {},
		late = {},
		absent = {},
	},
	{
		-- t_0 t_1 w w : t_1 t_0 w w => t_0 - t_1
		name = "safe",
		places = {
			{ symbol = "t", length = 0, grounds = 0, loops = 0, links = {} },
			{ symbol = "t", length = 0, grounds = 0, loops = 0, links = { { 1, 1 } } },
		},
		prefix = 2,
		other = 2,
		offset = 0,
		early = {},
		late = {},
		absent = {},
	},
	{
		-- q_0 t_1 w w w : t_1 q_0 w w => q_0 - t_1
		joined = true,
		places = {
			{ symbol = "q", length = 0, grounds = 0, loops = 0, links = {} },
			{ symbol = "t", length = 0, grounds = 0, loops = 0, links = { { 1, 1 } } },
		},
		prefix = 2,
		other = 2,
		offset = 0,
		early = {},
		late = {},
		absent = {},
	},
	{
		-- q_0 q_1 w w w : q_1 q_0 w w w => q_0 - q_1
		joined = true,
		places = {
			{ symbol = "q", length = 0, grounds = 0, loops = 0, links = {} },
			{ symbol = "q", length = 0, grounds = 0, loops = 0, links = { { 1, 1 } } },
		},
		prefix = 2,
		other = 2,
		offset = 0,
		early = {},
		late = {},
		absent = {},
	},
	{
		-- t_0 n w w => t_0 - n
		joined = true,
		places = {
			{ symbol = "t", length = 0, grounds = 1, loops = 0, links = {} },
		},
		prefix = 1,
		other = 0,
		offset = 0,
		early = {},
		late = {},
		absent = {},
	},
	{
		-- q_0 n w w w => q_0 - n
		joined = true,
		places = {
			{ symbol = "q", length = 0, grounds = 1, loops = 0, links = {} },
		},
		prefix = 1,
		other = 0,
		offset = 0,
		early = {},
		late = {},
		absent = {},
	},
}

-- A number of [0, 1) that depends only on three whole numbers of 0 to 2^26 - 1: a Feistel cipher whose rounds take the
-- middle of a square (after B. Widynski, "Squares", 2020). Every intermediate value is below 2^53.
local function keyed_uniform(key, left, right)
	key, left, right = key + 0.0, left + 0.0, right + 0.0
	for _ = 1, 8 do
		key = (key + 41475559.0) % 67108864.0
		local x = (right + key) % 67108864.0
		local middle = x * x / 8192.0
		left, right = right, (left + (middle - middle % 1.0)) % 67108864.0
	end
	return (left * 67108864.0 + right) / 4503599627370496.0
end

-- A number of squares, boxes or such as a host says it: as an integer where Lua has these, 10 for 10.0.
local function size(value, name)
	local whole = type(value) == "number" and value >= 1 and math.floor(value)
	if whole ~= value then
		error("the " .. name .. " is a whole number, at least 1, not " .. tostring(value), 3)
	end
	return whole
end

-- A position of width x height boxes. Sides count from 1: the horizontal ones row by row, then the vertical ones row by
-- row; boxes row by row. `drawn` says of every side whether it is drawn, `score` is the boxes of whoever is to draw
-- less those of the other: all of it plain numbers and tables, to be stored and loaded as the host likes.
function M.new(width, height)
	width, height = size(width or 3, "width"), size(height or 3, "height")
	local S = { width = width, height = height, score = 0, drawn = {} }
	for side = 1, width * (height + 1) + height * (width + 1) do
		S.drawn[side] = false
	end
	return S
end

-- The sides above, below, left and right of a box.
local function sides_of(S, box)
	local x = (box - 1) % S.width
	local y = math.floor((box - 1 - x) / S.width)
	local left = S.width * (S.height + 1) + y * (S.width + 1) + x + 1
	return { box, box + S.width, left, left + 1 }
end

-- The sides of a box that are not drawn.
local function open_sides(S, box)
	local open = {}
	for _, side in ipairs(sides_of(S, box)) do
		if not S.drawn[side] then
			open[#open + 1] = side
		end
	end
	return open
end

-- The boxes of every side: two, or one at the border.
local function boxes_of_sides(S)
	local boxes = {}
	for box = 1, S.width * S.height do
		for _, side in ipairs(sides_of(S, box)) do
			boxes[side] = boxes[side] or {}
			boxes[side][#boxes[side] + 1] = box
		end
	end
	return boxes
end

-- Draws a side for whoever is to draw, and says how many boxes that closes; after none the other is to draw.
function M.draw(S, side)
	if S.drawn[side] ~= false then
		error("there is no undrawn side " .. tostring(side), 2)
	end
	S.drawn[side] = true
	local closed = 0
	for _, box in ipairs(boxes_of_sides(S)[side]) do
		if #open_sides(S, box) == 0 then
			closed = closed + 1
		end
	end
	S.score = closed > 0 and S.score + closed or -S.score
	return closed
end

local SYMBOLS = { "x", "l", "t", "q" }

-- The other box of a side; nil at the border.
local function across(boxes, side, box)
	local pair = boxes[side]
	return pair[1] ~= box and pair[1] or pair[2]
end

-- Follows a chain from one of its boxes through one of its sides, as far as boxes have two undrawn sides: the boxes and
-- the sides on the way, and whether the way came back to where it began.
local function follow(open, boxes, box, side)
	local along, sides = {}, { side }
	local here = across(boxes, side, box)
	while here and #open[here] == 2 do
		if here == box then
			return along, sides, true
		end
		along[#along + 1] = here
		side = open[here][1] == side and open[here][2] or open[here][1]
		sides[#sides + 1] = side
		here = across(boxes, side, here)
	end
	return along, sides, false
end

-- A node for a chain or a loop: its sides in order are its `path`.
local function chain_of(open, boxes, box)
	local group, path = { box }, {}
	local along, sides, is_loop = follow(open, boxes, box, open[box][2])
	for _, each in ipairs(along) do
		group[#group + 1] = each
	end
	if is_loop then
		return { symbol = "l", length = #group, boxes = group, path = sides, loops = 1 }
	end
	local before, earlier = follow(open, boxes, box, open[box][1])
	for _, each in ipairs(before) do
		group[#group + 1] = each
	end
	for k = #earlier, 1, -1 do
		path[#path + 1] = earlier[k]
	end
	for _, side in ipairs(sides) do
		path[#path + 1] = side
	end
	return { symbol = "l", length = #group, boxes = group, path = path, loops = 0 }
end

-- The graph of strings and coins of a position. Nodes are boxes that are not closed, and chains; `ends` are the edges
-- that lead out of a node, with the node that each of them leads `to`, 0 for the border of the board; `links` counts
-- them by where they lead to.
local function graph_of(S)
	local boxes = boxes_of_sides(S)
	local open, nodes, node_of = {}, {}, {}
	for box = 1, S.width * S.height do
		open[box] = open_sides(S, box)
	end
	for box = 1, S.width * S.height do
		if #open[box] > 0 and not node_of[box] then
			local node
			if #open[box] == 2 then
				node = chain_of(open, boxes, box)
			else
				node = { symbol = SYMBOLS[#open[box]], length = 0, boxes = { box }, loops = 0 }
			end
			nodes[#nodes + 1] = node
			for _, each in ipairs(node.boxes) do
				node_of[each] = #nodes
			end
		end
	end
	local left = 0
	for _, is_drawn in ipairs(S.drawn) do
		left = left + (is_drawn and 0 or 1)
	end
	for number, node in ipairs(nodes) do
		node.ends, node.links = {}, {}
		local sides = node.path and { node.path[1], node.path[#node.path] } or open[node.boxes[1]]
		for _, side in ipairs(node.loops == 0 and sides or {}) do
			local to = 0
			for _, box in ipairs(boxes[side]) do
				if node_of[box] ~= number then
					to = node_of[box]
				end
			end
			node.ends[#node.ends + 1] = { to = to, side = side }
			node.links[to] = (node.links[to] or 0) + 1
		end
	end
	return { nodes = nodes, score = S.score, left = left }
end

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

-- Fills the places from `at` on; `found` is told of every way to do it, and ends the search by giving true.
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

local POSITIONS = {
	{
		width = 3,
		height = 3,
		drawn = { 1, 3, 4, 5, 7, 9, 10, 11, 12, 13, 14, 16, 17, 18, 20, 22, 23, 24 },
		score = 1,
		rule = 1,
		moves = { 8, 21 },
	},
	{
		width = 3,
		height = 3,
		drawn = { 12 },
		score = 0,
		rule = 3,
		moves = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24 },
	},
	{
		width = 3,
		height = 3,
		drawn = {},
		score = 0,
		rule = 4,
		moves = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24 },
	},
	{
		width = 3,
		height = 3,
		drawn = { 5, 12, 16, 23, 24 },
		score = 0,
		rule = 1,
		moves = { 9 },
	},
	{
		width = 3,
		height = 3,
		drawn = { 2, 3, 4, 5, 8, 9, 12, 13, 15, 16, 17, 18, 21, 22, 24 },
		score = 0,
		rule = 1,
		moves = { 6, 7, 14, 19, 23 },
	},
	{
		width = 3,
		height = 3,
		drawn = { 1, 2, 5, 7, 8, 9, 11, 14, 17, 18, 19, 20, 23, 24 },
		score = 1,
		rule = 1,
		moves = { 4, 6, 12, 15, 22 },
	},
	{
		width = 3,
		height = 3,
		drawn = { 2, 3, 5, 7, 9, 10, 14, 15, 16, 22, 23 },
		score = -1,
		rule = 1,
		moves = { 6, 21 },
	},
	{
		width = 3,
		height = 3,
		drawn = { 1, 7, 10, 12, 21 },
		score = 0,
		rule = 1,
		moves = { 22 },
	},
	{
		width = 3,
		height = 3,
		drawn = { 7, 9, 13, 14, 20, 23 },
		score = 0,
		rule = 2,
		moves = { 2, 3, 5, 8, 10, 11, 15, 16, 17, 18, 21, 22 },
	},
	{
		width = 3,
		height = 3,
		drawn = { 2, 5, 6, 9, 12, 24 },
		score = 0,
		rule = 1,
		moves = { 23 },
	},
	{
		width = 3,
		height = 3,
		drawn = { 2, 4, 6, 7, 9, 11, 12, 14, 17, 18, 21, 22, 24 },
		score = 1,
		rule = 1,
		moves = { 10, 23 },
	},
	{
		width = 3,
		height = 3,
		drawn = { 3, 7, 8, 17, 24 },
		score = 0,
		rule = 2,
		moves = { 1, 2, 5, 6, 9, 10, 11, 12, 13, 14, 15, 16, 19, 20, 21, 22, 23 },
	},
	{
		width = 3,
		height = 3,
		drawn = { 2, 4, 5, 13, 21 },
		score = 0,
		rule = 2,
		moves = { 3, 6, 7, 8, 9, 10, 11, 12, 16, 17, 18, 19, 20, 22, 23, 24 },
	},
	{
		width = 3,
		height = 3,
		drawn = { 1, 2, 6, 7, 8, 9, 12, 13, 14, 15, 16, 19, 20, 21, 22, 23 },
		score = 1,
		rule = 1,
		moves = { 3, 4, 5, 10, 11, 24 },
	},
	{
		width = 3,
		height = 3,
		drawn = { 2, 3, 6, 7, 9, 10, 12, 13, 14, 16, 17, 19, 20, 24 },
		score = 1,
		rule = 1,
		moves = { 15, 23 },
	},
	{
		width = 3,
		height = 3,
		drawn = { 1, 2, 3, 5, 6, 7, 8, 10, 12, 13, 14, 15, 16, 18, 19, 20, 21, 22, 23, 24 },
		score = 0,
		rule = 1,
		moves = { 4, 9, 11 },
	},
	{
		width = 3,
		height = 3,
		drawn = { 1, 3, 4, 5, 6, 7, 9, 12, 13, 15, 18, 20, 22, 23, 24 },
		score = 1,
		rule = 1,
		moves = { 14, 16, 17, 19 },
	},
	{
		width = 3,
		height = 3,
		drawn = { 6, 8, 10, 11, 13, 14, 15, 17, 20, 24 },
		score = 0,
		rule = 2,
		moves = { 7, 12, 18, 21 },
	},
	{
		width = 3,
		height = 3,
		drawn = { 1, 2, 6, 7, 9, 10, 11, 12, 14, 17, 18, 19, 20, 21, 22 },
		score = 0,
		rule = 1,
		moves = { 4 },
	},
	{
		width = 3,
		height = 3,
		drawn = { 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 18, 19, 20, 21, 22, 23, 24 },
		score = 2,
		rule = 1,
		moves = { 5, 15 },
	},
}

local GAMES = {
	{
		key = 1,
		width = 3,
		height = 3,
		sides = { 24, 10, 1, 5, 7, 23, 11, 18, 6, 2, 20, 3, 13, 14, 15, 4, 16, 17, 22, 21, 8, 19, 9, 12 },
	},
	{
		key = 2,
		width = 3,
		height = 3,
		sides = { 7, 3, 5, 16, 4, 24, 19, 2, 23, 1, 10, 11, 20, 15, 14, 6, 9, 12, 13, 22, 21, 8, 18, 17 },
	},
	{
		key = 3,
		width = 3,
		height = 3,
		sides = { 13, 14, 9, 17, 23, 15, 7, 8, 10, 19, 3, 18, 4, 1, 5, 2, 21, 22, 11, 16, 6, 20, 24, 12 },
	},
	{
		key = 4,
		width = 3,
		height = 3,
		sides = { 22, 1, 2, 6, 18, 10, 17, 15, 24, 11, 13, 20, 12, 3, 16, 5, 14, 4, 7, 21, 9, 23, 19, 8 },
	},
	{
		key = 5,
		width = 3,
		height = 3,
		sides = { 18, 23, 1, 3, 2, 24, 21, 22, 13, 5, 17, 6, 20, 16, 15, 14, 4, 7, 10, 11, 8, 19, 9, 12 },
	},
	{
		key = 6,
		width = 3,
		height = 3,
		sides = { 21, 14, 24, 10, 15, 9, 3, 1, 19, 8, 17, 11, 12, 23, 22, 7, 20, 6, 16, 4, 18, 5, 2, 13 },
	},
	{
		key = 7,
		width = 3,
		height = 3,
		sides = { 9, 19, 8, 24, 17, 14, 7, 2, 13, 21, 16, 3, 11, 18, 4, 1, 5, 15, 6, 20, 23, 22, 12, 10 },
	},
	{
		key = 8,
		width = 3,
		height = 3,
		sides = { 2, 13, 12, 18, 15, 22, 10, 9, 16, 19, 11, 1, 17, 24, 23, 8, 5, 14, 4, 7, 21, 20, 6, 3 },
	},
	{
		key = 9,
		width = 3,
		height = 3,
		sides = { 6, 5, 17, 10, 18, 23, 13, 20, 12, 21, 14, 3, 11, 9, 19, 24, 8, 22, 7, 4, 1, 16, 15, 2 },
	},
	{
		key = 10,
		width = 3,
		height = 3,
		sides = { 11, 8, 21, 24, 2, 1, 9, 20, 14, 10, 3, 16, 18, 17, 15, 6, 19, 5, 4, 7, 13, 22, 23, 12 },
	},
}

-- Compares the moves in a recorded position with those expected, the number of the rule, 0 for none, and the side that
-- is sampled where the rules are learned. Returns the difference.
local function check(position)
	local S = M.new(position.width, position.height)
	for _, side in ipairs(position.drawn) do
		S.drawn[side] = true
	end
	S.score = position.score
	local moves, rule = M.moves(S)
	local found, expected = table.concat(moves, " "), table.concat(position.moves, " ")
	if found ~= expected or tostring(rule or 0) ~= tostring(position.rule) then
		local text = "rule %s says %s instead of rule %d, which says %s"
		return string.format(text, tostring(rule or 0), found, position.rule, expected)
	end
	local draws = 0
	local side = M.sample
		and M.sample(S, function()
			draws = draws + 1
			return keyed_uniform(position.key, draws, 0)
		end)
	if tostring(side) ~= tostring(position.sampled) then -- as text, in which a float is none of the integers
		return string.format("key %d: side %s instead of %d", position.key, tostring(side), position.sampled)
	end
	return nil
end

-- Plays a recorded game of the rules against themselves, and returns the first difference.
local function replay(game)
	local S = M.new(game.width, game.height)
	for move, expected in ipairs(game.sides) do
		local side = M.choose(S, function()
			return keyed_uniform(game.key, move, 0)
		end)
		if tostring(side) ~= tostring(expected) then
			return string.format("key %d, move %d: side %s instead of %d", game.key, move, tostring(side), expected)
		end
		M.draw(S, side)
	end
	return nil
end

M.check, M.replay = check, replay

-- Compares the recorded positions and plays the recorded games again: how many go differently, and the first
-- difference.
function M.selftest()
	local failures, first = 0, nil
	local function tell(difference)
		if difference then
			failures = failures + 1
			first = first or difference
		end
	end
	for _, position in ipairs(POSITIONS) do
		tell(check(position))
	end
	for _, game in ipairs(GAMES) do
		tell(replay(game))
	end
	return failures, first
end

return M
