local host = {}

function host.begin(rules)
	return { rounds = rules.rounds, bets = {} }
end

function host.legal(state)
	return #state.bets == 2 * state.rounds and {} or { 0, 1, 2 }
end

function host.decision(state)
	return #state.bets % 2 == 1 and "raise_it" or "open"
end

function host.sense(state, action)
	local sum = 0
	for place = math.max(1, #state.bets - 3), #state.bets do
		sum = sum + state.bets[place]
	end
	return { stake = sum / 2 - action, last = state.bets[#state.bets] or 0 }
end

function host.apply(state, action)
	local bets = { (table.unpack or unpack)(state.bets) }
	if state.card then
		bets[#bets + 1] = action
	end
	local card = #bets % 2 == 1 and state.card or nil
	if not state.card then
		card = action
	end
	return { rounds = state.rounds, bets = bets, card = card }
end

return host
