-- What LÖVE reads before main.lua.
function love.conf(t)
	t.identity = "gpkit-battleship"
	t.version = "11.4"
	t.window.title = "Battleship"
	t.window.width, t.window.height = 960, 560
	t.modules.joystick, t.modules.physics, t.modules.video = false, false, false
end
