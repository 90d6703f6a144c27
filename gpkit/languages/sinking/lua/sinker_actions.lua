local KINDS = { RandDir = { 1, 2, 3, 4 }, VertDir = { 1, 3 }, HorzDir = { 2, 4 } }

local function is_free(S, d)
	local x, y = S.x + STEP_X[d], S.y + STEP_Y[d]
	return on_board(S, x, y) and S.known[square_of(S, x, y)] == UNSHOT
end

local function chosen(directions, wanted)
	local found = {}
	for _, d in ipairs(directions) do
		if wanted(d) then
			found[#found + 1] = d
		end
	end
	return #found > 0 and found or nil
end

-- Draws a direction, of the kind of the instruction, as the switch `direction` says.
local function draw_direction(S, word)
	local choices = KINDS[word]
	if DIALECT.direction == "unshot" or DIALECT.direction == "unshot-all" then
		local function free(d)
			return is_free(S, d)
		end
		local rest = DIALECT.direction == "unshot" and choices or KINDS.RandDir
		choices = chosen(choices, free) or chosen(KINDS.RandDir, free) or rest
	elseif DIALECT.direction == "unused" then
		choices = chosen(choices, function(d)
			return not S.used[d]
		end) or choices
	end
	local u = keyed_uniform(S.key, S.draws, 1) * #choices
	S.dir = choices[u - u % 1 + 1]
	S.draws = S.draws + 1
	S.used[S.dir] = true
end

local function move_forward(S)
	S.x, S.y = S.x + STEP_X[S.dir], S.y + STEP_Y[S.dir]
	if DIALECT.edge == "clamp" then
		S.x = S.x < 1 and 1 or (S.x > S.width and S.width or S.x)
		S.y = S.y < 1 and 1 or (S.y > S.height and S.height or S.y)
	elseif DIALECT.edge == "torus" then
		S.x, S.y = (S.x - 1) % S.width + 1, (S.y - 1) % S.height + 1
	end
end

-- Shoots; whether it costs the turn.
local function shoot(S)
	S.hit, S.sunk = false, false
	if not on_board(S, S.x, S.y) then
		return DIALECT["off-board"] == "turn"
	end
	local state = S.known[square_of(S, S.x, S.y)]
	if state == UNSHOT then
		return true
	end
	S.hit = DIALECT.known ~= "blind" and state ~= MISS
	return DIALECT.known == "turn"
end

-- Whether the square ahead is off the board.
local function is_edge_ahead(S)
	return not on_board(S, S.x + STEP_X[S.dir], S.y + STEP_Y[S.dir])
end

-- Whether the square ahead has been shot at.
local function is_known_ahead(S)
	local x, y = S.x + STEP_X[S.dir], S.y + STEP_Y[S.dir]
	return on_board(S, x, y) and S.known[square_of(S, x, y)] ~= UNSHOT
end

-- Goes to the square to shoot at.
local function take_aim(S)
	local square = aim(S)
	S.x = (square - 1) % S.width + 1
	S.y = math.floor((square - S.x) / S.width) + 1
	S.used = {}
end
