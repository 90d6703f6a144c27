local CONDITIONS = {
	IfHit = function(S)
		return S.hit
	end,
	IfMiss = function(S)
		return not S.hit
	end,
	IfTrue = function(S)
		return S.flag
	end,
	IfFalse = function(S)
		return not S.flag
	end,
	IfSunk = function(S)
		return S.sunk
	end,
	IfZero = function(S)
		return S.count == 0
	end,
	IfEdge = is_edge_ahead,
	IfKnown = is_known_ahead,
}

local ACTIONS = {
	Target = take_aim,
	MoveFwd = move_forward,
	OppDir = function(S)
		S.dir = (S.dir + 1) % 4 + 1
	end,
	SavePos = function(S)
		S.temp_x, S.temp_y = S.x, S.y
	end,
	LoadPos = function(S)
		S.x, S.y = S.temp_x, S.temp_y
	end,
	SetTrue = function(S)
		S.flag = true
	end,
	SetFalse = function(S)
		S.flag = false
	end,
	Reset = function(S)
		S.count = 0
	end,
	Up = function(S)
		S.count = S.count + 1
	end,
	Down = function(S)
		S.count = S.count - 1
	end,
	Nop = function() end,
}

-- Runs the program until it takes a shot: the column and row of the square, or those of a place off the board that
-- costs the turn; nothing if it is out of steps or no square is left, and why. The host answers with M.report and asks
-- again.
function M.next(S)
	if S.unshot == 0 then
		return nil, "no square left"
	end
	S.steps = 0
	while S.steps < BUDGET do
		local row = PROGRAM[S.pc]
		local word, otherwise = row[1], row[2]
		S.pc, S.steps = S.pc + 1, S.steps + 1
		if word == "Jump" then
			S.pc = otherwise
		elseif CONDITIONS[word] then
			if not CONDITIONS[word](S) then
				S.pc = otherwise
			end
		elseif word == "Shoot" then
			if shoot(S) then
				S.turns = S.turns + 1
				return math.floor(S.x), math.floor(S.y)
			end
		elseif KINDS[word] then
			draw_direction(S, word)
		else
			ACTIONS[word](S)
		end
	end
	return nil, "out of steps"
end
