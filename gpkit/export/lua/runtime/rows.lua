-- Whether a cell says nothing: nil, NaN, or a text such as NA.
local function cell_is_empty(cell)
	if type(cell) == "string" then
		cell = string.match(cell, "^%s*(.-)%s*$")
	end
	return cell == nil or cell ~= cell or EMPTY[cell] == true
end

-- 1 where a cell is a word, or a number that is written so, else 0.
local function cell_is_word(cell, word)
	if type(cell) == "number" then
		return tonumber(word) == cell and 1.0 or 0.0
	elseif type(cell) == "boolean" then
		cell = cell and "True" or "False"
	end
	return type(cell) == "string" and string.match(cell, "^%s*(.-)%s*$") == word and 1.0 or 0.0
end

-- The number in a cell, or what stands in a gap.
local function cell_number(row, column, fill)
	local cell = row[column]
	if cell_is_empty(cell) then
		return fill or error("the column " .. column .. " is empty, and the formula has no value for gaps", 3)
	end
	return tonumber(cell) or error("the column " .. column .. " is " .. tostring(cell) .. ", not a number", 3)
end
