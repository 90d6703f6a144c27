local deck = {}
for place = 1, 52 do
	deck[place] = (place * 17) % 52 + 0.0
end
local rules = whole(M.make_rules({ players = 4.0, laps = 50.0 }), "rules")
local cards, state = M.play_game(deck, rules, 3.0)
whole(cards, "cards")
whole(state, "the state")
state = M.deal(deck, rules)
local known = M.observe(state, state.current_player)
whole(M.sense(known, M.legal(known)[1]), "sensors")
state = M.deal(deck, floats(rules), 3.0)
for _ = 1, 30 do
	local seen = floats(M.observe(state, state.current_player + 0.0))
	whole(M.legal(seen), "legal cards")
	M.apply(state, whole(M.choose(seen), "the card") + 0.0)
	whole({ state.current_player, state.hands, state.low, state.high, state.finished, state.turn }, "the state")
end
return #cards
