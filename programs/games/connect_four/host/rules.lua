-- Connect Four as the host of an exported player: its rules, and what programs see of a move. These are the functions
-- that player.lua asks for; for a game of your own, write the same ones. player.selftest(rules) compares them with
-- games that were recorded where the program was exported.
--
-- Columns count from 0, from the left, rows from 0, from below, and players from 0. A state holds the discs of each
-- column from below, who is to move, the number of discs, and who has won.

local rules = { COLUMNS = 7, ROWS = 6 }

local FOUR = 4
local DIRECTIONS = { { 1, 0 }, { 0, 1 }, { 1, 1 }, { 1, -1 } }

-- The player whose disc lies on a square, nil where none does.
local function disc(state, column, row)
	local discs = state.columns[column + 1]
	return discs and discs[row + 1]
end

-- How many discs of a player lie beside a square in one direction, without a gap.
local function run(state, column, row, step_x, step_y, player)
	local length = 0
	while disc(state, column + step_x * (length + 1), row + step_y * (length + 1)) == player do
		length = length + 1
	end
	return length
end

-- Whether a disc of a player on a square would stand in a row of four.
local function makes_four(state, column, row, player)
	for _, step in ipairs(DIRECTIONS) do
		local ahead = run(state, column, row, step[1], step[2], player)
		local behind = run(state, column, row, -step[1], -step[2], player)
		if ahead + behind + 1 >= FOUR then
			return true
		end
	end
	return false
end

-- The discs that a player would have in four squares in a row with a disc on one of them, 0 where the other has any
-- there or they leave the board. The four begin some squares before that one.
local function discs_in_line(state, column, row, step, before, player)
	local count = 1
	for place = -before, FOUR - 1 - before do
		local x, y = column + step[1] * place, row + step[2] * place
		if x < 0 or x >= rules.COLUMNS or y < 0 or y >= rules.ROWS then
			return 0
		end
		local owner = disc(state, x, y)
		if owner == player then
			count = count + 1
		elseif owner then
			return 0
		end
	end
	return count
end

-- How many lines of four a disc of a player on a square would leave open, by the number of the player's discs there.
local function open_lines(state, column, row, player)
	local lines = { 0, 0, 0, 0 }
	for _, step in ipairs(DIRECTIONS) do
		for before = 0, FOUR - 1 do
			local count = discs_in_line(state, column, row, step, before, player)
			if count > 0 then
				lines[count] = lines[count] + 1
			end
		end
	end
	return lines
end

--- The first state.
function rules.begin()
	local columns = {}
	for column = 1, rules.COLUMNS do
		columns[column] = {}
	end
	return { columns = columns, player = 0, count = 0, winner = nil }
end

--- Whether the game is over: somebody has won, or the board is full.
function rules.is_over(state)
	return state.winner ~= nil or state.count == rules.COLUMNS * rules.ROWS
end

--- The columns that are not full, from the left; none at the end.
function rules.legal(state)
	local columns = {}
	for column = 0, rules.COLUMNS - 1 do
		if not rules.is_over(state) and #state.columns[column + 1] < rules.ROWS then
			columns[#columns + 1] = column
		end
	end
	return columns
end

--- What programs see of a move, by name; player.SENSORS says what each means.
function rules.sense(state, column)
	local row, own, other = #state.columns[column + 1], state.player, 1 - state.player
	local wins = makes_four(state, column, row, own)
	local gives = row + 1 < rules.ROWS and makes_four(state, column, row + 1, other)
	local mine, theirs = open_lines(state, column, row, own), open_lines(state, column, row, other)
	return {
		wins = wins and 1 or 0,
		blocks = makes_four(state, column, row, other) and 1 or 0,
		gives = gives and 1 or 0,
		threes = mine[3],
		twos = mine[2],
		their_threes = theirs[3],
		their_twos = theirs[2],
		centre = math.abs(column - 3),
		height = row,
	}
end

--- Drops a disc of who is to move; the state is changed.
function rules.apply(state, column)
	local discs, player = state.columns[column + 1], state.player
	assert(not rules.is_over(state) and discs and #discs < rules.ROWS, "this column takes no disc")
	if makes_four(state, column, #discs, player) then
		state.winner = player
	end
	discs[#discs + 1] = player
	state.count, state.player = state.count + 1, 1 - player
end

return rules
