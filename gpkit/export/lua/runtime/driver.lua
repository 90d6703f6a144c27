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
	return value ~= value and "nan" or string.format("%.17g", value)
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
	return table.concat(out, " ")
end

-- Replays decisions (number of actions before, number of candidates; of each: its number and sensors): the choices.
function driver.decide(M, section, fields, key, text)
	local word, out = words(text), {}
	local actions = word()
	while actions do
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
		out[#out + 1] = string.format("%.0f", numbers[M.choose(section, candidates, M.keyed and sources)])
		actions = word()
	end
	return table.concat(out, " ")
end

return driver
