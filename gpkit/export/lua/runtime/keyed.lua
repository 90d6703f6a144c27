-- The random numbers of one candidate, one after another: they depend on the game's key, the number of actions before
-- it and the candidate's own number (0 to 63), and not on the order in which candidates are evaluated.
local function keyed_source(key, actions, candidate)
	local right = candidate - 64.0
	return function()
		right = right + 64.0
		return keyed_uniform(key, actions, right)
	end
end
