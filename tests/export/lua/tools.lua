-- Asserts that all numbers of a value are integers where Lua has these, and whole numbers elsewhere.
function whole(value, name)
	if type(value) == "table" then
		for key, each in pairs(value) do
			whole(key, name)
			whole(each, name .. "." .. tostring(key))
		end
	elseif type(value) == "number" then
		assert(value % 1 == 0, name .. " is " .. value)
		assert(math.type == nil or math.type(value) == "integer", name .. " is " .. tostring(value))
	end
	return value
end

-- The value with floats for all numbers, as a host hands them over that reads JSON or computes with floats.
function floats(value)
	if type(value) == "table" then
		local out = {}
		for key, each in pairs(value) do
			out[key] = floats(each)
		end
		return out
	end
	return type(value) == "number" and value + 0.0 or value
end
