-- What LÖVE reads before main.lua.
function love.conf(t)
	t.identity = "gpkit-connect-four"
	t.version = "11.4"
	t.window.title = "Connect Four"
	t.window.width, t.window.height = 720, 760
	t.modules.joystick, t.modules.physics, t.modules.video = false, false, false
end
