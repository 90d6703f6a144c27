-- The open hits that a ship there would cover, or nothing where it cannot lie.
local function may_lie(S, x, y, vertical, length)
	local dx, dy = vertical and 0 or 1, vertical and 1 or 0
	if not on_board(S, x + dx * (length - 1), y + dy * (length - 1)) then
		return nil
	end
	local hits = 0
	for k = 0, length - 1 do
		local state = S.known[square_of(S, x + dx * k, y + dy * k)]
		if state == MISS or state == SUNKEN then
			return nil
		end
		hits = hits + (state == OPEN and 1 or 0)
	end
	return hits
end
