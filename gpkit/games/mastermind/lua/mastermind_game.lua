-- By number of codes what is not known of them: n * log2(n) * 2^32, rounded. The logarithms of hosts differ in the last
-- digit, so that these are not computed here.
local AMOUNTS = {}
for word in string.gmatch(UNCERTAINTY, "%S+") do
	AMOUNTS[#AMOUNTS + 1] = word + 0.0
end

-- The sizes of the parts into which a guess divides the codes that are left: by the answer that each would give.
local function parts_of(guess, left)
	local sizes, answers = {}, {}
	for _, place in ipairs(left) do
		local black, pegs = compare(guess, place)
		local answer = pegs * 64 + black
		if not sizes[answer] then
			sizes[answer] = 0
			answers[#answers + 1] = answer
		end
		sizes[answer] = sizes[answer] + 1
	end
	for i, answer in ipairs(answers) do
		answers[i] = sizes[answer]
	end
	return answers
end

-- The colours of a code that no guess has had.
local function new_colours(counts, turns)
	local had, new = {}, 0
	for _, turn in ipairs(turns) do
		for _, colour in ipairs(turn.guess) do
			had[colour] = true
		end
	end
	for colour, count in ipairs(counts) do
		new = new + (count > 0 and not had[colour] and 1 or 0)
	end
	return new
end

-- The sensors of a guess; all are floats, which whole numbers are not in every Lua.
local function sense_place(guess, left, possible, turns)
	local counts, kinds = counts_of(CODES[guess])
	local parts = parts_of(guess, left)
	local all, can_be = #left + 0.0, possible and 1.0 or 0.0
	local largest, squares, bits = 0.0, 0.0, AMOUNTS[#left]
	local few = { 0.0, 0.0, 0.0 }
	for _, size in ipairs(parts) do
		largest = size > largest and size + 0.0 or largest
		squares = squares + size * size
		bits = bits - AMOUNTS[size]
		if size <= 3 then
			few[size] = few[size] + 1.0
		end
	end
	return {
		turn = #turns + 0.0,
		left = all,
		length = M.RULES.length + 0.0,
		colours = M.RULES.colours + 0.0,
		possible = can_be,
		parts = #parts + 0.0,
		largest = largest,
		expected = squares / all,
		entropy = bits / (all * 4294967296.0),
		singles = few[1],
		pairs = few[2],
		triples = few[3],
		win = can_be / all,
		next = #parts / all,
		worst = largest / all,
		alone = few[1] / all,
		twins = 2.0 * few[2] / all,
		three = 3.0 * few[3] / all,
		kinds = kinds + 0.0,
		new = new_colours(counts, turns) + 0.0,
	}
end

local function has_place(left, wanted)
	for _, place in ipairs(left) do
		if place == wanted then
			return true
		end
	end
	return false
end

--- What the formula sees of a guess after these turns, which some code must fit.
---@param turns Turn[]
---@param guess integer[]
---@return table<string, number>
function M.sense(turns, guess)
	local left, place = places_left(turns), place_of(guess)
	return sense_place(place, left, has_place(left, place), turns)
end

-- How often a code has its colours, whichever they are: before the first guess codes differ in nothing else.
local function pattern_of(place)
	local counts = {}
	for colour, count in ipairs(COUNTS[place]) do
		counts[colour] = count
	end
	table.sort(counts)
	return table.concat(counts, " ")
end

-- Gives the sensors of a guess, by its place and whether it can be the secret; those of a pattern once if nothing has
-- been guessed.
local function senses(left, turns)
	local known = {}
	return function(place, possible)
		if #turns > 0 then
			return sense_place(place, left, possible, turns)
		end
		local pattern = pattern_of(place)
		known[pattern] = known[pattern] or sense_place(place, left, possible, turns)
		return known[pattern]
	end
end

--- The guess of this player: a list not to be changed. The highest value wins; of equal ones codes that can be the
--- secret come first, then those of low numbers; NaN is below everything. If one or two codes are left, it is the first
--- of them.
---@param turns Turn[] the guesses so far with their answers; an error if no code fits
---@param key? integer of the game's random numbers, 0 to 2^26 - 1; left out, they come from M.random
---@return integer[]
function M.choose(turns, key)
	local left = places_left(turns)
	if #left == 0 then
		error("no code fits all of these answers", 2)
	end
	if #left <= 2 then
		return CODES[left[1]]
	end
	local possible = {}
	for _, place in ipairs(left) do
		possible[place] = true
	end
	local sense = senses(left, turns)
	local best, highest, sure = left[1], -math.huge, true
	for place = 1, #CODES do
		local can_be = possible[place] or false
		local value = M.guess(sense(place, can_be), key and keyed_source(key, #turns, place - 1))
		if value > highest or (value == highest and can_be and not sure) then
			best, highest, sure = place, value, can_be
		end
	end
	return CODES[best]
end

--- A whole game: the guesses made, and how many they are, or one more than are allowed if the code is not found.
---@param secret integer[]
---@param key? integer of the random numbers
---@param chooser? function what guesses after some turns; left out, M.choose
---@return integer[][], integer
function M.play_game(secret, key, chooser)
	local turns, guesses = {}, {}
	while #turns < M.RULES.guesses do
		local guess = (chooser or M.choose)(turns, key)
		local black, white = M.feedback(guess, secret)
		turns[#turns + 1] = { guess = guess, black = black, white = white }
		guesses[#turns] = guess
		if black == M.RULES.length then
			return guesses, #turns
		end
	end
	return guesses, M.RULES.guesses + 1
end
