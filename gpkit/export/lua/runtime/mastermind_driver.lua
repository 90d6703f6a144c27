-- How `gpkit export --check` plays one game with an exported player: the numbers of all guesses, how many, the score.
return function(M, key, secret)
	local code = {}
	for colour in string.gmatch(secret, "%S+") do
		code[#code + 1] = tonumber(colour)
	end
	local guesses, score = M.play_game(code, key)
	local out = {}
	for i, guess in ipairs(guesses) do
		out[i] = string.format("%.0f", M.number_of(guess))
	end
	out[#out + 1] = string.format("%.0f", #guesses)
	out[#out + 1] = string.format("%.0f", score)
	return table.concat(out, " ")
end
