-- The game itself: a state is changed card by card; there is always somebody who can play.

--- What a player knows in a state; its tables are those of the state, not to be changed.
---@param state table
---@param player integer
---@return Observation
function M.observe(state, player)
	local sizes = {}
	for seat, hand in ipairs(state.hands) do
		sizes[seat] = #hand
	end
	player = math.floor(player)
	return {
		rules = state.rules,
		player = player,
		hand = state.hands[player + 1],
		sizes = sizes,
		low = state.low,
		high = state.high,
		turn = state.turn,
		phase = state.phase,
		receiver = state.receiver,
		finished = state.finished,
		actions = state.actions,
		key = state.key,
	}
end

local function remove_card(hand, card)
	for place, other in ipairs(hand) do
		if other == card then
			table.remove(hand, place)
			return
		end
	end
	error("card " .. tostring(card) .. " is not in the hand")
end

local function insert_card(hand, card)
	local place = 1
	while hand[place] and hand[place] < card do
		place = place + 1
	end
	table.insert(hand, place, card)
end

local function can_move(state, player)
	return #playable_cards(state, state.hands[player + 1]) > 0
end

-- Who sends a card to a player who cannot play, in this order.
local function senders_to(state, player)
	local rules = state.rules
	if rules.sender == "none" or (not rules.send_first_lap and state.turn < rules.players) then
		return {}
	end
	local enough = rules.send_last and 1 or 2
	local able = {}
	for _, seat in ipairs(others_in(state, player, rules.sender == "next" and 1 or -1)) do
		if #state.hands[seat + 1] >= enough and (rules.sender == "all" or #able == 0) then
			able[#able + 1] = seat
		end
	end
	return able
end

local function set_phase(state, phase, player, receiver, senders)
	state.phase, state.current_player, state.receiver, state.senders = phase, player, receiver, senders
end

-- A turn begins: to play if able, else to be sent a card, else to pass, and then the next turn begins.
local function begin_turn(state, player)
	while true do
		if can_move(state, player) then
			return set_phase(state, "play", player, -1, {})
		end
		local senders = senders_to(state, player)
		if #senders > 0 then
			return set_phase(state, "send", senders[1], player, senders)
		end
		state.actions = state.actions + 1
		state.turn = state.turn + 1
		if state.turn >= state.rules.laps * state.rules.players then
			return set_phase(state, "over", -1, -1, {})
		end
		player = others_in(state, player, 1)[1]
	end
end

local function next_turn(state, player)
	state.turn = state.turn + 1
	if state.turn >= state.rules.laps * state.rules.players then
		return set_phase(state, "over", -1, -1, {})
	end
	return begin_turn(state, others_in(state, player, 1)[1])
end

-- A player without cards has left, which may end the game.
local function leave_if_empty(state, player)
	if #state.hands[player + 1] > 0 then
		return
	end
	table.insert(state.finished, player)
	local others = others_in(state, player, 1)
	if state.rules["end"] == "ranks" then
		if #others > 1 then
			return
		end
		table.insert(state.finished, others[1])
	end
	set_phase(state, "over", -1, -1, {})
end

local function apply_play(state, player, card)
	local suit, rank = suit_of(card), rank_of(state.rules, card)
	remove_card(state.hands[player + 1], card)
	state.actions = state.actions + 1
	if rank <= SEVEN then
		state.low[suit + 1] = rank
	end
	if rank >= SEVEN then
		state.high[suit + 1] = rank
	end
	leave_if_empty(state, player)
	if state.phase == "over" then
		return
	end
	if is_end(state.rules, rank) and #state.hands[player + 1] > 0 then
		if state.rules.extra_turn == "must" then
			return begin_turn(state, player)
		elseif state.rules.extra_turn == "may" and can_move(state, player) then
			return set_phase(state, "play", player, -1, {})
		end
	end
	return next_turn(state, player)
end

local function apply_send(state, sender, card)
	local receiver = state.receiver
	remove_card(state.hands[sender + 1], card)
	insert_card(state.hands[receiver + 1], card)
	state.actions = state.actions + 1
	leave_if_empty(state, sender)
	if state.phase == "over" then
		return
	end
	table.remove(state.senders, 1)
	if #state.senders > 0 then
		state.current_player = state.senders[1]
	elseif state.rules.play_received and can_move(state, receiver) then
		set_phase(state, "play", receiver, -1, {})
	else
		next_turn(state, receiver)
	end
end

--- The first state of a game: seat s is dealt every players-th card from the s-th on.
---@param deck integer[] a permutation of 0 to 51
---@param rules? Rules from M.make_rules; left out, M.RULES
---@param key? integer the key of the random numbers
---@return table
function M.deal(deck, rules, key)
	rules = rules or M.RULES
	local state = { rules = rules, hands = {}, low = { 0, 0, 0, 0 }, high = { 0, 0, 0, 0 }, finished = {} }
	state.turn, state.actions, state.key = 0, 0, key and math.floor(key)
	for seat = 1, rules.players do
		local hand = {}
		for place = seat, 52, rules.players do
			hand[#hand + 1] = math.floor(deck[place])
		end
		table.sort(hand)
		state.hands[seat] = hand
	end
	for seat, hand in ipairs(state.hands) do
		local sevens = playable_cards(state, hand)
		local opening = opening_card(rules)
		if not state.phase and (opening and contains(hand, opening) or not opening and #sevens > 0) then
			set_phase(state, "play", seat - 1, -1, {})
		end
	end
	return state
end

--- Changes a state by the current player's choice of a card; it must be a legal one.
---@param state table
---@param card integer
function M.apply(state, card)
	local player = state.current_player
	if not contains(M.legal(M.observe(state, player)), card) then
		error("card " .. tostring(card) .. " is not legal")
	end
	local apply = state.phase == "send" and apply_send or apply_play
	apply(state, player, math.floor(card))
end

--- The score of every player, by seat; all 0 before the end and, but for ranks already reached, at a stall.
---@param state table
---@return number[]
function M.returns(state)
	local players, scores = state.rules.players, {}
	local in_hands = 0
	for seat, hand in ipairs(state.hands) do
		in_hands = in_hands + #hand
		scores[seat] = 0
	end
	if state.phase ~= "over" then
		return scores
	end
	local winner = state.finished[1]
	if state.rules["end"] == "ranks" then
		for place, player in ipairs(state.finished) do
			scores[player + 1] = (players - place) / (players - 1)
		end
	elseif winner and state.rules["end"] == "points" then
		for seat, hand in ipairs(state.hands) do
			scores[seat] = -#hand
		end
		scores[winner + 1] = in_hands
	elseif winner then
		scores[winner + 1] = 1
	end
	return scores
end

--- A whole game: the cards chosen, in order, and the final state.
---@param deck integer[]
---@param rules? Rules
---@param key? integer
---@param choosers? function[] for every seat, what chooses a card from an observation; left out, M.choose
---@return integer[], table
function M.play_game(deck, rules, key, choosers)
	local state = M.deal(deck, rules, key)
	local cards = {}
	while state.phase ~= "over" do
		local player = state.current_player
		local choose = choosers and choosers[player + 1] or M.choose
		cards[#cards + 1] = choose(M.observe(state, player))
		M.apply(state, cards[#cards])
	end
	return cards, state
end
