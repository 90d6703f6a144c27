-- How `gpkit export --check` plays one game with an exported player: the numbers of all guesses, how many, the score.
return function(M, key, secret)
	local code = {}
	for colour in string.gmatch(secret, "%S+") do
		code[#code + 1] = tonumber(colour)
	end
	local guesses, score = M.play_game(code, key)
	local out = {}
	for i, guess in ipairs(guesses) do
		out[i] = tostring(M.number_of(guess))
		for _, colour in ipairs(guess) do
			if tostring(colour) ~= string.format("%.0f", colour) then
				out[i] = "colour" .. tostring(colour)
			end
		end
	end
	out[#out + 1] = tostring(#guesses)
	out[#out + 1] = tostring(score)
	return table.concat(out, " ")
end
