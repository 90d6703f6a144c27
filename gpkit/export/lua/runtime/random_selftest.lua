-- Compares the default source with the number that its author publishes for the default seed after 35 others.
local function check_random()
	local random = new_random(12345)
	for _ = 1, 35 do
		random()
	end
	local value = random()
	if math.abs(value - 0.07941673614985) < 1e-14 then
		return 0, nil
	end
	return 1, string.format("default random numbers: %.17g instead of 0.07941673614985", value)
end
