-- MRG32k3a (P. L'Ecuyer, 1999): uniform numbers of (0, 1). Every intermediate value is a whole number below 2^53, so
-- that doubles give the same stream in every Lua; the streams of math.random differ from version to version.
-- All six words of the state start as the seed, a whole number of 1 to 4294944442; other numbers are brought there.
local function new_random(seed)
	seed = seed - seed % 1.0 + 0.0
	if seed < 1.0 or seed > 4294944442.0 then
		seed = seed % 4294944442.0 + 1.0
	end
	local a, b, c = seed, seed, seed
	local d, e, f = seed, seed, seed
	return function()
		local p = (1403580.0 * b - 810728.0 * a) % 4294967087.0
		a, b, c = b, c, p
		local q = (527612.0 * f - 1370589.0 * d) % 4294944443.0
		d, e, f = e, f, q
		if p <= q then
			return (p - q + 4294967087.0) * 2.328306549295727688e-10
		end
		return (p - q) * 2.328306549295727688e-10
	end
end
