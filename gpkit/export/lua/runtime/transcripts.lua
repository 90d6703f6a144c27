-- Replays recorded games (key, number of decisions; of each: section, actions before it, number of candidates; of each:
-- its number and its sensors), and compares a hash of all choices.
local function check_games(text, expected)
	local word = words(text)
	local hash, float = 0.0, nil
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
			local place = M.choose(section, candidates, sources)
			hash = mix(hash, numbers[place])
			if not is_integer(place) then
				float = place
			end
		end
		key = word()
	end
	if float then
		return 1, "recorded games: place " .. float .. " is no integer"
	elseif hash == expected then
		return 0, nil
	end
	return 1, string.format("recorded games: hash %.0f instead of %.0f", hash, expected)
end
