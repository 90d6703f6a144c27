-- Takes a shot and waits for its report; whether the program starts again with its first block.
local function fire(S)
	if not shoot(S) then
		return false
	end
	S.turns, S.rounds = S.turns + 1, 0
	coroutine.yield(math.floor(S.x), math.floor(S.y))
	return S.sunk and DIALECT.sunk == "reset"
end

-- Counts the rounds through blocks since the last shot; a program that goes round without a shot is given up.
local function round(S)
	S.rounds = (S.rounds or 0) + 1
	if S.rounds > BUDGET then
		coroutine.yield(nil, "out of steps")
	end
end
