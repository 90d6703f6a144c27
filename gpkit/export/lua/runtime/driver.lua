-- What `gpkit export --check` runs exported code with. Numbers come and go as text, which keeps the sign of zero.
local huge = math.huge
local special = { inf = huge, ["-inf"] = -huge, nan = huge - huge }

local function words(text)
	local next_word = string.gmatch(text, "%S+")
	return function()
		local word = next_word()
		return word and (special[word] or tonumber(word))
	end
end

local function shown(value)
	return type(value) == "string" and value or value ~= value and "nan" or string.format("%.17g", value)
end

local driver = {}

-- Evaluates a function for rows of sensors and random numbers. Every sensor is put at the end of its path; the first
-- words of the paths are what the function takes, in the order of `roots`. math.random gives the numbers of random.
function driver.evaluate(f, roots, paths, draws, rows, text)
	local word, out = words(text), {}
	local random, drawn = {}, 0
	local function draw()
		drawn = drawn + 1
		return random[drawn]
	end
	local before = math.random
	math.random = draw
	for row = 1, rows do
		local root = {}
		for _, path in ipairs(paths) do
			local place = root
			for i = 1, #path - 1 do
				place[path[i]] = place[path[i]] or {}
				place = place[path[i]]
			end
			place[path[#path]] = word()
		end
		for i = 1, draws do
			random[i] = word() + 0.0 -- a float where Lua has integers, as math.random() gives
		end
		drawn = 0
		local arguments = {}
		for i, name in ipairs(roots) do
			arguments[i] = name == "random" and draw or root[name] or 0
		end
		out[row] = shown(f((table.unpack or unpack)(arguments)))
		if drawn ~= draws then
			out[row] = "drew" .. drawn
		end
	end
	math.random = before
	return table.concat(out, "\n")
end

-- Replays decisions (key of the game, number of actions before, number of candidates; of each: its number and sensors):
-- the choices.
function driver.decide(M, section, fields, text)
	local word, out = words(text), {}
	local key = word()
	while key do
		local actions = word()
		local candidates, numbers, sources = {}, {}, {}
		for i = 1, word() do
			numbers[i] = word()
			sources[i] = M.keyed and M.keyed(key, actions, numbers[i])
			local env = {}
			for _, name in ipairs(fields) do
				env[name] = word()
			end
			candidates[i] = env
		end
		local place = M.choose(section, candidates, M.keyed and sources)
		local is_integer = tostring(place) == string.format("%.0f", place)
		out[#out + 1] = is_integer and tostring(numbers[place]) or "place" .. tostring(place)
		key = word()
	end
	return table.concat(out, " ")
end

-- Plays whole games, a line of each: its key and its deal; a line of what happened in each.
function driver.play(M, play, text)
	local out = {}
	for key, deal in string.gmatch(text, "(%d+) ([%d ]*)") do
		out[#out + 1] = play(M, tonumber(key), deal)
	end
	return table.concat(out, "\n")
end

-- The lines that these functions say of recorded games or positions, which is nothing where all is as expected.
function driver.replay(replay, recorded)
	local out = {}
	for _, each in ipairs(recorded) do
		out[#out + 1] = replay(each)
	end
	return out
end

-- What a module's own test says: how many failures, and the first of them; -1 where it tests nothing.
function driver.selftest(M)
	local failures, first = M.selftest()
	return string.format("%d %s", failures or -1, first or "")
end

return driver
