-- Runs the recorded runs again: how many go differently, and the first difference.
function M.selftest()
	local failures, first = 0, nil
	for _, run in ipairs(RUNS) do
		local difference = replay(run)
		if difference then
			failures = failures + 1
			first = first or difference
		end
	end
	return failures, first
end
