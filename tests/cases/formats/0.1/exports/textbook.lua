--|# gpkit export FILE --to tree reads the program back from these lines
--|# SHA-256 of the code below: 3c8d1d692f050cc99a53031a8847d7383f30fb92a870e24832853c5ecea35c45
--|= textbook.sink
--|> // game: battleship
--|> // title: hunt, lock, sink as the article tells it: beside the first hit, along the ship to its end, then back
--|> // source: Bridon, Correll, Dubler and Gotsch, An Artificially Intelligent Battleship Player, section III.C
--|> // trained: nothing
--|> // Hunt: search until a shot hits.
--|> 
--|> targeting:
--|>   SetFalse
--|>   Target
--|>   SavePos
--|>   Shoot
--|>   IfHit
--|>   Jump
--|> 
--|> locking:
--|>   LoadPos
--|>   RandDir
--|>   MoveFwd
--|>   Shoot
--|>   IfHit
--|>   Jump
--|> 
--|> sinking:
--|>   MoveFwd
--|>   Shoot
--|>   IfMiss
--|>   IfTrue
--|>   Jump
--|>   IfMiss
--|>   SetTrue
--|>   IfMiss
--|>   LoadPos
--|>   IfMiss
--|>   OppDir
-- textbook: written by gpkit 0.1.0, a player of Battleship.
-- game: battleship
-- title: hunt, lock, sink as the article tells it: beside the first hit, along the ship to its end, then back
-- source: Bridon, Correll, Dubler and Gotsch, An Artificially Intelligent Battleship Player, section III.C
-- trained: nothing
-- Hunt: search until a shot hits.
-- S = M.new(key, width, height, fleet); x, y = M.next(S); M.report(S, result, length). S is plain numbers and tables,
-- to be stored and loaded as the host likes.

local M = {}

M._VERSION = "textbook, gpkit 0.1.0"

local DIALECT = {
	["if"] = "stacked",
	["end"] = "top",
	edge = "leave",
	["off-board"] = "free",
	known = "free",
	sunk = "silent",
	direction = "unshot",
	target = "checkerboard",
}

local PROGRAM = {
	-- targeting
	{ "SetFalse" }, -- 1
	{ "Target" }, -- 2
	{ "SavePos" }, -- 3
	{ "Shoot" }, -- 4
	{ "IfHit", 7 }, -- 5
	{ "Jump", 8 }, -- 6
	{ "Jump", 1 }, -- 7
	-- locking
	{ "LoadPos" }, -- 8
	{ "RandDir" }, -- 9
	{ "MoveFwd" }, -- 10
	{ "Shoot" }, -- 11
	{ "IfHit", 14 }, -- 12
	{ "Jump", 15 }, -- 13
	{ "Jump", 8 }, -- 14
	-- sinking
	{ "MoveFwd" }, -- 15
	{ "Shoot" }, -- 16
	{ "IfMiss", 20 }, -- 17
	{ "IfTrue", 20 }, -- 18
	{ "Jump", 1 }, -- 19
	{ "IfMiss", 22 }, -- 20
	{ "SetTrue" }, -- 21
	{ "IfMiss", 24 }, -- 22
	{ "LoadPos" }, -- 23
	{ "IfMiss", 26 }, -- 24
	{ "OppDir" }, -- 25
	{ "Jump", 15 }, -- 26
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

-- Fills the order with the squares of one kind after another, 0 to `last`. The kind of a square follows from the sum of
-- its column and row, which count from 0 here.
local function fill_by_kind(S, last, kind_of)
	local first = 0
	for kind = 0, last do
		for square = 1, S.width * S.height do
			local x = (square - 1) % S.width
			if kind_of(x + (square - 1 - x) / S.width) == kind then
				S.order[#S.order + 1] = square
			end
		end
		for place = first + 1, #S.order do
			S.ends[place] = #S.order
		end
		first = #S.order
	end
end

-- The order of targets: the squares whose column and row have an even sum, then the others.
local function fill_order(S)
	fill_by_kind(S, 1, function(sum)
		return sum % 2
	end)
end

-- A number of squares, boxes or such as a host says it: as an integer where Lua has these, 10 for 10.0.
local function size(value, name)
	local whole = type(value) == "number" and value >= 1 and math.floor(value)
	if whole ~= value then
		error("the " .. name .. " is a whole number, at least 1, not " .. tostring(value), 3)
	end
	return whole
end

local UNSHOT, MISS, OPEN, SUNKEN = 0, 1, 2, 3
local STEP_X, STEP_Y = { 0, 1, 0, -1 }, { -1, 0, 1, 0 }
local BUDGET = 1000

-- The state of a game. Columns and rows count from 1, from the top left corner. `key` is a whole number of 0 to
-- 2^26 - 1; the same key gives the same game. `fleet` lists the lengths of the ships.
function M.new(key, width, height, fleet)
	width, height = size(width or 10, "width"), size(height or 10, "height")
	local S = {
		key = math.floor(key or 1),
		width = width,
		height = height,
		fleet = {},
		known = {},
		unshot = width * height,
		order = {},
		ends = {},
		place = 1,
		shuffled = 0,
		draws = 0,
		used = {},
		turns = 0,
		pc = 1,
		steps = 0,
		x = 1,
		y = 1,
		temp_x = 1,
		temp_y = 1,
		dir = 1,
		hit = false,
		flag = false,
		sunk = false,
		count = 0,
	}
	for i, length in ipairs(fleet or { 5, 4, 3, 3, 2 }) do
		S.fleet[i] = size(length, "length of a ship")
	end
	for square = 1, width * height do
		S.known[square] = UNSHOT
	end
	fill_order(S)
	return S
end

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

-- The square to shoot at: the first of the order that has not been shot.
local function aim(S)
	return first_unshot(S)
end

local KINDS = { RandDir = { 1, 2, 3, 4 }, VertDir = { 1, 3 }, HorzDir = { 2, 4 } }

local function is_free(S, d)
	local x, y = S.x + STEP_X[d], S.y + STEP_Y[d]
	return on_board(S, x, y) and S.known[square_of(S, x, y)] == UNSHOT
end

local function chosen(directions, wanted)
	local found = {}
	for _, d in ipairs(directions) do
		if wanted(d) then
			found[#found + 1] = d
		end
	end
	return #found > 0 and found or nil
end

-- Draws a direction, of the kind of the instruction, as the switch `direction` says.
local function draw_direction(S, word)
	local choices = KINDS[word]
	if DIALECT.direction == "unshot" or DIALECT.direction == "unshot-all" then
		local function free(d)
			return is_free(S, d)
		end
		local rest = DIALECT.direction == "unshot" and choices or KINDS.RandDir
		choices = chosen(choices, free) or chosen(KINDS.RandDir, free) or rest
	elseif DIALECT.direction == "unused" then
		choices = chosen(choices, function(d)
			return not S.used[d]
		end) or choices
	end
	local u = keyed_uniform(S.key, S.draws, 1) * #choices
	S.dir = choices[u - u % 1 + 1]
	S.draws = S.draws + 1
	S.used[S.dir] = true
end

local function move_forward(S)
	S.x, S.y = S.x + STEP_X[S.dir], S.y + STEP_Y[S.dir]
	if DIALECT.edge == "clamp" then
		S.x = S.x < 1 and 1 or (S.x > S.width and S.width or S.x)
		S.y = S.y < 1 and 1 or (S.y > S.height and S.height or S.y)
	elseif DIALECT.edge == "torus" then
		S.x, S.y = (S.x - 1) % S.width + 1, (S.y - 1) % S.height + 1
	end
end

-- Shoots; whether it costs the turn.
local function shoot(S)
	S.hit, S.sunk = false, false
	if not on_board(S, S.x, S.y) then
		return DIALECT["off-board"] == "turn"
	end
	local state = S.known[square_of(S, S.x, S.y)]
	if state == UNSHOT then
		return true
	end
	S.hit = DIALECT.known ~= "blind" and state ~= MISS
	return DIALECT.known == "turn"
end

-- Whether the square ahead is off the board.
local function is_edge_ahead(S)
	return not on_board(S, S.x + STEP_X[S.dir], S.y + STEP_Y[S.dir])
end

-- Whether the square ahead has been shot at.
local function is_known_ahead(S)
	local x, y = S.x + STEP_X[S.dir], S.y + STEP_Y[S.dir]
	return on_board(S, x, y) and S.known[square_of(S, x, y)] ~= UNSHOT
end

-- Goes to the square to shoot at.
local function take_aim(S)
	local square = aim(S)
	S.x = (square - 1) % S.width + 1
	S.y = math.floor((square - S.x) / S.width) + 1
	S.used = {}
end

local CONDITIONS = {
	IfHit = function(S)
		return S.hit
	end,
	IfMiss = function(S)
		return not S.hit
	end,
	IfTrue = function(S)
		return S.flag
	end,
	IfFalse = function(S)
		return not S.flag
	end,
	IfSunk = function(S)
		return S.sunk
	end,
	IfZero = function(S)
		return S.count == 0
	end,
	IfEdge = is_edge_ahead,
	IfKnown = is_known_ahead,
}

local ACTIONS = {
	Target = take_aim,
	MoveFwd = move_forward,
	OppDir = function(S)
		S.dir = (S.dir + 1) % 4 + 1
	end,
	SavePos = function(S)
		S.temp_x, S.temp_y = S.x, S.y
	end,
	LoadPos = function(S)
		S.x, S.y = S.temp_x, S.temp_y
	end,
	SetTrue = function(S)
		S.flag = true
	end,
	SetFalse = function(S)
		S.flag = false
	end,
	Reset = function(S)
		S.count = 0
	end,
	Up = function(S)
		S.count = S.count + 1
	end,
	Down = function(S)
		S.count = S.count - 1
	end,
	Nop = function() end,
}

-- Runs the program until it takes a shot: the column and row of the square, or those of a place off the board that
-- costs the turn; nothing if it is out of steps or no square is left, and why. The host answers with M.report and asks
-- again.
function M.next(S)
	if S.unshot == 0 then
		return nil, "no square left"
	end
	S.steps = 0
	while S.steps < BUDGET do
		local row = PROGRAM[S.pc]
		local word, otherwise = row[1], row[2]
		S.pc, S.steps = S.pc + 1, S.steps + 1
		if word == "Jump" then
			S.pc = otherwise
		elseif CONDITIONS[word] then
			if not CONDITIONS[word](S) then
				S.pc = otherwise
			end
		elseif word == "Shoot" then
			if shoot(S) then
				S.turns = S.turns + 1
				return math.floor(S.x), math.floor(S.y)
			end
		elseif KINDS[word] then
			draw_direction(S, word)
		else
			ACTIONS[word](S)
		end
	end
	return nil, "out of steps"
end

-- Marks the straight run of open hits through a square that the ship which sank there must be.
local function attribute(S, x, y, length)
	for way = 1, 2 do
		local dx, dy = way == 1 and 1 or 0, way == 1 and 0 or 1
		for back = length - 1, 0, -1 do
			local run = 0
			while run < length do
				local to_x, to_y = x + dx * (run - back), y + dy * (run - back)
				if not on_board(S, to_x, to_y) or S.known[square_of(S, to_x, to_y)] ~= OPEN then
					break
				end
				run = run + 1
			end
			if run == length then
				for k = -back, length - 1 - back do
					S.known[square_of(S, x + dx * k, y + dy * k)] = SUNKEN
				end
				return
			end
		end
	end
end

local RESULTS = { miss = MISS, hit = OPEN, sunk = OPEN }

-- Tells what the last shot did: "miss", "hit" or "sunk", and the length of the ship that sank where that is announced.
-- Any other word is an error.
function M.report(S, result, length)
	local state = RESULTS[result]
	if not state then
		error('a result is "miss", "hit" or "sunk", not ' .. tostring(result), 2)
	end
	if not on_board(S, S.x, S.y) or S.known[square_of(S, S.x, S.y)] ~= UNSHOT then
		return
	end
	S.known[square_of(S, S.x, S.y)] = state
	S.unshot = S.unshot - 1
	S.hit, S.sunk = result ~= "miss", result == "sunk"
	if S.sunk and length then
		attribute(S, S.x, S.y, length)
		for i, afloat in ipairs(S.fleet) do
			if afloat == length then
				table.remove(S.fleet, i)
				break
			end
		end
	end
	if S.sunk and DIALECT.sunk == "reset" then
		S.pc = 1
	end
end

local GAMES = {
	{
		key = 46231316,
		width = 10,
		height = 10,
		fleet = { 5, 4, 3, 3, 2 },
		announce = "ship",
		ships = {
			{ 51, 61, 71, 81, 91 },
			{ 95, 96, 97, 98 },
			{ 42, 43, 44 },
			{ 57, 58, 59 },
			{ 46, 47 },
		},
		shots = {
			89,
			47,
			57,
			67,
			37,
			36,
			63,
			27,
			52,
			34,
			1,
			58,
			68,
			59,
			60,
			56,
			29,
			100,
			65,
			21,
			78,
			9,
			92,
			72,
			54,
			80,
			74,
			7,
			61,
			71,
			81,
			91,
			51,
			41,
			49,
			45,
			23,
			83,
			87,
			69,
			16,
			5,
			98,
			88,
			97,
			96,
			95,
			94,
			99,
			18,
			43,
			53,
			42,
			44,
			38,
			25,
			85,
			76,
			20,
			3,
			12,
			40,
			14,
			32,
			31,
			10,
			86,
			90,
			82,
			77,
			11,
			46,
		},
	},
	{
		key = 766680,
		width = 10,
		height = 10,
		fleet = { 5, 4, 3, 3, 2 },
		announce = "ship",
		ships = {
			{ 53, 63, 73, 83, 93 },
			{ 42, 52, 62, 72 },
			{ 76, 86, 96 },
			{ 47, 57, 67 },
			{ 19, 20 },
		},
		shots = {
			34,
			14,
			69,
			98,
			89,
			92,
			23,
			12,
			96,
			95,
			97,
			86,
			76,
			66,
			5,
			7,
			85,
			3,
			67,
			57,
			47,
			37,
			77,
			65,
			32,
			94,
			43,
			78,
			41,
			58,
			21,
			45,
			72,
			73,
			74,
			71,
			54,
			52,
			51,
			53,
			87,
			80,
			25,
			18,
			81,
			9,
			16,
			83,
			82,
			93,
			63,
			20,
			19,
			49,
			61,
			36,
			27,
			56,
			1,
			29,
			38,
			60,
			100,
			40,
			91,
			64,
			35,
			33,
			2,
			84,
			39,
			99,
			4,
			30,
			70,
			79,
			88,
			26,
			44,
			15,
			50,
			10,
			24,
			68,
			11,
			13,
			90,
			48,
			59,
			8,
			46,
			22,
			31,
			75,
			62,
			42,
		},
	},
	{
		key = 20913677,
		width = 10,
		height = 10,
		fleet = { 5, 4, 3, 3, 2 },
		announce = "ship",
		ships = {
			{ 24, 34, 44, 54, 64 },
			{ 68, 78, 88, 98 },
			{ 16, 26, 36 },
			{ 10, 20, 30 },
			{ 11, 21 },
		},
		shots = {
			80,
			69,
			27,
			94,
			34,
			44,
			54,
			64,
			74,
			24,
			14,
			81,
			36,
			37,
			26,
			16,
			6,
			46,
			76,
			43,
			18,
			87,
			38,
			32,
			41,
			100,
			47,
			98,
			99,
			97,
			88,
			78,
			68,
			58,
			49,
			92,
			85,
			25,
			5,
			23,
			72,
			83,
			89,
			63,
			40,
			60,
			21,
			11,
			1,
			31,
			29,
			3,
			96,
			52,
			12,
			56,
			20,
			10,
			30,
		},
	},
	{
		key = 21541260,
		width = 10,
		height = 10,
		fleet = { 5, 4, 3, 3, 2 },
		announce = "ship",
		ships = {
			{ 2, 3, 4, 5, 6 },
			{ 57, 67, 77, 87 },
			{ 27, 37, 47 },
			{ 41, 42, 43 },
			{ 46, 56 },
		},
		shots = {
			45,
			12,
			83,
			67,
			66,
			77,
			87,
			97,
			57,
			47,
			37,
			27,
			17,
			36,
			23,
			63,
			61,
			40,
			1,
			69,
			32,
			29,
			38,
			80,
			52,
			89,
			20,
			5,
			4,
			3,
			2,
			6,
			7,
			21,
			92,
			54,
			81,
			49,
			85,
			34,
			25,
			98,
			65,
			78,
			14,
			74,
			41,
			51,
			42,
			43,
			44,
			60,
			72,
			96,
			76,
			56,
			55,
			46,
		},
	},
	{
		key = 50160920,
		width = 10,
		height = 10,
		fleet = { 5, 4, 3, 3, 2 },
		announce = "ship",
		ships = {
			{ 12, 13, 14, 15, 16 },
			{ 67, 77, 87, 97 },
			{ 46, 47, 48 },
			{ 68, 78, 88 },
			{ 28, 29 },
		},
		shots = {
			3,
			1,
			58,
			94,
			36,
			72,
			49,
			14,
			15,
			16,
			17,
			13,
			12,
			11,
			41,
			23,
			5,
			69,
			38,
			67,
			66,
			77,
			87,
			97,
			57,
			80,
			92,
			9,
			61,
			54,
			63,
			20,
			98,
			25,
			89,
			78,
			79,
			88,
			68,
			83,
			74,
			60,
			32,
			52,
			27,
			81,
			18,
			76,
			96,
			47,
			37,
			46,
			45,
			48,
			21,
			65,
			29,
			28,
		},
	},
	{
		key = 24054523,
		width = 10,
		height = 10,
		fleet = { 5, 4, 3, 3, 2 },
		announce = "ship",
		ships = {
			{ 55, 56, 57, 58, 59 },
			{ 64, 74, 84, 94 },
			{ 7, 8, 9 },
			{ 41, 51, 61 },
			{ 37, 38 },
		},
		shots = {
			72,
			81,
			9,
			8,
			7,
			6,
			10,
			45,
			18,
			85,
			67,
			54,
			36,
			1,
			61,
			51,
			41,
			31,
			71,
			21,
			16,
			20,
			32,
			52,
			63,
			43,
			25,
			98,
			76,
			74,
			73,
			84,
			94,
			64,
			58,
			68,
			48,
			59,
			60,
			57,
			56,
			55,
			87,
			23,
			49,
			92,
			29,
			40,
			65,
			38,
			37,
		},
	},
	{
		key = 879069,
		width = 10,
		height = 10,
		fleet = { 5, 4, 3, 3, 2 },
		announce = "ship",
		ships = {
			{ 22, 32, 42, 52, 62 },
			{ 53, 63, 73, 83 },
			{ 17, 27, 37 },
			{ 54, 55, 56 },
			{ 36, 46 },
		},
		shots = {
			43,
			98,
			36,
			35,
			46,
			56,
			66,
			26,
			63,
			73,
			83,
			93,
			53,
			14,
			65,
			67,
			54,
			44,
			55,
			57,
			52,
			51,
			5,
			32,
			42,
			62,
			72,
			22,
			12,
			7,
			80,
			100,
			40,
			87,
			89,
			9,
			60,
			47,
			96,
			74,
			3,
			16,
			23,
			58,
			76,
			34,
			29,
			81,
			94,
			20,
			49,
			85,
			27,
			28,
			17,
			37,
		},
	},
	{
		key = 34068397,
		width = 10,
		height = 10,
		fleet = { 5, 4, 3, 3, 2 },
		announce = "ship",
		ships = {
			{ 24, 34, 44, 54, 64 },
			{ 32, 42, 52, 62 },
			{ 18, 28, 38 },
			{ 79, 89, 99 },
			{ 71, 81 },
		},
		shots = {
			54,
			64,
			74,
			44,
			34,
			24,
			14,
			1,
			18,
			19,
			8,
			28,
			38,
			48,
			65,
			72,
			98,
			60,
			56,
			87,
			27,
			52,
			51,
			62,
			42,
			32,
			22,
			58,
			23,
			12,
			36,
			100,
			47,
			20,
			16,
			40,
			25,
			80,
			3,
			67,
			89,
			88,
			99,
			79,
			69,
			45,
			9,
			7,
			76,
			78,
			96,
			92,
			81,
			82,
			71,
		},
	},
	{
		key = 31231955,
		width = 10,
		height = 10,
		fleet = { 5, 4, 3, 3, 2 },
		announce = "ship",
		ships = {
			{ 43, 53, 63, 73, 83 },
			{ 55, 56, 57, 58 },
			{ 44, 45, 46 },
			{ 66, 67, 68 },
			{ 9, 19 },
		},
		shots = {
			87,
			18,
			81,
			89,
			49,
			27,
			32,
			7,
			78,
			67,
			68,
			69,
			66,
			65,
			92,
			45,
			46,
			47,
			44,
			43,
			42,
			12,
			29,
			14,
			58,
			48,
			59,
			57,
			56,
			55,
			54,
			100,
			80,
			94,
			76,
			34,
			98,
			21,
			85,
			1,
			20,
			25,
			16,
			96,
			23,
			83,
			82,
			84,
			93,
			73,
			63,
			53,
			33,
			36,
			74,
			52,
			5,
			61,
			9,
			8,
			19,
		},
	},
	{
		key = 11415680,
		width = 10,
		height = 10,
		fleet = { 5, 4, 3, 3, 2 },
		announce = "ship",
		ships = {
			{ 57, 67, 77, 87, 97 },
			{ 63, 64, 65, 66 },
			{ 22, 23, 24 },
			{ 3, 4, 5 },
			{ 40, 50 },
		},
		shots = {
			72,
			94,
			34,
			43,
			61,
			85,
			98,
			76,
			83,
			81,
			3,
			13,
			4,
			5,
			6,
			2,
			38,
			21,
			67,
			57,
			47,
			77,
			87,
			97,
			32,
			9,
			58,
			29,
			65,
			66,
			68,
			64,
			63,
			62,
			54,
			25,
			14,
			23,
			33,
			24,
			22,
			41,
			20,
			45,
			12,
			36,
			27,
			78,
			18,
			56,
			16,
			40,
			30,
			39,
			50,
		},
	},
}

-- Plays a recorded game: the fleet, as squares by ship, what is told when a ship sinks ("ship": which one, "sunk": that
-- one did, "hit": nothing), and the shots that are expected. Returns the first difference.
local function replay(game)
	local S = M.new(game.key, game.width, game.height, game.fleet)
	local left, ships = {}, {}
	for number, squares in ipairs(game.ships) do
		left[number] = #squares
		for _, square in ipairs(squares) do
			ships[square] = number
		end
	end
	for turn, expected in ipairs(game.shots) do
		local x, y = M.next(S)
		local square = x and ((x < 1 or y < 1 or x > S.width or y > S.height) and 0 or (y - 1) * S.width + x) or -1
		if tostring(square) ~= tostring(expected) then -- as text, in which a float is none of the integers
			return string.format("key %d, shot %d: square %s instead of %d", game.key, turn, tostring(square), expected)
		end
		local ship = ships[square]
		if ship then
			ships[square] = nil
			left[ship] = left[ship] - 1
			if left[ship] > 0 or game.announce == "hit" then
				M.report(S, "hit")
			else
				M.report(S, "sunk", game.announce == "ship" and game.fleet[ship] or nil)
			end
		elseif square > 0 then
			M.report(S, "miss")
		end
	end
	return nil
end

M.replay = replay

-- Plays the recorded games again: how many go differently, and the first difference.
function M.selftest()
	local failures, first = 0, nil
	for _, game in ipairs(GAMES) do
		local difference = replay(game)
		if difference then
			failures = failures + 1
			first = first or difference
		end
	end
	return failures, first
end

return M
