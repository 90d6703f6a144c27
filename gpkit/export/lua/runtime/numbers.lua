-- The number that a text holds, or nil if it is not a number; Lua 5.1 and 5.2 expect the locale's decimal point.
local function number_in(text)
	local digits = string.gsub(text, "[eE][-+]?[0-9]+$", "")
	if string.find(digits, "^[-+]?[0-9]+%.?[0-9]*$") or string.find(digits, "^[-+]?%.[0-9]+$") then
		local point = string.match(string.format("%.1f", 0.5), "^0(.*)5$")
		return tonumber(text) or tonumber((string.gsub(text, "%.", point)))
	end
end
