M.check, M.replay = check, replay

-- Compares the recorded positions and plays the recorded games again: how many go differently, and the first
-- difference.
function M.selftest()
	local failures, first = 0, nil
	local function tell(difference)
		if difference then
			failures = failures + 1
			first = first or difference
		end
	end
	for _, position in ipairs(POSITIONS) do
		tell(check(position))
	end
	for _, game in ipairs(GAMES) do
		tell(replay(game))
	end
	return failures, first
end
