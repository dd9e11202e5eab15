-- SPDX-License-Identifier: Apache-2.0
-- Shoots with the gun of docs/luanti-server.md, writes to answer.txt in the world's folder what comes
-- of it, and shuts the server down. Ends without an answer after 40 seconds.
local EYE = vector.new(-200, 110, -40)
local function at(x) return vector.offset(EYE, x, 0, 0) end

local punches = 0
minetest.register_entity("gunner:target", {
  initial_properties = {physical = false, static_save = false},
  on_punch = function() punches = punches + 1 return true end,
})
minetest.register_entity("gunner:shooter", {
  initial_properties = {physical = false, static_save = false, eye_height = 1.5},
})

local function names_hit()
  local names = {}
  for i, pointed in ipairs(fractalray.shoot(EYE, at(20), {channel = "bullet", objects = false})) do
    names[i] = pointed.name
  end
  return table.concat(names, ", ")
end

local function play()
  for x = -1, 20 do minetest.set_node(at(x), {name = "air"}) end
  minetest.set_node(at(4), {name = "default:glass"})
  minetest.set_node(at(8), {name = "default:leaves"})
  minetest.set_node(at(12), {name = "default:stone"})
  local before = names_hit()
  minetest.add_entity(at(6), "gunner:target")
  local shooter = minetest.add_entity(vector.offset(EYE, 0, -1.5, 0), "gunner:shooter")
  -- Only players look anywhere; the methods are those of all objects.
  getmetatable(shooter).get_look_dir = function() return vector.new(1, 0, 0) end
  minetest.registered_tools["mymod:gun"].on_use(ItemStack("mymod:gun"), shooter)
  return ("%s; glass is now %s, %d punch; %s\n"):format(before, minetest.get_node(at(4)).name, punches,
    names_hit())
end

minetest.after(0, function()
  minetest.emerge_area(at(-1), at(20), function(_, _, remaining)
    if remaining > 0 then return end
    local _, answer = pcall(play)
    local file = assert(io.open(minetest.get_worldpath() .. "/answer.txt", "wb"))
    file:write(answer)
    file:close()
    minetest.request_shutdown()
  end)
end)
minetest.after(40, minetest.request_shutdown)
