-- Runs the program until it takes a shot: the column and row of the square, or those of a place off the board that
-- costs the turn; nothing if it goes round without a shot or no square is left, and why. The host answers with M.report
-- and asks again.
function M.next(S)
	if S.unshot == 0 then
		return nil, "no square left"
	end
	if not S.thread then
		S.thread = coroutine.create(function()
			local block = targeting
			while true do
				block = block(S)
			end
		end)
	end
	local alive, x, y = coroutine.resume(S.thread)
	if not alive then
		error(x)
	end
	return x, y
end
