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
