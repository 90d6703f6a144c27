-- The posterior counted cheaply: chances of squares by belief propagation (J. Pearl, "Probabilistic Reasoning in
-- Intelligent Systems", 1988). The weight of a placement is the product of the factors of its squares, weights give
-- odds, and odds give factors again. The order of all operations is part of the meaning: so numbers are the same in
-- every host, to the last bit.

local ROUNDS = 6
local FIRST_FACTOR = 16.0 -- of open hits
local LARGEST_FACTOR = 10000.0
local SMALLEST_REST = 0.000000001 -- share of a ship's weight that is off a square; so odds stay finite

local function smaller(a, b)
	return b < a and b or a
end

local function larger(a, b)
	return b > a and b or a
end

-- The hits on the squares of a ship there and beside it, corner to corner included.
local function hits_around(S, x, y, vertical, length)
	local right, bottom = x + (vertical and 1 or length), y + (vertical and length or 1)
	local hits = 0
	for row = y - 1, bottom do
		for column = x - 1, right do
			local state = on_board(S, column, row) and S.known[square_of(S, column, row)]
			hits = hits + ((state == OPEN or state == SUNKEN) and 1 or 0)
		end
	end
	return hits
end

-- Whether a ship afloat may lie there: not beside a hit where ships may not touch, nor on open hits alone where it
-- would have been told that it sank.
local function is_way(S, x, y, vertical, length)
	local hits = may_lie(S, x, y, vertical, length)
	if not hits or (hits == length and S.announce == "ship") then
		return false
	end
	return S.touch or hits_around(S, x, y, vertical, length) == hits
end

-- The ships afloat of one length: their `ways` to lie, as squares, and by square `factors`, how well it suits such a
-- ship by what the others are likely to do, and `odds` that one lies there, by everything but its own factor.
local function kind_of(S, length)
	local kind = { ships = 0.0, ways = {}, factors = {}, odds = {} }
	for square = 1, #S.known do
		local x = (square - 1) % S.width + 1
		local y = (square - x) / S.width + 1
		for way = 1, length == 1 and 1 or 2 do
			if is_way(S, x, y, way == 2, length) then
				local squares = {}
				for k = 0, length - 1 do
					squares[k + 1] = square + (way == 2 and k * S.width or k)
				end
				kind.ways[#kind.ways + 1] = squares
			end
		end
		kind.factors[square] = S.known[square] == OPEN and FIRST_FACTOR or 1.0
		kind.odds[square] = 0.0
	end
	return kind
end

-- The ships afloat by their lengths, the longest first.
local function kinds_afloat(S)
	local kinds, last = {}, nil
	for _, length in ipairs(S.fleet) do
		if length ~= last then
			kinds[#kinds + 1] = kind_of(S, length)
		end
		kinds[#kinds].ships = kinds[#kinds].ships + 1.0
		last = length
	end
	return kinds
end

local function weight_of(kind, squares)
	local weight, factors = 1.0, kind.factors
	for k = 1, #squares do
		weight = weight * factors[squares[k]]
	end
	return weight
end

-- The weight of all placements of a ship, and by square that of those that cover it.
local function weigh(kind)
	local total, covers = 0.0, {}
	for square = 1, #kind.odds do
		covers[square] = 0.0
	end
	for _, squares in ipairs(kind.ways) do
		local weight = weight_of(kind, squares)
		total = total + weight
		for k = 1, #squares do
			covers[squares[k]] = covers[squares[k]] + weight
		end
	end
	return total, covers
end

-- Moves the factors of a kind half the way to what the odds of all other ships say. Odds of ships count against those
-- that there is none: 1, or 0 on an open hit.
local function refresh(S, kind, total)
	for square, state in ipairs(S.known) do
		if state == UNSHOT or state == OPEN then
			local others = total[square] - kind.odds[square] + (state == UNSHOT and 1.0 or 0.0)
			others = smaller(larger(others, 1.0 / LARGEST_FACTOR), LARGEST_FACTOR)
			kind.factors[square] = (kind.factors[square] + 1.0 / others) * 0.5
		end
	end
end

-- Adds what the factors of a kind make of its odds to the sum of the odds of all.
local function add_odds(S, kind, total)
	local weight, covers = weigh(kind)
	local least = weight * SMALLEST_REST
	for square, state in ipairs(S.known) do
		if state == UNSHOT or state == OPEN then
			local odds = 0.0
			if weight > 0.0 then
				odds = covers[square] / larger(weight - covers[square], least) / kind.factors[square]
			end
			total[square] = larger(total[square] + kind.ships * (odds - kind.odds[square]), 0.0)
			kind.odds[square] = odds
		end
	end
end

-- The ships afloat after all rounds, and by square the sum of their odds.
local function propagate(S)
	local kinds, total = kinds_afloat(S), {}
	for square = 1, #S.known do
		total[square] = 0.0
	end
	for round = 1, ROUNDS do
		for _, kind in ipairs(kinds) do
			if round > 1 then
				refresh(S, kind, total)
			end
			add_odds(S, kind, total)
		end
	end
	return kinds, total
end
