local S, shots, why = M.new(1, 3, 2, { 1 }), 0, nil
local x = M.next(S)
while x and shots < 10 do
	shots = shots + 1
	M.report(S, "miss")
	x, why = M.next(S)
end
return shots, why, select(2, M.next(S))
