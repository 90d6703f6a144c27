--|# gpkit export FILE --to tree reads the program back from these lines
--|# SHA-256 of the code below: f61ef9ceb9020f17efdc9a7b2a635e00762feeea76b2c4c694568268acc31a0b
--|= steps.decide
--|> // game: sevens
--|> // title: plays and sends as `simple` does: in 15 leaves what it adds up
--|> // source: hand-written
--|> // trained: nothing
--|> play: test env.depth < 1.0
--|>   yes: switch env.block
--|>     below 5.0: 8.0
--|>     below 6.0: 7.0
--|>     below 7.0: 6.0
--|>     below 8.0: 5.0
--|>     below 9.0: 4.0
--|>     else: switch env.block
--|>       below 10.0: 3.0
--|>       below 11.0: 2.0
--|>       below 12.0: 1.0
--|>       else: 0.0
--|>   no: switch env.block
--|>     below 1.0: 6.0
--|>     below 2.0: 5.0
--|>     below 3.0: 4.0
--|>     below 4.0: 3.0
--|>     below 5.0: 2.0
--|>     else: 1.0
--|> send: switch env.dist
--|>   below 1.0: 0.0
--|>   below 2.0: 1.0
--|>   below 3.0: 2.0
--|>   below 4.0: 3.0
--|>   below 5.0: 4.0
--|>   else: test env.dist < 6.0
--|>     yes: 5.0
--|>     no: 6.0
-- steps: written by gpkit 0.1.0; the meaning is that of f64-v1.
-- A player of sevens: every candidate is worth what its decision tree gives, the best is chosen.
-- game: sevens
-- title: plays and sends as `simple` does: in 15 leaves what it adds up
-- source: hand-written
-- trained: nothing
-- play: a tree of 15 leaves; it compares numbers and computes none.
-- send: a tree of 7 leaves; it compares numbers and computes none.

local M = {}

M._VERSION = "steps, gpkit 0.1.0, f64-v1"

-- the error of a call without a sensor that the formula reads
local function absent(sensor)
	error("the sensor " .. sensor .. " is missing", 3)
end

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

-- The random numbers of one candidate, one after another: they depend on the game's key, the number of actions before
-- it and the candidate's own number (0 to 63), and not on the order in which candidates are evaluated.
local function keyed_source(key, actions, candidate)
	local right = candidate - 64.0
	return function()
		right = right + 64.0
		return keyed_uniform(key, actions, right)
	end
end

M.keyed = keyed_source

--- What a candidate is worth in the decision play.
--- * depth: steps from the seven: |rank - 7|; a whole number from 0 to 7
--- * block: cards further out on its side, on both sides for a seven, that others hold; a whole number from 0 to 12
---@param env table<string, number> depth, block
---@return number
function M.play(env)
	local depth = (env.depth or absent("env.depth")) + 0.0
	local block = (env.block or absent("env.block")) + 0.0
	if not (depth >= 1.0) then
		if not (block >= 5.0) then
			return 8.0
		elseif not (block >= 6.0) then
			return 7.0
		elseif not (block >= 7.0) then
			return 6.0
		elseif not (block >= 8.0) then
			return 5.0
		elseif not (block >= 9.0) then
			return 4.0
		elseif not (block >= 10.0) then
			return 3.0
		elseif not (block >= 11.0) then
			return 2.0
		elseif not (block >= 12.0) then
			return 1.0
		else
			return 0.0
		end
	elseif not (block >= 1.0) then
		return 6.0
	elseif not (block >= 2.0) then
		return 5.0
	elseif not (block >= 3.0) then
		return 4.0
	elseif not (block >= 4.0) then
		return 3.0
	elseif not (block >= 5.0) then
		return 2.0
	else
		return 1.0
	end
end

--- What a candidate is worth in the decision send.
--- * dist: cards that must still be played before it can be; 0 if it is playable; a whole number from 0 to 8
---@param env table<string, number> dist
---@return number
function M.send(env)
	local dist = (env.dist or absent("env.dist")) + 0.0
	if not (dist >= 1.0) then
		return 0.0
	elseif not (dist >= 2.0) then
		return 1.0
	elseif not (dist >= 3.0) then
		return 2.0
	elseif not (dist >= 4.0) then
		return 3.0
	elseif not (dist >= 5.0) then
		return 4.0
	elseif not (dist >= 6.0) then
		return 5.0
	else
		return 6.0
	end
end

-- The number that a text holds, or nil if it is not a number; Lua 5.1 and 5.2 expect the locale's decimal point.
local function number_in(text)
	local digits = string.gsub(text, "[eE][-+]?[0-9]+$", "")
	if string.find(digits, "^[-+]?[0-9]+%.?[0-9]*$") or string.find(digits, "^[-+]?%.[0-9]+$") then
		local point = string.match(string.format("%.1f", 0.5), "^0(.*)5$")
		return tonumber(text) or tonumber((string.gsub(text, "%.", point)))
	end
end

--- The place of the best candidate: the highest value wins, the first wins ties, NaN loses to everything.
---@param section string the decision: the name of one of the formulas
---@param candidates table<string, number>[] the sensors of every candidate, in a fixed order
---@param random? function|function[] numbers of [0, 1) for all candidates, or a source for each
---@return integer
function M.choose(section, candidates, random)
	local best, highest = 1, nil
	for i, env in ipairs(candidates) do
		local value = M[section](env, type(random) == "table" and random[i] or random)
		if value == value and (highest == nil or value > highest) then
			best, highest = i, value
		end
	end
	return best
end

local SENSORS = {
	play = { "depth", "block" },
	send = { "dist" },
}

local VECTORS = [[
play 0 0 0 8 play 7 12 0 1 play 6 6 0 1 play 7 10 0 1 play 1 4 0 2 play 6 11 0 1 play 7 7 0 1 play 0 4 0 8 play 5 5 0 1
play 3 12 0 1 play 5 11 0 1 play 2 8 0 1 play 0 10 0 2 play 7 10 0 1 play 2 6 0 1 play 0 5 0 7 play 5 4 0 2 play 3 4 0 2
play 3 3 0 3 play 0 8 0 4 send 0 0 0 send 8 0 6 send 4 0 4 send 3 0 3 send 1 0 1 send 4 0 4 send 7 0 6 send 3 0 3 send 2
0 2 send 7 0 6 send 6 0 6 send 3 0 3 send 3 0 3 send 8 0 6 send 7 0 6 send 2 0 2 send 8 0 6 send 7 0 6 send 2 0 2 send 4
0 4
]]

-- The next word of a text, as a number where it is one.
local function words(text)
	local next_word = string.gmatch(text, "%S+")
	local huge = math.huge
	local special = { inf = huge, ["-inf"] = -huge, nan = huge - huge }
	return function()
		local word = next_word()
		return word and (special[word] or number_in(word) or word)
	end
end

-- Equal as numbers; NaN equals NaN.
local function same(a, b)
	return a == b or (a ~= a and b ~= b)
end

-- Reads vectors (section, sensors, number of random numbers, those, value) and returns how many fail, and the first.
local function check_vectors(text)
	local word = words(text)
	local failures, first, count = 0, nil, 0
	local section = word()
	while section do
		local env, random = {}, {}
		for _, name in ipairs(SENSORS[section]) do
			env[name] = word()
		end
		for i = 1, word() do
			random[i] = word() + 0.0 -- a float where Lua has integers, as math.random() gives
		end
		local drawn = 0
		local value = M[section](env, function()
			drawn = drawn + 1
			return random[drawn]
		end)
		local expected = word()
		count = count + 1
		if not same(value, expected) or drawn ~= #random then
			failures = failures + 1
			first = first or string.format("vector %d, %s: %.17g instead of %.17g", count, section, value, expected)
		end
		section = word()
	end
	return failures, first
end

-- Whether a number is written as an integer, "9" and not "9.0" as Lua 5.3 and later write a float.
local function is_integer(number)
	return tostring(number) == string.format("%.0f", number)
end

-- One more whole number in a hash of 32 bits that doubles compute exactly.
local function mix(hash, number)
	return (hash * 65599.0 + number + 1.0) % 4294967087.0
end

local GAMES = [[
1 30 play 1 2 19 0 7 45 0 5 play 2 2 32 0 8 46 1 3 play 3 4 5 1 3 7 1 2 33 1 3 44 1 5 play 5 3 8 2 3 31 1 3 46 1 3 play
6 4 5 1 3 9 3 1 33 1 3 44 1 5 play 7 2 18 1 4 20 1 3 play 8 2 31 1 3 46 1 3 play 9 5 5 1 3 10 4 1 30 2 2 33 1 3 44 1 5
play 10 2 18 1 4 21 2 3 play 11 2 11 5 1 46 1 3 play 12 6 5 1 3 12 6 0 22 3 3 30 2 2 33 1 3 44 1 5 play 15 6 5 1 3 17 2
3 22 3 3 30 2 2 33 1 3 44 1 5 send 16 12 2 3 3 2 5 0 14 3 17 0 22 0 27 2 28 1 33 0 35 2 38 5 44 0 play 17 2 29 3 2 47 2
3 play 18 6 5 1 3 17 2 3 22 3 3 28 4 1 33 1 4 44 1 5 send 19 10 2 3 3 2 5 0 14 3 17 0 22 0 27 0 33 0 35 2 44 0 play 21 6
5 1 4 17 2 3 22 3 3 27 5 1 33 1 4 44 1 5 send 22 8 3 2 5 0 14 3 17 0 22 0 33 0 35 2 44 0 play 23 2 26 6 0 48 3 3 play 24
5 5 1 4 17 2 4 22 3 3 33 1 4 44 1 5 play 26 2 24 5 0 48 3 3 play 27 4 5 1 4 17 2 4 33 1 4 44 1 5 send 28 5 3 1 17 0 33 0
35 2 44 0 play 29 3 4 2 3 25 6 0 48 3 3 play 30 3 17 2 4 33 1 5 44 1 5 send 31 3 3 1 33 0 44 0 play 32 3 4 2 3 16 3 2 48
3 3 play 33 2 33 1 5 44 1 5 play 34 2 15 4 1 34 2 1 play 35 2 4 2 3 48 3 3 2 28 play 3 5 5 1 4 8 2 3 19 0 7 32 0 9 44 1
4 play 4 2 18 1 3 46 1 4 play 6 6 5 1 4 8 2 3 16 3 2 20 1 3 32 0 9 44 1 4 play 7 2 15 4 1 46 1 4 send 8 14 0 5 1 4 2 3
14 0 21 1 23 3 26 6 27 5 28 4 35 3 36 4 39 5 46 0 47 1 play 9 5 5 1 4 8 2 3 20 1 3 32 0 9 44 1 4 play 10 2 14 5 1 46 1 4
play 12 6 5 1 4 10 4 2 13 6 0 20 1 3 32 0 9 44 1 4 send 14 11 0 5 1 4 2 3 21 1 23 3 27 5 28 4 35 3 36 4 39 5 47 0 play
15 5 5 1 4 10 4 2 20 1 3 32 0 9 44 1 4 play 17 2 11 5 0 48 3 1 play 18 4 5 1 4 20 1 3 32 0 9 44 1 4 play 20 2 12 6 0 48
3 1 play 21 4 5 1 4 22 3 2 32 0 9 44 1 4 play 24 4 5 1 4 24 5 1 32 0 9 44 1 4 send 25 9 3 2 5 0 31 1 32 0 34 2 37 5 40 4
44 0 51 2 play 26 2 25 6 0 49 4 1 play 27 3 5 1 4 32 0 10 44 1 4 send 28 7 3 1 31 1 32 0 34 2 40 4 44 0 51 2 play 29 2 4
2 3 49 4 1 play 30 2 32 0 10 44 1 5 send 31 5 3 1 31 0 34 1 44 0 51 1 play 32 3 4 2 3 33 1 4 50 5 1 play 33 3 31 1 5 44
1 5 51 6 0 send 34 3 31 0 34 1 44 0 play 35 2 4 2 3 33 1 4 play 36 2 31 1 5 44 1 5 play 38 2 30 2 2 33 1 4 3 31 play 1 2
19 0 8 45 0 6 play 3 4 5 1 3 7 1 3 32 0 9 47 2 3 play 4 3 4 2 3 19 0 8 44 1 3 play 6 3 7 1 3 32 0 9 47 2 3 play 7 4 4 2
3 18 1 4 21 2 3 44 1 3 play 9 4 3 3 2 9 3 2 32 0 9 47 2 3 play 10 3 18 1 4 21 2 3 44 1 3 send 11 14 1 1 15 3 18 0 22 0
26 6 31 1 35 3 38 6 42 2 43 1 44 0 49 2 50 3 51 4 play 12 4 2 4 2 9 3 2 32 0 9 47 2 3 play 13 4 1 5 1 18 1 4 22 3 3 44 1
3 play 15 3 9 3 2 32 0 9 47 2 3 play 16 3 18 1 4 22 3 3 44 1 3 play 17 2 10 4 1 23 4 0 play 18 2 32 0 9 47 2 3 play 19 3
18 1 4 31 1 5 44 1 3 play 20 3 10 4 1 24 5 0 33 1 5 play 22 3 18 1 4 31 1 5 43 2 3 play 23 3 10 4 1 25 6 0 33 1 5 play
25 4 18 1 4 31 1 5 42 3 3 49 4 0 play 26 2 10 4 1 33 1 5 play 28 4 18 1 4 31 1 5 42 3 3 50 5 0 play 29 2 12 6 0 33 1 5
send 30 9 13 5 16 2 26 5 27 4 28 3 29 2 30 1 33 0 40 2 play 31 4 18 1 4 31 1 5 42 3 3 51 6 0 play 34 4 18 1 4 31 1 5 35
3 2 42 3 3 send 35 5 15 3 18 0 31 0 38 2 42 0 play 37 3 18 1 5 31 1 5 42 3 3 send 38 3 18 0 31 0 38 1 play 39 2 37 5 1
41 4 1 play 40 2 18 1 5 31 1 5 play 42 2 17 2 2 41 4 1 4 48 play 1 2 7 1 3 32 0 8 play 3 3 5 1 3 19 0 7 33 1 4 play 4 4
7 1 3 18 1 3 31 1 2 44 1 3 play 5 2 30 2 3 46 1 4 play 6 3 5 1 3 20 1 3 33 1 4 play 7 4 7 1 3 18 1 3 29 3 1 44 1 3 play
8 2 28 4 2 46 1 4 play 9 3 4 2 3 20 1 3 33 1 4 play 10 4 7 1 3 18 1 3 27 5 0 44 1 3 play 12 3 3 3 3 20 1 3 33 1 4 play
13 6 2 4 1 7 1 3 18 1 3 26 6 0 44 1 3 47 2 4 send 14 12 0 2 2 0 7 0 8 1 10 3 13 5 17 1 18 0 39 5 43 1 44 0 47 0 play 15
2 20 1 3 33 1 4 play 16 5 2 4 1 7 1 3 18 1 4 44 1 3 47 2 4 play 17 2 1 5 1 21 2 2 play 19 5 0 6 0 7 1 3 18 1 4 44 1 3 47
2 4 play 20 2 21 2 2 34 2 1 send 21 12 11 4 12 5 13 5 15 3 21 0 23 2 24 3 35 0 36 1 38 3 42 2 51 4 play 22 4 7 1 3 18 1
4 44 1 3 47 2 4 play 23 2 21 2 2 35 3 1 send 24 10 11 3 13 5 15 3 21 0 23 2 24 3 36 0 38 2 42 2 51 4 play 25 4 8 2 3 18
1 4 44 1 3 47 2 4 play 26 2 21 2 2 36 4 1 play 27 2 9 3 2 37 5 1 play 28 3 18 1 4 44 1 3 47 2 4 play 29 2 21 2 2 38 6 0
play 31 4 10 4 2 18 1 4 43 2 3 47 2 4 play 32 2 11 5 1 21 2 2 play 34 3 18 1 4 43 2 3 47 2 4 play 35 2 21 2 2 42 3 3
play 37 2 18 1 4 47 2 4 play 38 2 23 4 1 42 3 3 send 39 4 15 2 24 0 42 0 51 4 play 40 2 17 2 4 47 2 4 play 41 2 24 5 1
42 3 3 play 42 2 16 3 1 25 6 0 play 45 3 16 3 1 41 4 1 48 3 0 send 46 8 13 3 14 2 16 0 40 1 41 0 49 0 50 1 51 2 send 47
2 13 3 39 2 play 48 3 16 3 2 41 4 1 49 4 0 send 49 6 14 2 16 0 40 1 41 0 50 0 51 1 send 50 2 14 2 39 2 play 51 3 16 3 3
41 4 1 50 5 0 send 52 4 16 0 40 1 41 0 51 0 send 53 2 39 2 40 1 play 54 3 16 3 3 41 4 2 51 6 0 send 55 2 16 0 41 0 send
56 2 16 0 40 1 5 34 play 1 2 32 0 9 45 0 8 play 3 4 5 1 5 7 1 4 19 0 7 46 1 5 play 4 4 18 1 3 20 1 5 32 0 9 43 2 2 send
5 16 0 5 1 4 2 3 10 3 12 5 15 3 16 2 18 0 20 0 30 2 32 0 34 2 36 4 39 3 42 0 48 2 play 6 3 5 1 5 7 1 4 46 1 5 play 7 4
18 1 3 20 1 5 32 0 9 42 3 2 play 9 3 5 1 5 41 4 2 46 1 5 play 10 3 18 1 3 20 1 5 32 0 9 play 11 3 9 3 3 17 2 4 40 5 1
play 12 2 5 1 5 46 1 5 play 13 3 20 1 5 32 0 9 39 6 0 play 14 3 4 2 2 9 3 3 17 2 4 play 16 2 20 1 5 32 0 9 play 17 6 3 3
2 9 3 3 17 2 4 31 1 4 33 1 4 47 2 1 send 18 13 0 3 3 0 9 0 17 0 21 1 22 2 28 3 31 0 33 0 38 5 49 1 50 2 51 3 play 19 2
20 1 5 48 3 3 play 20 6 3 3 2 9 3 3 17 2 4 31 1 4 33 1 5 49 4 0 send 21 11 0 3 3 0 9 0 17 0 21 1 22 2 28 3 31 0 33 0 50
0 51 1 play 23 7 3 3 3 9 3 3 17 2 4 21 2 3 31 1 4 33 1 5 50 5 0 send 24 9 3 0 9 0 17 0 21 0 22 1 28 3 31 0 33 0 51 0
send 25 14 0 3 11 2 13 4 14 3 23 2 24 3 25 4 26 5 27 4 28 3 29 2 35 2 37 4 38 5 play 26 7 3 3 3 9 3 3 17 2 4 21 2 3 31 1
5 33 1 5 51 6 0 send 27 7 3 0 9 0 17 0 21 0 22 1 31 0 33 0 send 28 14 0 3 11 2 13 4 14 3 22 1 23 2 24 3 25 4 27 4 28 3
29 2 35 2 37 4 38 5 play 29 6 3 3 3 9 3 3 17 2 4 21 2 4 31 1 5 33 1 5 send 30 5 9 0 17 0 21 0 31 0 33 0 play 32 4 17 2 4
21 2 4 31 1 5 33 1 5 play 34 3 1 5 1 10 4 1 16 3 2 play 35 3 21 2 4 31 1 5 33 1 5 play 36 2 0 6 0 22 3 0 play 37 2 10 4
1 16 3 2 play 38 2 31 1 5 33 1 5 play 39 2 11 5 1 22 3 0 play 40 2 16 3 2 30 2 3 6 36 play 1 2 5 1 4 45 0 6 play 2 3 7 1
3 19 0 5 44 1 4 play 3 2 20 1 5 32 0 4 play 4 2 5 1 4 46 1 3 play 5 3 7 1 3 18 1 2 44 1 4 play 6 3 20 1 5 31 1 2 33 1 2
play 7 2 5 1 4 47 2 3 play 8 3 7 1 3 17 2 2 44 1 4 play 9 3 20 1 5 30 2 2 33 1 2 play 10 3 5 1 4 29 3 3 48 3 3 play 11 3
7 1 3 16 3 2 44 1 4 play 12 3 20 1 5 28 4 1 33 1 2 play 13 2 5 1 4 48 3 3 play 14 5 7 1 3 15 4 2 27 5 1 44 1 4 49 4 2
play 15 3 20 1 5 26 6 0 33 1 2 play 17 4 7 1 3 15 4 2 44 1 4 49 4 2 play 18 3 4 2 3 20 1 5 33 1 2 play 20 3 7 1 3 44 1 4
49 4 2 play 21 5 4 2 3 13 6 0 20 1 5 34 2 2 50 5 0 send 22 10 2 2 4 0 11 4 20 0 34 0 35 1 36 2 40 4 50 0 51 1 play 23 2
7 1 3 44 1 4 play 24 4 4 2 3 20 1 5 34 2 2 50 5 0 play 26 2 9 3 2 44 1 4 play 27 4 4 2 3 20 1 5 34 2 2 51 6 0 send 28 7
2 2 4 0 20 0 34 0 35 1 36 2 40 4 play 29 2 10 4 2 44 1 4 play 30 3 4 2 3 20 1 5 34 2 2 play 33 3 4 2 3 20 1 5 35 3 2
play 34 2 12 6 0 43 2 1 send 35 9 0 4 22 2 23 3 37 1 38 2 39 4 40 3 42 1 43 0 play 36 3 4 2 3 20 1 5 36 4 2 play 37 2 37
5 0 43 2 1 send 38 7 22 2 23 3 38 0 39 4 40 3 42 1 43 0 play 39 2 4 2 3 20 1 5 play 40 2 38 6 0 43 2 2 play 42 2 2 4 2
20 1 5 7 42 send 1 17 1 4 9 2 10 3 12 5 13 6 14 5 17 2 22 3 27 5 32 0 37 5 40 5 43 2 44 1 46 1 47 2 51 6 play 2 4 5 1 2
7 1 5 19 0 8 45 0 10 play 5 5 4 2 2 7 1 5 19 0 8 31 1 3 45 0 10 send 6 15 2 1 3 0 7 0 15 4 16 3 19 0 20 1 21 2 26 5 28 3
31 0 38 4 45 0 48 3 49 4 play 8 5 3 3 2 7 1 5 19 0 8 31 1 4 45 0 10 send 9 13 2 0 7 0 15 4 16 3 19 0 20 1 21 2 28 3 31 0
38 3 45 0 48 3 49 4 play 11 5 2 4 2 7 1 5 19 0 9 31 1 4 45 0 10 play 13 2 0 6 0 36 4 2 play 14 4 7 1 5 19 0 9 31 1 4 45
0 10 send 15 10 7 0 16 2 20 0 21 1 28 3 31 0 38 2 45 0 48 3 49 4 play 16 2 18 1 4 36 4 2 play 17 4 7 1 5 20 1 4 31 1 4
45 0 11 play 20 5 7 1 5 21 2 4 31 1 4 38 6 0 45 0 11 send 22 15 9 2 10 3 12 5 14 2 15 1 22 1 26 5 27 4 40 5 43 2 44 1 46
1 47 2 49 4 51 6 play 23 5 7 1 5 16 3 3 21 2 4 31 1 4 45 0 11 send 25 13 9 2 10 3 12 5 14 0 22 1 26 5 27 4 40 5 43 2 44
1 46 1 47 2 49 4 play 26 4 7 1 5 21 2 4 31 1 4 45 0 11 play 27 2 14 5 1 22 3 3 play 29 3 7 1 5 31 1 4 45 0 11 play 31 2
23 4 0 30 2 3 play 32 2 7 1 5 45 0 11 send 33 3 28 2 45 0 48 3 play 34 3 8 2 2 24 5 0 30 2 3 play 36 2 44 1 3 46 1 2
play 37 3 8 2 2 25 6 0 30 2 3 send 38 10 8 0 11 3 12 4 29 1 30 0 39 5 41 3 42 2 50 3 51 4 play 39 2 44 1 3 47 2 2 play
40 2 8 2 2 30 2 3 send 41 8 11 2 12 3 29 1 30 0 41 3 42 2 50 2 51 3 play 42 3 9 3 2 44 1 3 48 3 2 send 44 6 11 1 29 0 41
3 42 2 50 2 51 3 play 45 3 10 4 2 44 1 3 48 3 2 play 46 2 11 5 1 29 3 3 play 48 2 44 1 3 48 3 2 play 51 3 27 5 0 44 1 3
49 4 2 send 52 5 26 0 40 4 43 1 44 0 49 0 send 53 4 40 4 42 2 50 1 51 2 play 54 3 26 6 0 44 1 4 49 4 2 send 55 3 43 1 44
0 49 0 send 56 4 42 2 43 1 50 1 51 2 play 57 2 44 1 5 49 4 2 send 59 2 43 1 51 0 8 49 send 1 17 3 2 4 1 5 0 10 3 11 4 14
5 16 3 17 2 23 4 26 6 32 0 35 3 38 6 39 6 40 5 44 1 50 5 play 2 3 7 1 3 19 0 10 45 0 8 play 3 3 5 1 3 32 0 10 44 1 3
send 4 15 3 1 4 0 10 3 11 4 14 5 16 3 17 2 23 4 32 0 35 3 38 6 39 5 40 4 44 0 50 4 play 5 3 7 1 3 19 0 10 46 1 4 play 6
3 4 2 3 32 0 11 44 1 3 send 7 13 3 0 10 2 11 3 14 5 16 3 17 2 23 4 32 0 35 3 39 5 40 4 44 0 50 4 play 8 3 8 2 3 19 0 10
46 1 4 play 9 3 3 3 3 32 0 11 44 1 3 play 11 3 2 4 1 19 0 10 46 1 4 play 12 3 10 4 1 32 0 11 44 1 3 play 14 3 0 6 0 19 0
10 46 1 4 play 15 3 11 5 1 32 0 11 44 1 3 send 16 9 16 3 17 2 23 4 32 0 35 3 39 5 40 4 44 0 50 4 play 17 3 12 6 0 19 0
10 46 1 4 play 18 2 32 0 11 44 1 4 send 19 7 16 3 17 2 23 4 32 0 35 3 40 3 50 4 play 20 3 19 0 10 43 2 3 46 1 4 play 22
2 31 1 3 33 1 2 play 23 3 19 0 10 42 3 3 46 1 4 send 24 9 13 6 19 0 21 2 27 4 28 3 30 1 36 2 46 0 51 5 play 25 3 31 1 3
34 2 2 41 4 1 play 26 2 19 0 11 46 1 4 play 28 4 31 1 3 34 2 2 39 6 0 47 2 2 send 30 6 21 1 27 4 28 3 30 1 36 2 51 4
play 31 5 18 1 3 20 1 1 31 1 3 34 2 2 47 2 2 send 33 4 28 3 30 1 36 2 51 4 play 34 5 18 1 3 22 3 0 31 1 3 34 2 2 47 2 2
send 35 15 14 4 15 3 18 0 23 0 24 1 25 2 26 5 29 2 31 0 34 0 37 3 38 4 47 0 48 1 49 2 send 36 4 26 5 28 3 30 1 36 2 play
37 5 18 1 3 23 4 0 31 1 4 34 2 2 47 2 2 send 38 13 14 4 15 3 18 0 24 0 25 1 29 2 31 0 34 0 37 3 38 4 47 0 48 1 49 2 send
39 4 14 4 28 3 30 1 36 2 play 40 5 18 1 4 24 5 0 31 1 4 34 2 2 47 2 2 send 41 11 15 3 18 0 25 0 29 2 31 0 34 0 37 3 38 4
47 0 48 1 49 2 send 42 4 28 3 30 1 36 2 38 4 play 43 5 18 1 4 25 6 0 31 1 4 34 2 3 47 2 2 send 44 9 15 3 18 0 29 2 31 0
34 0 37 3 47 0 48 1 49 2 send 45 4 15 3 28 3 30 1 36 2 play 46 4 18 1 5 31 1 4 34 2 3 47 2 2 send 47 7 18 0 29 2 31 0 34
0 37 3 48 0 49 1 send 48 4 28 3 30 1 36 2 37 3 play 49 4 18 1 5 31 1 4 34 2 4 48 3 2 send 50 5 18 0 29 2 31 0 34 0 49 0
send 51 4 29 2 30 1 36 2 37 3 play 52 4 18 1 5 31 1 5 34 2 4 49 4 2 send 53 3 18 0 31 0 34 0 play 55 2 31 1 5 34 2 4
play 57 3 17 2 0 35 3 1 51 6 0 9 33 send 2 17 1 4 2 3 3 2 4 1 8 1 13 6 14 5 15 4 29 3 31 1 33 1 37 5 38 6 40 4 44 0 46 0
48 2 play 3 4 5 1 4 7 1 3 19 0 10 32 0 9 play 4 3 8 2 4 44 1 4 46 1 4 play 6 3 5 1 4 19 0 10 32 0 9 play 7 4 31 1 4 33 1
3 44 1 4 46 1 4 play 9 4 5 1 4 11 5 0 19 0 10 34 2 4 play 10 3 31 1 4 44 1 4 46 1 4 send 11 13 1 4 2 3 3 2 4 1 14 5 15 4
29 1 37 3 38 4 40 4 44 0 46 0 48 2 play 12 5 5 1 4 12 6 0 19 0 10 30 2 3 34 2 4 play 13 2 44 1 4 46 1 4 play 15 4 5 1 4
19 0 10 30 2 3 34 2 4 play 16 2 29 3 3 46 1 4 play 17 2 28 4 1 42 3 3 play 18 4 5 1 4 19 0 10 27 5 1 34 2 4 play 20 3 26
6 0 42 3 3 47 2 3 play 21 3 5 1 4 19 0 10 34 2 4 play 23 2 42 3 3 47 2 3 play 24 3 19 0 10 34 2 4 41 4 1 play 25 2 3 3 1
40 5 1 play 27 2 19 0 10 34 2 4 play 28 3 2 4 1 40 5 1 48 3 3 play 29 2 18 1 2 20 1 1 play 31 3 1 5 1 40 5 1 48 3 3 play
32 3 18 1 2 21 2 1 35 3 2 play 34 2 40 5 1 48 3 3 play 35 3 18 1 2 22 3 1 35 3 2 play 36 2 23 4 2 39 6 0 play 38 2 18 1
2 35 3 2 play 39 2 23 4 2 49 4 1 send 40 3 16 1 23 0 50 0 play 41 2 17 2 2 35 3 2 play 42 2 23 4 2 50 5 1 play 44 2 35 3
2 51 6 0 10 47 play 1 2 19 0 7 45 0 9 play 2 3 5 1 2 20 1 4 32 0 5 play 3 3 7 1 3 18 1 3 31 1 5 play 4 3 8 2 2 33 1 4 45
0 9 play 5 2 5 1 2 20 1 4 play 6 3 9 3 2 18 1 3 31 1 5 play 7 3 10 4 1 33 1 4 45 0 9 play 8 2 4 2 2 20 1 4 play 9 3 11 5
1 18 1 3 31 1 5 play 10 3 12 6 0 33 1 4 45 0 9 play 11 2 3 3 2 20 1 4 play 12 2 18 1 3 31 1 5 play 13 4 2 4 1 17 2 3 33
1 4 45 0 9 play 14 2 1 5 1 20 1 4 play 16 5 0 6 0 17 2 3 30 2 4 33 1 4 45 0 9 send 18 11 15 2 22 1 26 4 27 3 28 2 29 1
34 1 35 2 36 3 42 3 49 4 play 19 5 17 2 3 21 2 2 30 2 4 33 1 4 45 0 9 play 22 5 17 2 3 24 5 0 30 2 4 33 1 4 45 0 9 send
23 10 16 1 17 0 25 0 30 0 33 0 37 4 39 6 40 5 45 0 48 3 send 24 10 15 2 27 3 28 2 29 1 34 1 35 2 36 3 39 6 42 3 49 4
play 25 5 17 2 3 25 6 0 30 2 4 33 1 4 45 0 10 send 26 8 16 1 17 0 30 0 33 0 37 4 40 5 45 0 48 3 send 27 10 15 2 27 3 28
2 29 1 34 1 35 2 36 3 40 5 42 3 49 4 play 28 4 17 2 3 30 2 4 33 1 4 45 0 11 send 29 6 16 0 30 0 33 0 37 4 45 0 48 3 send
30 10 15 1 27 3 28 2 29 1 34 1 35 2 36 3 37 4 42 3 49 4 play 31 4 16 3 3 30 2 4 33 1 5 45 0 11 play 34 3 30 2 4 33 1 5
45 0 11 play 37 2 33 1 5 45 0 11 play 38 2 28 4 1 34 2 2 send 39 6 27 0 34 0 35 1 36 2 42 3 49 4 play 41 2 27 5 1 34 2 2
play 42 3 26 6 0 44 1 1 46 1 1 send 43 12 37 3 38 4 39 5 40 4 41 3 43 1 44 0 46 0 47 1 49 3 50 4 51 5 play 45 2 44 1 2
46 1 1 send 46 10 37 2 38 3 40 4 41 3 43 1 44 0 47 0 49 2 50 3 51 4 play 48 2 44 1 3 47 2 1 play 51 3 37 5 0 44 1 3 49 4
0 send 52 7 38 0 41 3 43 1 44 0 49 0 50 1 51 2 send 53 3 39 5 40 4 41 3 play 54 3 38 6 0 44 1 4 49 4 0 send 55 5 43 1 44
0 49 0 50 1 51 2 send 56 3 40 4 41 3 51 2 play 57 2 44 1 4 49 4 1 send 58 3 43 1 44 0 50 0 send 59 3 41 3 43 1 51 1 play
60 2 44 1 5 50 5 1
]]

-- Replays recorded games (key, number of decisions; of each: section, actions before it, number of candidates; of each:
-- its number and its sensors), and compares a hash of all choices.
local function check_games(text, expected)
	local word = words(text)
	local hash, float = 0.0, nil
	local key = word()
	while key do
		for _ = 1, word() do
			local section, actions = word(), word()
			local candidates, numbers, sources = {}, {}, {}
			for i = 1, word() do
				local env = {}
				numbers[i] = word()
				sources[i] = keyed_source(key, actions, numbers[i])
				for _, name in ipairs(SENSORS[section]) do
					env[name] = word()
				end
				candidates[i] = env
			end
			local place = M.choose(section, candidates, sources)
			hash = mix(hash, numbers[place])
			if not is_integer(place) then
				float = place
			end
		end
		key = word()
	end
	if float then
		return 1, "recorded games: place " .. float .. " is no integer"
	elseif hash == expected then
		return 0, nil
	end
	return 1, string.format("recorded games: hash %.0f instead of %.0f", hash, expected)
end

--- Tests this file against what the program computed where it was written.
---@return integer failures
---@return string? first the first failure
function M.selftest()
	local failures, first = check_vectors(VECTORS)
	local more, other
	more, other = check_games(GAMES, 46919597)
	failures, first = failures + more, first or other
	return failures, first
end

return M
