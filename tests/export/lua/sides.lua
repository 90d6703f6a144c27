local S, moves = M.new(3.0, 2.0), 0
whole(S, "the new state")
while true do
	local sides, rule = M.moves(floats(S))
	whole({ sides, rule or 0 }, "the sides")
	local side = M.choose(S, function() return 0.5 end)
	if not side then
		break
	end
	if M.sample then
		whole(M.sample(S, function() return 0.5 end), "the sampled side")
	end
	whole(M.draw(S, whole(side, "the side") + 0.0), "boxes")
	whole(S, "the state")
	moves = moves + 1
end
return moves
