local loaded = {}

--- The player of a level, as in the file that `gpkit export --to lua` writes for its program alone.
---@param level integer|string the number of the level, or the name of its program
---@return table
function M.level(level)
	for _, each in ipairs(M.LEVELS) do
		if each.level == level or each.name == level then
			loaded[each.name] = loaded[each.name] or PLAYERS[each.name]()
			return loaded[each.name]
		end
	end
	error("there is no level " .. tostring(level), 2)
end

--- The number and the player of the level after this one; after the highest level, the lowest.
---@param number integer the place of a level in LEVELS
---@return integer number
---@return table player
function M.next_level(number)
	number = number % #M.LEVELS + 1
	return number, M.level(M.LEVELS[number].name)
end

--- The name and the sentence of a level.
---@param number integer the place of a level in LEVELS
---@return string
function M.told(number)
	return M.LEVELS[number].name .. " " .. M.LEVELS[number].sentence
end

--- Tests all levels against what their programs computed where this file was written.
---@param host? table the rules and sensors of the game, if the players ask for them
---@return integer failures
---@return string? first the first failure
function M.selftest(host)
	local failures, first = 0, nil
	for _, each in ipairs(M.LEVELS) do
		local more, other = M.level(each.name).selftest(host)
		failures, first = failures + more, first or (other and each.name .. ": " .. other)
	end
	return failures, first
end
