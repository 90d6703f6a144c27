-- Plays whole games, with keys from 1 on, from which the secrets follow, and compares a hash of all guesses.
local function check_games(count, expected)
	local hash, float = 0.0, nil
	for key = 1, count do
		local place = keyed_uniform(key, 67108863, 0) * #CODES
		local guesses = M.play_game(CODES[place - place % 1.0 + 1], key)
		for _, guess in ipairs(guesses) do
			hash = mix(hash, M.number_of(guess))
			for _, colour in ipairs(guess) do
				if not is_integer(colour) then
					float = colour
				end
			end
		end
		hash = mix(hash, #guesses)
	end
	if float then
		return 1, "whole games: colour " .. float .. " is no integer"
	elseif hash == expected then
		return 0, nil
	end
	return 1, string.format("whole games: hash %.0f instead of %.0f", hash, expected)
end
