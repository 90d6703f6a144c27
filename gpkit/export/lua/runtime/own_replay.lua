-- In place of a host, for recorded decisions, each of which is a state.
local RECORDED = {
	legal = function(decision)
		return decision.actions
	end,
	sense = function(decision, action)
		return decision.sensors[action]
	end,
	decision = function(decision)
		return decision.section
	end,
}

-- Reads a decision: how many actions to choose from, 0 where nothing is decided; if there are any its section, how many
-- actions the players had chosen before; of each action: its number and its sensors.
local function read_decision(word)
	local count = word()
	if count == 0 then
		return nil
	end
	local decision = { section = word(), before = word(), actions = {}, sensors = {} }
	for i = 1, count do
		local action, env = word(), {}
		for _, name in ipairs(SENSORS[decision.section]) do
			env[name] = word()
		end
		decision.actions[i], decision.sensors[action] = action, env
	end
	return decision
end

local function listed(actions)
	return #actions > 0 and table.concat(actions, " ") or "none"
end

-- Raises an error where a host's legal actions and sensors are not those of a recorded decision.
local function compare(host, state, decision)
	local legal, expected = host.legal(state), decision.actions
	local is_same = #legal == #expected
	for place, action in ipairs(expected) do
		is_same = is_same and legal[place] == action
	end
	if not is_same then
		error("legal are " .. listed(legal) .. " instead of " .. listed(expected), 0)
	end
	for _, action in ipairs(decision.actions) do
		local env = host.sense(state, action)
		for _, name in ipairs(SENSORS[decision.section]) do
			local value, recorded = env[name], decision.sensors[action][name]
			if value ~= recorded then
				local found = name .. " of action " .. tostring(action) .. " is " .. tostring(value)
				error(found .. " instead of " .. tostring(recorded), 0)
			end
		end
	end
end

-- Plays a recorded game as far as it goes as recorded, and says what happens then.
local function follow(game, host)
	local player = M.new(host or RECORDED)
	local state = host and host.begin(M.RULES)
	for step, taken in ipairs(game) do
		local decision = taken.decision
		local _, problem = pcall(function()
			if decision then
				if host then
					compare(host, state, decision)
				end
				local action = M.choose(player, host and state or decision, function(action)
					return keyed_source(game.key, decision.before, action)
				end)
				if action ~= taken.action then
					return "chosen is " .. tostring(action) .. " instead of " .. tostring(taken.action)
				end
			end
			if host then
				local after = host.apply(state, taken.action)
				state = after == nil and state or after
			end
		end)
		if problem then
			return "action " .. step .. ": " .. tostring(problem)
		end
	end
	if host and #game < M.RULES.longest and #host.legal(state) > 0 then
		return "its end: legal are " .. listed(host.legal(state)) .. " instead of none"
	end
end

-- Follows recorded games (key, number of actions; of each: itself and its decision) with the rules and sensors of a
-- host, or only their decisions without one.
local function check_games(text, host)
	if host then
		check_host(host, { "begin", "apply" })
	end
	local word = words(text)
	local failures, first, number = 0, nil, 0
	local key = word()
	while key do
		local game = { key = key }
		for step = 1, word() do
			game[step] = { action = word(), decision = read_decision(word) }
		end
		number = number + 1
		local problem = follow(game, host)
		if problem then
			failures = failures + 1
			first = first or "recorded game " .. number .. ", " .. problem
		end
		key = word()
	end
	return failures, first
end
