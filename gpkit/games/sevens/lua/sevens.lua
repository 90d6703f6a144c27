-- Sevens. Cards are 0 to 51: thirteen of each suit (hearts, diamonds, clubs, spades), rising with the rank, from the
-- ace on, or from the two where the ace is high. Seats count from 0. low and high hold the end ranks of the run of each
-- suit on the table, 0 until its seven is played. What a player knows (an observation) and a state of the game are
-- plain tables; an observation holds only what is public and the own hand, so a host can also fill one in itself.

local SEVEN = 7

---@class Rules the options of the game; M.RULES are those of this player
---@field players integer 2 to 7
---@field ace_high boolean the ace ranks above the king instead of below the two
---@field start string the seven that must open the game: 7h, 7d, 7c, 7s, or any
---@field gates boolean an eight needs the six of its suit on the table, and a five the eight
---@field sender string who sends a card to a player who cannot play: previous, next, all, none
---@field send_last boolean a player may send the last card, and is then out of the game
---@field send_unplayable_first boolean the sender must choose an unplayable card if there is one
---@field send_first_lap boolean cards are sent in the first lap, too
---@field play_received boolean a received card is played at once if possible
---@field extra_turn string after the lowest or highest rank: none, may (play on if able), must (a whole turn)
---@field end string first (the first to leave wins), ranks, points
---@field laps integer rounds of the table after which the game is a draw

---@class Observation what one player knows
---@field rules Rules
---@field player integer who observes
---@field hand integer[] the own cards, ascending
---@field sizes integer[] the number of cards of every player
---@field low integer[]
---@field high integer[]
---@field turn integer 0 for the opening; one more whenever play passes to the next player
---@field phase string play or send: what the card is for; over at the end
---@field receiver integer who is to be sent a card; -1 when playing
---@field finished integer[] who has left the game
---@field actions integer cards played, cards sent and passes so far
---@field key? integer the key of this game's random numbers, 0 to 2^26 - 1

local function contains(list, value)
	for _, other in ipairs(list) do
		if other == value then
			return true
		end
	end
	return false
end

local function count_if(flag)
	return flag and 1 or 0
end

local function lowest_rank(rules)
	return rules.ace_high and 2 or 1
end

local function suit_of(card)
	return math.floor(card / 13)
end

local function rank_of(rules, card)
	return card % 13 + lowest_rank(rules)
end

local function is_end(rules, rank)
	return rank == lowest_rank(rules) or rank == lowest_rank(rules) + 12
end

local function on_table(seen, suit, rank)
	return seen.low[suit + 1] <= rank and rank <= seen.high[suit + 1]
end

-- The ranks of the same suit that must lie on the table before this one can be laid: none, one or two.
local function needs(rules, rank)
	local list = {}
	if rank < SEVEN then
		list[1] = rank + 1
	elseif rank > SEVEN then
		list[1] = rank - 1
	end
	if rules.gates and rank == 8 then
		list[2] = 6
	elseif rules.gates and rank == 5 then
		list[2] = 8
	end
	return list
end

local function is_playable(seen, card)
	local suit = suit_of(card)
	for _, rank in ipairs(needs(seen.rules, rank_of(seen.rules, card))) do
		if not on_table(seen, suit, rank) then
			return false
		end
	end
	return true
end

-- How many cards must still be played before a card of that suit and rank can be.
local function missing(seen, suit, rank)
	local wanted = { rank }
	local place = 1
	while wanted[place] do
		for _, before in ipairs(needs(seen.rules, wanted[place])) do
			if not on_table(seen, suit, before) and not contains(wanted, before) then
				wanted[#wanted + 1] = before
			end
		end
		place = place + 1
	end
	return #wanted - 1
end

local function opened_suits(seen)
	local count = 0
	for suit = 1, 4 do
		count = count + count_if(seen.low[suit] > 0)
	end
	return count
end

local function run_length(seen, suit)
	return seen.low[suit + 1] > 0 and seen.high[suit + 1] - seen.low[suit + 1] + 1 or 0
end

-- The other players still in the game, from a seat on: upward (step 1) or downward (step -1).
local function others_in(seen, player, step)
	local seats = {}
	for k = 1, seen.rules.players - 1 do
		local seat = math.floor((player + step * k) % seen.rules.players)
		if not contains(seen.finished, seat) then
			seats[#seats + 1] = seat
		end
	end
	return seats
end

-- The cards of a hand as integers where Lua has these, whatever numbers the host wrote them with.
local function integers(hand)
	local cards = {}
	for place, card in ipairs(hand) do
		cards[place] = math.floor(card)
	end
	return cards
end

local function playable_cards(seen, hand)
	local cards, rest = {}, {}
	for _, card in ipairs(hand) do
		local list = is_playable(seen, card) and cards or rest
		list[#list + 1] = card
	end
	return cards, rest
end

-- The card that must open the game, or nil if any seven will do.
local function opening_card(rules)
	local suits = { ["7h"] = 0, ["7d"] = 1, ["7c"] = 2, ["7s"] = 3 }
	local suit = suits[rules.start]
	return suit and 13 * suit + SEVEN - lowest_rank(rules)
end

--- The rules of this player with some options changed.
---@param options table<string, any>
---@return Rules
function M.make_rules(options)
	local rules = {}
	for name, value in pairs(M.RULES) do
		rules[name] = value
	end
	for name, value in pairs(options) do
		local is_number = type(value) == "number"
		if type(value) ~= type(rules[name]) or (is_number and value % 1 ~= 0) then
			error("Sevens has no rule " .. tostring(name) .. " = " .. tostring(value))
		end
		rules[name] = is_number and math.floor(value) or value
	end
	return rules
end

--- The cards that the player who observes may choose now, ascending.
---@param seen Observation
---@return integer[]
function M.legal(seen)
	if seen.phase == "over" then
		return {}
	end
	local hand = integers(seen.hand)
	local playable, unplayable = playable_cards(seen, hand)
	if seen.phase == "send" then
		return seen.rules.send_unplayable_first and #unplayable > 0 and unplayable or hand
	end
	local opening = opening_card(seen.rules)
	if opening and opened_suits(seen) == 0 then
		return { opening }
	end
	return playable
end

--- Every sensor of a card in the hand of the player who observes.
---@param seen Observation
---@param card integer
---@return table<string, number>
function M.sense(seen, card)
	local rules = seen.rules
	local suit, rank = suit_of(card), rank_of(rules, card)
	local lowest = lowest_rank(rules)
	local own, own_in_suit = {}, 0
	for _, other in ipairs(seen.hand) do
		if suit_of(other) == suit then
			own[rank_of(rules, other)] = true
			own_in_suit = own_in_suit + 1
		end
	end
	local block, selfblock, opens, safe = 0, 0, 0, true
	for other = lowest, lowest + 12 do
		local below = rank <= SEVEN and other < rank
		local above = rank >= SEVEN and other > rank
		if below or above then
			selfblock = selfblock + count_if(own[other])
			block = block + count_if(not own[other])
			if other == rank - 1 or other == rank + 1 then
				opens = opens + 1
				safe = safe and own[other] == true
			end
		end
	end
	local gift = 0
	for step = -1, 1, 2 do
		local other = rank + step
		local is_out = (step < 0 and rank <= SEVEN) or (step > 0 and rank >= SEVEN)
		while is_out and other >= lowest and other <= lowest + 12 and not own[other] do
			gift = gift + 1
			other = other + step
		end
	end
	local others = others_in(seen, seen.player, 1)
	local smallest, left = 52, 52
	for _, seat in ipairs(others) do
		smallest = seen.sizes[seat + 1] < smallest and seen.sizes[seat + 1] or smallest
	end
	for other = 0, 3 do
		left = left - run_length(seen, other)
	end
	return {
		rounds = math.floor(seen.turn / rules.players),
		suit = own_in_suit,
		suitid = suit,
		rank = rank,
		safe = count_if(safe),
		block = block,
		selfblock = selfblock,
		dist = missing(seen, suit, rank),
		depth = rank < SEVEN and SEVEN - rank or rank - SEVEN,
		hand = #seen.hand,
		smallest = smallest,
		next = seen.sizes[others[1] + 1],
		previous = seen.sizes[others[#others] + 1],
		receiver = seen.phase == "send" and seen.sizes[seen.receiver + 1] or 0,
		playable = #playable_cards(seen, seen.hand),
		run = run_length(seen, suit),
		opens = opens,
		isend = count_if(is_end(rules, rank)),
		left = left,
		opened = opened_suits(seen),
		players = rules.players,
		gift = gift,
	}
end

--- The card that this player chooses: to play, or to send in the phase send. A single legal card is forced.
---@param seen Observation
---@param random? function a source of numbers of [0, 1); left out, they follow from seen.key or else from M.random
---@return integer
function M.choose(seen, random)
	local cards = M.legal(seen)
	if #cards == 1 then
		return cards[1]
	end
	local best, highest = cards[1], nil
	for _, card in ipairs(cards) do
		local source = random or (seen.key and keyed_source(seen.key, seen.actions, card))
		local value = M[seen.phase](M.sense(seen, card), source)
		if value == value and (highest == nil or value > highest) then
			best, highest = card, value
		end
	end
	return best
end
