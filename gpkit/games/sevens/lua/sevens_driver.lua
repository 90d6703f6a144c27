-- How `gpkit export --check` plays one game with an exported player: all cards, the number of turns, the scores.
return function(M, key, deck)
	local cards = {}
	for card in string.gmatch(deck, "%S+") do
		cards[#cards + 1] = tonumber(card)
	end
	local chosen, state = M.play_game(cards, M.RULES, key)
	local out = {}
	for i, card in ipairs(chosen) do
		out[i] = tostring(card)
	end
	out[#out + 1] = tostring(state.turn)
	for _, score in ipairs(M.returns(state)) do
		out[#out + 1] = string.format("%.17g", score)
	end
	return table.concat(out, " ")
end
