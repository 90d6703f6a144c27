-- A number of [0, 1) that depends only on three whole numbers of 0 to 2^26 - 1: a Feistel cipher whose rounds take the
-- middle of a square (after B. Widynski, "Squares", 2020). Every intermediate value is below 2^53.
local function keyed_uniform(key, left, right)
	key, left, right = key + 0.0, left + 0.0, right + 0.0
	for _ = 1, 8 do
		key = (key + 41475559.0) % 67108864.0
		local x = (right + key) % 67108864.0
		local middle = x * x / 8192.0
		left, right = right, (left + (middle - middle % 1.0)) % 67108864.0
	end
	return (left * 67108864.0 + right) / 4503599627370496.0
end
