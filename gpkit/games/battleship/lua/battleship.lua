-- Battleship as who shoots knows it. Columns and rows count from 1, from the top left corner, and squares row by row. A
-- host asks for a shot and tells what it did: S = M.new(key); x, y = M.next(S); M.report(S, result, length). S is plain
-- numbers and tables, to be stored and loaded as the host likes.

local UNSHOT, MISS, OPEN, SUNKEN = 0, 1, 2, 3

---@class Rules of the game; M.RULES are those of this player
---@field width integer columns
---@field height integer rows
---@field fleet string the lengths of the ships
---@field touch boolean ships may touch; otherwise not even at corners
---@field announce string what is announced when a ship sinks: ship (which one), sunk (that one did), hit (nothing)

-- The lengths of ships, the longest first.
local function lengths(fleet)
	local found = {}
	for i, length in ipairs(fleet) do
		found[i] = size(length, "length of a ship")
	end
	table.sort(found, function(a, b)
		return a > b
	end)
	return found
end

-- The lengths of the ships of this player's rules.
local function usual_fleet()
	local found = {}
	for word in string.gmatch(M.RULES.fleet, "%d+") do
		found[#found + 1] = math.floor(tonumber(word))
	end
	return found
end

--- The state of a game before the first shot.
---@param key? integer 0 to 2^26 - 1; the same key gives the same game
---@param width? integer columns; left out, those of M.RULES, and so for the rest
---@param height? integer
---@param fleet? integer[] the lengths of the ships
---@return table
function M.new(key, width, height, fleet)
	width, height = size(width or M.RULES.width, "width"), size(height or M.RULES.height, "height")
	local S = {
		key = math.floor(key or 1),
		width = width,
		height = height,
		touch = M.RULES.touch,
		announce = M.RULES.announce,
		fleet = lengths(fleet or usual_fleet()),
		known = {},
		unshot = width * height,
		order = {},
		ends = {},
		place = 1,
		shuffled = 0,
		turns = 0,
		x = 1,
		y = 1,
	}
	for square = 1, width * height do
		S.known[square] = UNSHOT
	end
	fill_order(S)
	return S
end
