local secret = { 4.0, 2.0, 1.0 }
local guesses, score = M.play_game(secret, 5.0)
whole({ guesses, score, M.number_of(secret), { M.feedback(floats(guesses[1]), secret) } }, "the game")
local turns = {}
for number, guess in ipairs(guesses) do
	local black, white = M.feedback(guess, secret)
	turns[number] = { guess = floats(guess), black = black + 0.0, white = white + 0.0 }
	whole(M.codes_left(turns), "codes left")
	whole(M.choose(turns, 5.0), "the guess")
end
return #guesses
