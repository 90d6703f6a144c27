--|# gpkit export FILE --to tree reads the program back from these lines
--|# SHA-256 of the code below: 5bc796fdfbaf46e13b413a97e4cd67c821367786d8b6e8ac04254aa031a50226
--|= six.plan
--|> // game: build_order
--|> // title: six zerglings in tick 124, the least there is
--|> // source: evolved, experiments/data/plans-build_order.json
--|> // alphabet: plans
--|> // rules: goal=zerglings=6
--|> // preset: plans
--|> // seed: 16102
--|> // score: -124
--|> do spawning_pool
--|> repeat 3
--|>   do zerglings
--|> end
-- six: written by gpkit 0.1.0, a plan.
-- game: build_order
-- title: six zerglings in tick 124, the least there is
-- source: evolved, experiments/data/plans-build_order.json
-- alphabet: plans
-- rules: goal=zerglings=6
-- preset: plans
-- seed: 16102
-- score: -124
-- S = M.new(key); action = M.next(S, env): an action to begin as soon as possible, M.TICK to let a tick pass, or nil at
-- the end. It does not read env. S is plain numbers and tables, to be stored and loaded as the host likes.

local M = {}

M._VERSION = "six, gpkit 0.1.0"

M.TICK = "tick"

M.STARTS = {}

local PLAN = {
	-- the plan
	{ "do", action = "spawning_pool" }, -- 1
	{ "repeat", slot = 1, most = 3, to = 5 }, -- 2
	{ "do", action = "zerglings" }, -- 3
	{ "go", to = 2 }, -- 4
	{ "over" }, -- 5
}

-- A number of [0, 1) that depends only on three whole numbers of 0 to 2^26 - 1: a Feistel cipher whose rounds take the
-- middle of a square (after B. Widynski, "Squares", 2020). Every intermediate value is below 2^53.
local function keyed_uniform(key, left, right)
	key, left, right = key + 0.0, left + 0.0, right + 0.0
	for _ = 1, 8 do
		key = (key + 41475559.0) % 67108864.0
		local x = (right + key) % 67108864.0
		local middle = x * x / 8192.0
		left, right = right, (left + (middle - middle % 1.0)) % 67108864.0
	end
	return (left * 67108864.0 + right) / 4503599627370496.0
end

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

local RUNS = {
	{
		key = 1,
		features = {},
		asks = { "spawning_pool", "zerglings", "zerglings", "zerglings", "" },
		sensors = {
			{},
			{},
			{},
			{},
			{},
		},
	},
	{
		key = 2,
		features = {},
		asks = { "spawning_pool", "zerglings", "zerglings", "zerglings", "" },
		sensors = {
			{},
			{},
			{},
			{},
			{},
		},
	},
	{
		key = 3,
		features = {},
		asks = { "spawning_pool", "zerglings", "zerglings", "zerglings", "" },
		sensors = {
			{},
			{},
			{},
			{},
			{},
		},
	},
	{
		key = 4,
		features = {},
		asks = { "spawning_pool", "zerglings", "zerglings", "zerglings", "" },
		sensors = {
			{},
			{},
			{},
			{},
			{},
		},
	},
	{
		key = 5,
		features = {},
		asks = { "spawning_pool", "zerglings", "zerglings", "zerglings", "" },
		sensors = {
			{},
			{},
			{},
			{},
			{},
		},
	},
	{
		key = 6,
		features = {},
		asks = { "spawning_pool", "zerglings", "zerglings", "zerglings", "" },
		sensors = {
			{},
			{},
			{},
			{},
			{},
		},
	},
	{
		key = 7,
		features = {},
		asks = { "spawning_pool", "zerglings", "zerglings", "zerglings", "" },
		sensors = {
			{},
			{},
			{},
			{},
			{},
		},
	},
	{
		key = 8,
		features = {},
		asks = { "spawning_pool", "zerglings", "zerglings", "zerglings", "" },
		sensors = {
			{},
			{},
			{},
			{},
			{},
		},
	},
	{
		key = 9,
		features = {},
		asks = { "spawning_pool", "zerglings", "zerglings", "zerglings", "" },
		sensors = {
			{},
			{},
			{},
			{},
			{},
		},
	},
	{
		key = 10,
		features = {},
		asks = { "spawning_pool", "zerglings", "zerglings", "zerglings", "" },
		sensors = {
			{},
			{},
			{},
			{},
			{},
		},
	},
	{
		key = 32329716,
		features = {},
		asks = { "spawning_pool", "zerglings", "zerglings", "zerglings", "" },
		sensors = {
			{},
			{},
			{},
			{},
			{},
		},
	},
	{
		key = 6468032,
		features = {},
		asks = { "spawning_pool", "zerglings", "zerglings", "zerglings", "" },
		sensors = {
			{},
			{},
			{},
			{},
			{},
		},
	},
	{
		key = 44810748,
		features = {},
		asks = { "spawning_pool", "zerglings", "zerglings", "zerglings", "" },
		sensors = {
			{},
			{},
			{},
			{},
			{},
		},
	},
	{
		key = 52547322,
		features = {},
		asks = { "spawning_pool", "zerglings", "zerglings", "zerglings", "" },
		sensors = {
			{},
			{},
			{},
			{},
			{},
		},
	},
	{
		key = 65577045,
		features = {},
		asks = { "spawning_pool", "zerglings", "zerglings", "zerglings", "" },
		sensors = {
			{},
			{},
			{},
			{},
			{},
		},
	},
	{
		key = 51248917,
		features = {},
		asks = { "spawning_pool", "zerglings", "zerglings", "zerglings", "" },
		sensors = {
			{},
			{},
			{},
			{},
			{},
		},
	},
	{
		key = 58778867,
		features = {},
		asks = { "spawning_pool", "zerglings", "zerglings", "zerglings", "" },
		sensors = {
			{},
			{},
			{},
			{},
			{},
		},
	},
	{
		key = 8784990,
		features = {},
		asks = { "spawning_pool", "zerglings", "zerglings", "zerglings", "" },
		sensors = {
			{},
			{},
			{},
			{},
			{},
		},
	},
	{
		key = 47294748,
		features = {},
		asks = { "spawning_pool", "zerglings", "zerglings", "zerglings", "" },
		sensors = {
			{},
			{},
			{},
			{},
			{},
		},
	},
	{
		key = 10480687,
		features = {},
		asks = { "spawning_pool", "zerglings", "zerglings", "zerglings", "" },
		sensors = {
			{},
			{},
			{},
			{},
			{},
		},
	},
}

-- Runs a plan on recorded sensors: the first difference in words, or nothing.
local function replay(run)
	local S = M.new(run.key, run.start)
	for number, asked in ipairs(run.asks) do
		local env = {}
		for place, name in ipairs(run.features) do
			env[name] = run.sensors[number][place]
		end
		local found = M.next(S, env) or ""
		if found ~= asked then
			return "run " .. run.key .. ", exchange " .. number .. ": " .. found .. " instead of " .. asked
		end
	end
	return nil
end

-- Runs the recorded runs again: how many go differently, and the first difference.
function M.selftest()
	local failures, first = 0, nil
	for _, run in ipairs(RUNS) do
		local difference = replay(run)
		if difference then
			failures = failures + 1
			first = first or difference
		end
	end
	return failures, first
end

return M
