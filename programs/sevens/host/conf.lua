-- What LÖVE reads before main.lua.
function love.conf(t)
	t.identity = "gpkit-sevens"
	t.version = "11.4"
	t.window.title = "Sevens"
	t.window.width, t.window.height = 960, 640
	t.modules.joystick, t.modules.physics, t.modules.video = false, false, false
end
