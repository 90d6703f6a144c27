-- What LÖVE reads before main.lua.
function love.conf(t)
	t.identity = "gpkit-mastermind"
	t.version = "11.4"
	t.window.title = "Mastermind"
	t.window.width, t.window.height = 720, 720
	t.modules.joystick, t.modules.physics, t.modules.video = false, false, false
end
