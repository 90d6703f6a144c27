M.replay = replay

-- Plays the recorded games again: how many go differently, and the first difference.
function M.selftest()
	local failures, first = 0, nil
	for _, game in ipairs(GAMES) do
		local difference = replay(game)
		if difference then
			failures = failures + 1
			first = first or difference
		end
	end
	return failures, first
end
