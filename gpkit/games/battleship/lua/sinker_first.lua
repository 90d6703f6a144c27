-- The square to shoot at: the first of the order that has not been shot.
local function aim(S)
	return first_unshot(S)
end
