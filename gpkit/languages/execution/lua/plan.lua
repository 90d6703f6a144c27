local BUDGET = 100000
local CHANCES = 67108862

-- The state of a game: plain numbers and a table, to be stored and loaded as the host likes. `key` is a whole number of
-- 0 to 2^26 - 1; the same key gives the same chances. `start` is the leaf at which a plan that goes up begins, one of
-- M.STARTS; without it that is the first one.
function M.new(key, start)
	local row = 1
	if start ~= nil then
		row = M.STARTS[start] or error("there is no leaf " .. tostring(start))
	end
	return { key = math.floor(key or 1), row = row, steps = 0, draws = 0, depth = 0, back = {}, left = {} }
end

-- Begins or goes on with the loop of a row: whether it has rounds left. Its count is forgotten when it has not.
local function has_rounds(S, row)
	local slot, most = row.slot, row.most
	if S.left[slot] == nil then
		S.left[slot] = most
	end
	if S.left[slot] > 0 then
		return true
	end
	S.left[slot] = nil
	return false
end

local WORDS = {}

WORDS["do"] = function(S, row)
	S.steps, S.row = S.steps + 1, S.row + 1
	return row.action
end

WORDS["use"] = function(S, row)
	S.steps = S.steps + 1
	S.depth = S.depth + 1
	S.back[S.depth] = S.row + 1
	S.row = row.to
end

WORDS["back"] = function(S)
	S.row = S.back[S.depth]
	S.back[S.depth] = nil
	S.depth = S.depth - 1
end

WORDS["go"] = function(S, row)
	S.row = row.to
end

WORDS["wait"] = function(S, row, env)
	local waits = has_rounds(S, row) and not row.test(env)
	S.steps = S.steps + 1
	if waits then
		S.left[row.slot] = S.left[row.slot] - 1
		return M.TICK
	end
	S.left[row.slot] = nil
	S.row = S.row + 1
end

WORDS["repeat"] = function(S, row)
	if has_rounds(S, row) then
		S.steps, S.row = S.steps + 1, S.row + 1
		S.left[row.slot] = S.left[row.slot] - 1
	else
		S.row = row.to
	end
end

WORDS["while"] = function(S, row, env)
	if not has_rounds(S, row) then
		S.row = row.to
		return
	end
	S.steps = S.steps + 1
	if row.test(env) then
		S.left[row.slot], S.row = S.left[row.slot] - 1, S.row + 1
	else
		S.left[row.slot], S.row = nil, row.to
	end
end

WORDS["decide"] = function(S, row, env)
	S.steps = S.steps + 1
	S.row = row.test(env) and S.row + 1 or row.to
end

WORDS["chance"] = function(S, row)
	S.steps = S.steps + 1
	local happens = row.p == 1
	if row.p > 0 and row.p < 1 then
		happens = keyed_uniform(S.key, CHANCES, S.draws % 67108864) < row.p
		S.draws = S.draws + 1
	end
	S.row = happens and S.row + 1 or row.to
end

-- Goes on with the plan until it asks for something: the name of an action, which the host begins as soon as it can be
-- begun, or M.TICK, for which a tick passes. Then the host asks again. Nothing if the plan is over. `env` has the
-- sensors of the present moment.
function M.next(S, env)
	while S.steps < BUDGET do
		local row = PLAN[S.row]
		if row[1] == "over" then
			return nil
		end
		local asked = WORDS[row[1]](S, row, env)
		if asked ~= nil then
			return asked
		end
	end
	return nil
end
