-- the error of a call without a sensor that the formula reads
local function absent(sensor)
	error("the sensor " .. sensor .. " is missing", 3)
end
