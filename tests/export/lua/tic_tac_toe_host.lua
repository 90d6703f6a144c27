local LINES = {
	{ 0, 1, 2 }, { 3, 4, 5 }, { 6, 7, 8 }, { 0, 3, 6 }, { 1, 4, 7 }, { 2, 5, 8 }, { 0, 4, 8 }, { 2, 4, 6 },
}
local host = {}

function host.begin()
	return { board = {}, mark = "x" }
end

local function count(state, line, mark)
	local own = 0
	for _, square in ipairs(line) do
		if state.board[square] == mark then own = own + 1 elseif state.board[square] then return nil end
	end
	return own
end

function host.legal(state)
	local actions = {}
	for _, line in ipairs(LINES) do
		if count(state, line, "x") == 3 or count(state, line, "o") == 3 then return actions end
	end
	for square = 0, 8 do
		if not state.board[square] then actions[#actions + 1] = square end
	end
	return actions
end

function host.sense(state, action)
	local sensors = { own = 0, theirs = 0, lines = 0 }
	for _, line in ipairs(LINES) do
		if line[1] == action or line[2] == action or line[3] == action then
			sensors.lines = sensors.lines + 1
			sensors.own = math.max(sensors.own, count(state, line, state.mark) or 0)
			sensors.theirs = math.max(sensors.theirs, count(state, line, state.mark == "x" and "o" or "x") or 0)
		end
	end
	return sensors
end

function host.apply(state, action)
	state.board[action] = state.mark
	state.mark = state.mark == "x" and "o" or "x"
end

return host
