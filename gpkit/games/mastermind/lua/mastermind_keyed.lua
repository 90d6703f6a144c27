-- The random numbers of one code, one after another: they depend on the game's key, the number of guesses before it and
-- the code's own number (0 to 131071), and not on the order in which codes are evaluated.
local function keyed_source(key, guesses, code)
	local right = code - 131072.0
	return function()
		right = right + 131072.0
		return keyed_uniform(key, guesses, right)
	end
end
