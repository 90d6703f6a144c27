-- Mastermind. A code is a list of colours, 1 to RULES.colours; codes are numbered from 0, in the order of these lists.
-- A turn is a guess with its answer, such as { guess = { 1, 1, 2, 3 }, black = 1, white = 0 }. All that a player knows
-- is the list of the turns so far.

---@class Turn
---@field guess integer[]
---@field black integer pegs of the right colour in the right place
---@field white integer further pegs of a right colour

local CODES, COUNTS, NUMBERS = {}, {}, {} -- all codes, of each how often it has which colour, and its place by its name

local function name_of(code)
	local words = {}
	for place, colour in ipairs(code) do
		words[place] = string.format("%.0f", colour)
	end
	return table.concat(words, " ")
end

-- The colour counts of a code, and how many colours are in it.
local function counts_of(code)
	local counts, kinds = {}, 0
	for colour = 1, M.RULES.colours do
		counts[colour] = 0
	end
	for _, colour in ipairs(code) do
		kinds = kinds + (counts[colour] == 0 and 1 or 0)
		counts[colour] = counts[colour] + 1
	end
	return counts, kinds
end

-- Lists all codes that begin so.
local function list_codes(begun)
	if #begun == M.RULES.length then
		local code = {}
		for place, colour in ipairs(begun) do
			code[place] = colour
		end
		CODES[#CODES + 1] = code
		COUNTS[#CODES] = counts_of(code)
		NUMBERS[name_of(code)] = #CODES
		return
	end
	local counts = counts_of(begun)
	for colour = 1, M.RULES.colours do
		if M.RULES.repeats or counts[colour] == 0 then
			begun[#begun + 1] = colour
			list_codes(begun)
			begun[#begun] = nil
		end
	end
end
list_codes({})

local function place_of(code)
	local place = NUMBERS[name_of(code)]
	if not place then
		error("there is no code " .. name_of(code), 3)
	end
	return place
end

--- The number of a code: how many come before it.
---@param code integer[]
---@return integer
function M.number_of(code)
	return place_of(code) - 1
end

-- The black pegs of an answer, and black and white ones together, by the places of the codes in the list.
local function compare(guess, secret)
	local black, pegs = 0, 0
	local one, other = CODES[guess], CODES[secret]
	for place = 1, #one do
		if one[place] == other[place] then
			black = black + 1
		end
	end
	one, other = COUNTS[guess], COUNTS[secret]
	for colour = 1, #one do
		local a, b = one[colour], other[colour]
		pegs = pegs + (a < b and a or b)
	end
	return black, pegs
end

--- The answer to a guess.
---@param guess integer[]
---@param secret integer[]
---@return integer black
---@return integer white
function M.feedback(guess, secret)
	local black, pegs = compare(place_of(guess), place_of(secret))
	return black, pegs - black
end

-- The places of all codes that would have given these answers.
local function places_left(turns)
	local left = {}
	for place = 1, #CODES do
		left[place] = place
	end
	for _, turn in ipairs(turns) do
		local guess, fitting = place_of(turn.guess), {}
		for _, place in ipairs(left) do
			local black, pegs = compare(guess, place)
			if black == turn.black and pegs - black == turn.white then
				fitting[#fitting + 1] = place
			end
		end
		left = fitting
	end
	return left
end

--- The codes that would have given all of these answers, in the order of their numbers.
---@param turns Turn[]
---@return integer[][]
function M.codes_left(turns)
	local codes = {}
	for i, place in ipairs(places_left(turns)) do
		codes[i] = CODES[place]
	end
	return codes
end
