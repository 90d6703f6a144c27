-- The log odds of the classes: of the second of two classes, or of each of several against all others.
local function odds_of(row)
	local read, odds = features(row), {}
	for place, section in ipairs(SECTIONS) do
		local value = section(read)
		odds[place] = value == value and math.max(-700.0, math.min(700.0, value)) or 0.0
	end
	return odds
end

--- The probability of each class for a row, in the order of M.CLASSES.
---@param row table<string, any> cells by the names of columns; nil, NaN and texts such as NA are empty
---@return number[]
function M.probabilities(row)
	local shares, total = {}, 0.0
	for place, odds in ipairs(odds_of(row)) do
		shares[place] = 1.0 / (1.0 + math.exp(-odds))
		total = total + shares[place]
	end
	if #shares == 1 then
		return { 1.0 - shares[1], shares[1] }
	end
	for place, share in ipairs(shares) do
		shares[place] = total > 0.0 and share / total or 1.0 / #shares
	end
	return shares
end

--- SUMMARY
---@param row table<string, any> cells by the names of columns; nil, NaN and texts such as NA are empty
---@return any
function M.predict(row)
	local odds, best = odds_of(row), 1
	if #odds == 1 then
		return M.CLASSES[odds[1] > 0.0 and 2 or 1]
	end
	for place = 2, #odds do
		if odds[place] > odds[best] then
			best = place
		end
	end
	return M.CLASSES[best]
end
