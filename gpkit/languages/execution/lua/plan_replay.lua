-- Runs a plan on recorded sensors: the first difference in words, or nothing.
local function replay(run)
	local S = M.new(run.key, run.start)
	for number, asked in ipairs(run.asks) do
		local env = {}
		for place, name in ipairs(run.features) do
			env[name] = run.sensors[number][place]
		end
		local found = M.next(S, env) or ""
		if found ~= asked then
			return "run " .. run.key .. ", exchange " .. number .. ": " .. found .. " instead of " .. asked
		end
	end
	return nil
end
