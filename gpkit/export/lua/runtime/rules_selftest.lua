-- Compares the moves in a recorded position with those expected, the number of the rule, 0 for none, and the side that
-- is sampled where the rules are learned. Returns the difference.
local function check(position)
	local S = M.new(position.width, position.height)
	for _, side in ipairs(position.drawn) do
		S.drawn[side] = true
	end
	S.score = position.score
	local moves, rule = M.moves(S)
	local found, expected = table.concat(moves, " "), table.concat(position.moves, " ")
	if found ~= expected or (rule or 0) ~= position.rule then
		local text = "rule %d says %s instead of rule %d, which says %s"
		return string.format(text, rule or 0, found, position.rule, expected)
	end
	local draws = 0
	local side = M.sample
		and M.sample(S, function()
			draws = draws + 1
			return keyed_uniform(position.key, draws, 0)
		end)
	if side ~= position.sampled then
		return string.format("key %d: side %d instead of %d", position.key, side, position.sampled)
	end
	return nil
end
M.check = check

-- Plays a recorded game of the rules against themselves, and returns the first difference.
local function replay(game)
	local S = M.new(game.width, game.height)
	for move, expected in ipairs(game.sides) do
		local side = M.choose(S, function()
			return keyed_uniform(game.key, move, 0)
		end)
		if side ~= expected then
			return string.format("key %d, move %d: side %d instead of %d", game.key, move, side, expected)
		end
		M.draw(S, side)
	end
	return nil
end
M.replay = replay

-- Compares the recorded positions and plays the recorded games again: how many go differently, and the first
-- difference.
function M.selftest()
	local failures, first = 0, nil
	local function tell(difference)
		if difference then
			failures = failures + 1
			first = first or difference
		end
	end
	for _, position in ipairs(POSITIONS) do
		tell(check(position))
	end
	for _, game in ipairs(GAMES) do
		tell(replay(game))
	end
	return failures, first
end
