-- The formula reads no beliefs.
local function sense_beliefs() end
