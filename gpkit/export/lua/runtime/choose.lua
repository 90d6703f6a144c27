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
