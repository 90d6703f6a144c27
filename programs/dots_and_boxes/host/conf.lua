-- What LÖVE reads before main.lua.
function love.conf(t)
	t.identity = "gpkit-dots-and-boxes"
	t.version = "11.4"
	t.window.title = "Dots and Boxes"
	t.window.width, t.window.height = 640, 640
	t.modules.joystick, t.modules.physics, t.modules.video = false, false, false
end
