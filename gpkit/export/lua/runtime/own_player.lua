-- The rules and the sensors are those of a host. A state is whatever the host makes of it.

---@class Host the functions of a host
---@field legal fun(state: any): integer[] the legal actions of who is to choose, ascending; none at the end
---@field sense fun(state: any, action: integer): table<string, number> the sensors of a legal action, see M.SENSORS
---@field decision? fun(state: any): string the name of the formula to be asked; left out, there is only one
---@field begin? fun(rules: table): any the first state under M.RULES; only M.selftest(host) asks for it
---@field apply? fun(state: any, action: integer): any the state after an action or an outcome of chance; likewise

-- Raises an error if a host lacks one of these functions.
local function check_host(host, names)
	for _, name in ipairs(names) do
		if host == nil or host[name] == nil then
			error("the host has no function " .. name, 3)
		end
	end
end

--- A player with the rules and the sensors of a host.
---@param host Host
---@return table
function M.new(host)
	check_host(host, { "legal", "sense", next(SENSORS, next(SENSORS)) and "decision" })
	return { host = host }
end

-- Whether a host's value can be that of a sensor; NaN cannot.
local function is_within(bounds, value)
	if type(value) ~= "number" or not (bounds.low <= value and value <= bounds.high) then
		return false
	end
	return not bounds.integer or value % 1 == 0
end

-- The sensors of an action as a host says them, which must be there and within their bounds.
local function sensed(host, state, action, section)
	local env = host.sense(state, action)
	if type(env) ~= "table" then
		error("the sensors of action " .. tostring(action) .. " are no table, but " .. tostring(env), 3)
	end
	for _, name in ipairs(SENSORS[section]) do
		local bounds, value = M.SENSORS[name], env[name]
		if not is_within(bounds, value) then
			local kind = bounds.integer and "a whole number from " or "a number from "
			local expected = kind .. tostring(bounds.low) .. " to " .. tostring(bounds.high)
			local found = "the sensor " .. name .. " of action " .. tostring(action) .. " is " .. tostring(value)
			error(found .. "; expected " .. expected .. ": " .. bounds.meaning, 3)
		end
	end
	return env
end

--- The action that the program chooses for who is to choose: the highest value wins, the first wins ties, NaN loses to
--- everything. A single legal action is forced. In games of gpkit the random numbers of an action are those of
--- M.keyed(key of the game, number of actions that players chose before, action).
---@param player table from M.new
---@param state any as the host's functions take it
---@param sources? fun(action: integer): fun(): number the random numbers of an action; left out, those of M.random
---@return integer
function M.choose(player, state, sources)
	local host = player.host
	local actions = host.legal(state)
	if #actions < 2 then
		return actions[1] or error("no action is legal in this state", 2)
	end
	local section = next(SENSORS)
	if host.decision then
		section = host.decision(state)
	end
	if not SENSORS[section] then
		error("there is no formula for the decision " .. tostring(section), 2)
	end
	local best, highest = actions[1], nil
	for place, action in ipairs(actions) do
		if place > 1 and actions[place - 1] >= action then
			error("legal actions ascend, but " .. tostring(action) .. " follows " .. tostring(actions[place - 1]), 2)
		end
		local value = M[section](sensed(host, state, action, section), sources and sources(action))
		if value == value and (highest == nil or value > highest) then
			best, highest = action, value
		end
	end
	return best
end
