-- Sevens (Sjuan) against exported programs, with LÖVE (https://love2d.org, 11.0 or later). In a copy of this folder:
--
--     gpkit export PROGRAM.tree --game sevens --to lua --mode player -o player.lua
--     love .            (or for the deal of a number: love . 7)
--
-- You sit in seat 0, the program in all others. Keys: left and right choose a card, return plays or sends it, a lets
-- the program play your cards, too, n deals again, escape quits.
--
-- player.lua brings the rules along: a state, who is to choose, the legal cards, the end. So all that is written here
-- is who chooses (love.update for programs, love.keypressed for you) and what it looks like (love.draw).

-- A roster.lua, exported with `--mode roster`, has several levels, which the key l picks; without it, there is one.
local has_levels, roster = pcall(require, "roster")
local is_there, player = pcall(has_levels and roster.level or require, has_levels and roster.LEVELS[1].name or "player")
if not is_there then
	error("export a program beside this file first, see its first lines\n" .. tostring(player), 0)
end

local PAUSE = 0.5 -- seconds between the cards of programs
local YOU = 0
local SUITS = { "hearts", "diamonds", "clubs", "spades" }
local COLOURS = { { 0.8, 0.1, 0.1 }, { 0.85, 0.4, 0.1 }, { 0.1, 0.4, 0.2 }, { 0.1, 0.1, 0.3 } }
local NAMES = { [11] = "J", [12] = "Q", [13] = "K", [1] = "A", [14] = "A" }
local LOWEST = player.RULES.ace_high and 2 or 1 -- cards are 0 to 51: thirteen of each suit, from the lowest rank on

-- All that changes. `state` is that of player.lua, `cards` are those chosen so far.
local game = { level = 1 }

local function suit_of(card)
	return math.floor(card / 13) + 1
end

local function rank_of(card)
	return card % 13 + LOWEST
end

local function name_of_rank(rank)
	return NAMES[rank] or tostring(rank)
end

local function name_of(card)
	return name_of_rank(rank_of(card)) .. " of " .. SUITS[suit_of(card)]
end

local function name_of_seat(seat)
	return seat == YOU and "you" or "program " .. seat
end

-- All cards in an order that follows from a generator of random numbers.
local function shuffled(random)
	local deck = {}
	for place = 1, 52 do
		deck[place] = place - 1
	end
	for place = 52, 2, -1 do
		local other = random:random(place)
		deck[place], deck[other] = deck[other], deck[place]
	end
	return deck
end

local function new_game(seed)
	game.seed = seed
	game.deck = shuffled(love.math.newRandomGenerator(seed))
	game.state = player.deal(game.deck, player.RULES, seed % 2 ^ 26) -- the key of what programs draw at random
	game.cards = {}
	game.selected = 1
	game.wait = PAUSE
	game.plays_for_you = false
	game.said = "the deal of " .. seed
end

local function is_over()
	return game.state.phase == "over"
end

local function is_your_turn()
	return game.state.current_player == YOU and not game.plays_for_you
end

-- What you may choose now.
local function choices()
	return player.legal(player.observe(game.state, YOU))
end

-- Does what whoever is to choose has chosen: plays the card, or sends it.
local function choose(card)
	local state = game.state
	local seat = state.current_player
	if state.phase == "send" then
		game.said = name_of_seat(seat) .. " sent a card to " .. name_of_seat(state.receiver)
	else
		game.said = name_of_seat(seat) .. " played the " .. name_of(card)
	end
	player.apply(state, card)
	game.cards[#game.cards + 1] = card
	game.selected, game.wait = 1, PAUSE
end

function love.load(arguments)
	new_game(tonumber(arguments and arguments[1]) or os.time())
end

function love.update(seconds)
	if is_over() or is_your_turn() then
		return
	end
	game.wait = game.wait - seconds
	if game.wait <= 0 then
		-- A program knows what a player at its place would: its own cards, and what lies open on the table.
		choose(player.choose(player.observe(game.state, game.state.current_player)))
	end
end

function love.keypressed(key)
	if key == "escape" then
		love.event.quit()
	elseif key == "n" then
		new_game(game.seed + 1)
	elseif key == "l" and has_levels then
		game.level, player = roster.next_level(game.level)
		new_game(game.seed + 1)
	elseif key == "a" then
		game.plays_for_you = not game.plays_for_you
	elseif not is_over() and is_your_turn() then
		local cards = choices()
		if key == "left" then
			game.selected = (game.selected - 2) % #cards + 1
		elseif key == "right" then
			game.selected = game.selected % #cards + 1
		elseif key == "return" then
			choose(cards[game.selected])
		end
	end
end

-- Drawing. Sizes are in pixels.

local CARD_WIDTH, CARD_HEIGHT = 56, 76
local LEFT, TOP, HAND = 60, 50, 500

local function draw_card(x, y, card, is_bright)
	love.graphics.setColor(1, 1, 1, is_bright and 1 or 0.35)
	love.graphics.rectangle("fill", x, y, CARD_WIDTH - 4, CARD_HEIGHT - 4, 6)
	love.graphics.setColor(COLOURS[suit_of(card)])
	love.graphics.print(name_of_rank(rank_of(card)), x + 8, y + 6, 0, 1.6)
	love.graphics.print(SUITS[suit_of(card)], x + 4, y + CARD_HEIGHT - 22, 0, 0.8)
end

-- The cards on the table: of every suit those from the lowest to the highest, if its seven lies there.
local function draw_table()
	for suit = 1, 4 do
		local low, high = game.state.low[suit], game.state.high[suit]
		for rank = LOWEST, LOWEST + 12 do
			local x, y = LEFT + (rank - LOWEST) * CARD_WIDTH, TOP + (suit - 1) * (CARD_HEIGHT + 8)
			if low > 0 and low <= rank and rank <= high then
				draw_card(x, y, (suit - 1) * 13 + rank - LOWEST, true)
			else
				love.graphics.setColor(0, 0, 0, 0.15)
				love.graphics.rectangle("line", x, y, CARD_WIDTH - 4, CARD_HEIGHT - 4, 6)
			end
		end
	end
end

-- Your hand: what you may choose is bright, what is selected is lifted.
local function draw_hand()
	local selected, is_legal = nil, {}
	if not is_over() and is_your_turn() then
		for place, card in ipairs(choices()) do
			is_legal[card] = true
			selected = place == game.selected and card or selected
		end
	end
	local hand = game.state.hands[YOU + 1]
	local step = math.min(CARD_WIDTH, 840 / math.max(1, #hand))
	for place, card in ipairs(hand) do
		draw_card(LEFT + (place - 1) * step, HAND - (card == selected and 16 or 0), card, is_legal[card])
	end
end

-- What is to be done, or how it ended.
local function status()
	if is_over() then
		local words = {}
		for seat, score in ipairs(player.returns(game.state)) do
			words[seat] = name_of_seat(seat - 1) .. ": " .. string.format("%g", score)
		end
		return "Over: " .. table.concat(words, ", ") .. ". n deals again."
	elseif not is_your_turn() then
		return name_of_seat(game.state.current_player) .. " is to choose"
	elseif game.state.phase == "send" then
		return "Send a card to " .. name_of_seat(game.state.receiver) .. ", who cannot play"
	end
	return "Play a card: left, right, return"
end

function love.draw()
	love.graphics.clear(0.2, 0.5, 0.35)
	draw_table()
	draw_hand()
	love.graphics.setColor(1, 1, 1)
	love.graphics.print(game.said, LEFT, 16)
	love.graphics.printf(has_levels and roster.told(game.level) .. "; l takes the next level" or "", LEFT, 580, 840)
	love.graphics.print(status(), LEFT, 400, 0, 1.4)
	for seat, hand in ipairs(game.state.hands) do
		local words = name_of_seat(seat - 1) .. ": " .. #hand
		love.graphics.print(words, LEFT + (seat - 1) * 120, 440)
	end
end

return game -- which LÖVE ignores; for whoever else loads this file, such as a test
