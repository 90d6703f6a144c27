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
