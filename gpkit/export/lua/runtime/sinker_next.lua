-- Runs the program until it takes a shot: the column and row of the square, or those of a place off the board that
-- costs the turn; nothing if it goes round without a shot, and why. The host answers with M.report and asks again.
function M.next(S)
	local thread = THREADS[S]
	if not thread then
		thread = coroutine.create(function()
			local block = targeting
			while true do
				block = block(S)
			end
		end)
		THREADS[S] = thread
	end
	local alive, x, y = coroutine.resume(thread)
	if not alive then
		error(x)
	end
	return x, y
end
