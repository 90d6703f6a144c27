-- The random numbers of one action, one after another: they depend on the game's key, the number of actions before it
-- and the action's own number, and not on the order in which actions are evaluated.
local function keyed_source(key, actions, action)
	local right = action + 3.0 - 65536.0
	return function()
		right = right + 65536.0
		return keyed_uniform(key, actions % 67108864.0, right % 67108864.0)
	end
end
