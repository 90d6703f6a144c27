-- Whether a number is written as an integer, "9" and not "9.0" as Lua 5.3 and later write a float.
local function is_integer(number)
	return tostring(number) == string.format("%.0f", number)
end

-- One more whole number in a hash of 32 bits that doubles compute exactly.
local function mix(hash, number)
	return (hash * 65599.0 + number + 1.0) % 4294967087.0
end
