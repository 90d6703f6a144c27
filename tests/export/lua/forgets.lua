local games = setmetatable({}, { __mode = "k" })
for key = 1, 20 do
	local S = M.new(key)
	M.next(S)
	games[S] = true
end
collectgarbage()
collectgarbage()
local held = 0
for _ in pairs(games) do
	held = held + 1
end
return held
