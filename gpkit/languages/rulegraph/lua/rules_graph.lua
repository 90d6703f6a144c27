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
