-- The random numbers of one square, one after another: they depend on the game's key, the number of turns before it and
-- the square's own number (0 to 4095), and not on the order in which squares are evaluated.
local function keyed_source(key, turns, square)
	local right = square + 0.0
	return function()
		right = (right + 4096.0) % 67108864.0
		return keyed_uniform(key, turns, right)
	end
end
