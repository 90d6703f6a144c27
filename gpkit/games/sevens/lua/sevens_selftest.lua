-- A deck that depends only on a key.
local function keyed_deck(key)
	local deck = {}
	for place = 1, 52 do
		deck[place] = place - 1
	end
	for place = 52, 2, -1 do
		local other = keyed_uniform(key, 67108863, place) * place
		other = other - other % 1.0 + 1
		deck[place], deck[other] = deck[other], deck[place]
	end
	return deck
end

-- Plays whole games of this player against itself, with keys from 1 on, and compares a hash of all cards and scores.
local function check_games(count, expected)
	local hash, float = 0.0, nil
	for key = 1, count do
		local cards, state = M.play_game(keyed_deck(key), M.RULES, key)
		for _, card in ipairs(cards) do
			hash = mix(hash, card)
			if not is_integer(card) then
				float = card
			end
		end
		hash = mix(hash, state.turn)
	end
	if float then
		return 1, "whole games: card " .. float .. " is no integer"
	elseif hash == expected then
		return 0, nil
	end
	return 1, string.format("whole games: hash %.0f instead of %.0f", hash, expected)
end
