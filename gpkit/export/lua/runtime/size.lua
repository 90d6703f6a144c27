-- A number of squares, boxes or such as a host says it: as an integer where Lua has these, 10 for 10.0.
local function size(value, name)
	local whole = type(value) == "number" and value >= 1 and math.floor(value)
	if whole ~= value then
		error("the " .. name .. " is a whole number, at least 1, not " .. tostring(value), 3)
	end
	return whole
end
