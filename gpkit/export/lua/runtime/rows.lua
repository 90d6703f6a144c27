-- White space beyond ASCII, in UTF-8.
local WIDE = { "\194[\133\160]", "\225\154\128", "\226\128[\128-\138\168\169\175]", "\226\129\159", "\227\128\128" }

-- A text without white space around it.
local function trimmed(text)
	local before
	repeat
		before = text
		text = string.match(text, "^[%s\28-\31]*(.-)[%s\28-\31]*$")
		for _, blank in ipairs(string.find(text, "[\128-\255]") and WIDE or {}) do
			text = string.gsub(text, "^" .. blank, "")
			text = string.gsub(text, blank .. "$", "")
		end
	until text == before
	return text
end

-- Whether a cell says nothing: nil, NaN, or a text such as NA.
local function cell_is_empty(cell)
	if type(cell) == "string" then
		cell = trimmed(cell)
	end
	return cell == nil or cell ~= cell or EMPTY[cell] == true
end

-- 1 where a cell is a word, or a number that is written so, else 0.
local function cell_is_word(cell, word)
	if type(cell) == "number" then
		return number_in(word) == cell and 1.0 or 0.0
	elseif type(cell) == "boolean" then
		cell = cell and "True" or "False"
	end
	return type(cell) == "string" and trimmed(cell) == word and 1.0 or 0.0
end

-- The number in a cell, or what stands in a gap.
local function cell_number(row, column, fill)
	local cell = row[column]
	if cell_is_empty(cell) then
		return fill or error("the column " .. column .. " is empty, and the formula has no value for gaps", 3)
	end
	local number = type(cell) == "string" and number_in(trimmed(cell)) or cell
	if type(number) ~= "number" or number - number ~= 0 then
		error("the column " .. column .. " is " .. tostring(cell) .. ", where a finite number is needed", 3)
	end
	return number
end
