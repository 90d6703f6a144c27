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
