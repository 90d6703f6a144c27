-- One more whole number in a hash of 32 bits that doubles compute exactly.
local function mix(hash, number)
	return (hash * 65599.0 + number + 1.0) % 4294967087.0
end
