-- Replays recorded games (key, number of decisions; of each: section, actions before it, number of candidates; of each:
-- its number and its sensors), and compares a hash of all choices.
local function check_games(text, expected)
	local word = words(text)
	local hash = 0.0
	local key = word()
	while key do
		for _ = 1, word() do
			local section, actions = word(), word()
			local candidates, numbers, sources = {}, {}, {}
			for i = 1, word() do
				local env = {}
				numbers[i] = word()
				sources[i] = keyed_source(key, actions, numbers[i])
				for _, name in ipairs(SENSORS[section]) do
					env[name] = word()
				end
				candidates[i] = env
			end
			hash = mix(hash, numbers[M.choose(section, candidates, sources)])
		end
		key = word()
	end
	if hash == expected then
		return 0, nil
	end
	return 1, string.format("recorded games: hash %.0f instead of %.0f", hash, expected)
end
