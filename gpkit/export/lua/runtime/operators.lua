-- a / b, or 1 where b is zero
local function div(a, b)
	if b ~= 0.0 then
		return a / b
	end
	return 1.0
end

-- a - b, in the only form that LuaJIT 2.0 does not simplify wrongly when b is a constant -0.0
local function sub(a, b)
	return a + -b
end

-- -a, in a form that LuaJIT 2.0 computes where a turns out to be a constant 0.0, too: its -a is then 0.0
local function neg(a)
	return -1.0 * a
end

-- written out: math.min orders NaN and equal numbers differently from one Lua to the next
local function min(a, b)
	if b < a then
		return b
	end
	return a
end

local function max(a, b)
	if b > a then
		return b
	end
	return a
end

local function abs(a)
	if a < 0.0 then
		return -a
	end
	return a
end

-- the square root, or 0 unless a is positive
local function sqrt(a)
	if a > 0.0 then
		return math.sqrt(a)
	end
	return 0.0
end

-- the largest whole number at most a; inf and NaN stay as they are, -0.0 becomes 0.0
local function floor(a)
	if a - a == 0.0 then
		return a - a % 1.0 + 0.0
	end
	return a
end

-- x if a <= b, else y; both are evaluated
local function ifle(a, b, x, y)
	if a <= b then
		return x
	end
	return y
end

-- the natural logarithm, or 0 unless a is positive
local function log(a)
	if a > 0.0 then
		return math.log(a)
	end
	return 0.0
end

-- e to the power of a, which is inf from 710 on, where LuaJIT 2.0 would compute with inf - inf
local function exp(a)
	if a > 710.0 then
		return math.huge
	end
	return math.exp(a)
end

-- the sine, or 0 unless a is finite
local function sin(a)
	if a - a == 0.0 then
		return math.sin(a)
	end
	return 0.0
end

-- the cosine, or 0 unless a is finite
local function cos(a)
	if a - a == 0.0 then
		return math.cos(a)
	end
	return 0.0
end

local function square(a)
	return a * a
end

-- the hyperbolic tangent, which Lua 5.4 lacks; near zero by the rational function of Cephes (S. Moshier, 1984)
local function tanh(a)
	if a == 0.0 then
		return a
	elseif a > -0.625 and a < 0.625 then
		local s = a * a
		local p = (-9.64399179425052238628e-1 * s - 9.92877231001918586564e1) * s - 1.61468768441708447952e3
		local q = ((s + 1.12811678491632931402e2) * s + 2.23548839060100448583e3) * s + 4.84406305325125486048e3
		return a + a * s * (p / q)
	elseif a > 0.0 then
		return 1.0 - 2.0 / (math.exp(2.0 * a) + 1.0)
	end
	return 2.0 / (math.exp(-2.0 * a) + 1.0) - 1.0
end

-- a to the power of b; 1 where that divides by zero, 0 where a is negative and b a fraction
local function pow(a, b)
	if a == 0.0 and b < 0.0 then
		return 1.0
	elseif a >= 0.0 or math.floor(b) == b then
		return a ^ b
	end
	return 0.0
end
