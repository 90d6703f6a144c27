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
	if found ~= expected or tostring(rule or 0) ~= tostring(position.rule) then
		local text = "rule %s says %s instead of rule %d, which says %s"
		return string.format(text, tostring(rule or 0), found, position.rule, expected)
	end
	local draws = 0
	local side = M.sample
		and M.sample(S, function()
			draws = draws + 1
			return keyed_uniform(position.key, draws, 0)
		end)
	if tostring(side) ~= tostring(position.sampled) then -- as text, in which a float is none of the integers
		return string.format("key %d: side %s instead of %d", position.key, tostring(side), position.sampled)
	end
	return nil
end

-- Plays a recorded game of the rules against themselves, and returns the first difference.
local function replay(game)
	local S = M.new(game.width, game.height)
	for move, expected in ipairs(game.sides) do
		local side = M.choose(S, function()
			return keyed_uniform(game.key, move, 0)
		end)
		if tostring(side) ~= tostring(expected) then
			return string.format("key %d, move %d: side %s instead of %d", game.key, move, tostring(side), expected)
		end
		M.draw(S, side)
	end
	return nil
end
