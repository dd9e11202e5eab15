-- SPDX-License-Identifier: Apache-2.0
-- Replaces every global function, and every function in a global table, one at a time while the mod
-- answers queries: it must call none of them, and pass no cdata to any, wherever else it ends up.
local expect = ...

local type, tostring, next, pcall, select, error = type, tostring, next, pcall, select, error
local getinfo, getmetatable, find = debug.getinfo, getmetatable, string.find
local FOLDER = "@" .. minetest.get_modpath("fractalray") .. "/"

local A, B = vector.new(-14, 21, -12), vector.new(14, 21, -12)
local WALL = vector.new(4, 21, -12)

-- What the mod does for others, with answers, errors, mapblocks that are read again, and each time a new
-- type of nodes.
local queried = 0
local function queries(object)
  queried = queried + 1
  minetest.swap_node(WALL, {name = "nodes:stone"})
  minetest.swap_node(vector.offset(WALL, 0, 1, 0), {name = "nodes:fence"})
  minetest.swap_node(vector.offset(WALL, 1, 1, 0),
    {name = "nodes:layer_" .. math.floor(queried / 128) % 8 + 1, param2 = queried % 128})
  local manip = VoxelManip(WALL, WALL)
  manip:write_to_map()
  fractalray.line_of_sight(A, B)
  fractalray.can_see(A, B)
  fractalray.who_sees({A, object}, {object, B}, {max_distance = 40})
  fractalray.who_sees({object, A}, {object, B}, {memory = "replaced"})
  fractalray.visible_nodes(A, 4, {"group:pane", "nodes:stone"})
  for _ in fractalray.raycast(A, B, true, true) do end
  local ray = fractalray.raycast(A, B)
  ray:next()
  ray:next()
  fractalray.update_objects()
  local callbacks = {["group:pane"] = function() end, object = function() end, default = false}
  fractalray.shoot(A, B, {channel = "bullet", ignore = {object}, max_hits = 3, on_hit = callbacks})
  fractalray.shoot(A, B, {on_hit = function() return "stop" end})
  for _, wrong in next, {{}, "x", {x = "1"}, {x = 0 / 0, y = 1, z = 1}} do
    pcall(fractalray.shoot, A, wrong)
    pcall(fractalray.can_see, A, wrong)
    pcall(fractalray.who_sees, {A, wrong}, {B}, wrong)
    pcall(fractalray.visible_nodes, wrong, wrong, {wrong})
    pcall(fractalray.raycast, wrong, B)
    pcall(fractalray.shoot, A, B, wrong)
    pcall(fractalray.shoot, A, B, {channel = wrong})
    pcall(fractalray.shoot, A, B, {ignore = {wrong}, max_hits = wrong})
    pcall(ray.next, wrong)
    pcall(fractalray.register_channel, wrong, wrong)
    pcall(fractalray.register_channel, "new", {{"nodes:stone", wrong}})
  end
  fractalray.verify()
end

local found, calls

local function has_cdata(value, depth)
  if type(value) == "cdata" then return true end
  if type(value) ~= "table" or depth == 0 then return false end
  for key, member in next, value do
    if has_cdata(key, depth - 1) or has_cdata(member, depth - 1) then return true end
  end
  return false
end

-- Returns a function that calls the real one, and notes who called it with what.
local function spy_on(real, name, may_be_called)
  return function(...)
    calls = calls + 1
    for i = 1, select("#", ...) do
      if has_cdata((select(i, ...)), 4) then found[name .. " is passed cdata"] = true end
    end
    local caller = getinfo(2, "S")
    if not may_be_called and caller and find(caller.source, FOLDER, 1, true) == 1 then
      found[name .. " is called by " .. caller.short_src] = true
    end
    return real(...)
  end
end

-- Answers queries with each function of a table replaced.
local function replace_all(owner, owner_name, object, may_be_called)
  local names = {}
  for name, value in next, owner do
    if type(value) == "function" and type(name) == "string" then names[#names + 1] = name end
  end
  for i = 1, #names do
    local name = names[i]
    local real = owner[name]
    owner[name] = spy_on(real, owner_name .. name, may_be_called)
    local is_fine, reason = pcall(queries, object)
    owner[name] = real
    expect(is_fine, owner_name .. name .. " is replaced: " .. tostring(reason))
  end
  return #names
end

return function()
  found, calls = {}, 0
  minetest.set_node(WALL, {name = "nodes:stone"})
  minetest.set_node(vector.offset(WALL, 2, 0, 0), {name = "nodes:hidden"})
  local object = minetest.add_entity(vector.offset(WALL, -4, 0, 0), "nodes:thing",
    minetest.serialize({-0.5, -0.5, -0.5, 0.5, 0.5, 0.5}))
  local count = replace_all(_G, "", object)
  for name, library in next, _G do
    if type(library) == "table" and library ~= _G and library ~= fractalray then
      count = count + replace_all(library, name .. ".", object)
    end
  end
  count = count + replace_all(getmetatable(VoxelManip()), "VoxelManip:", object)
  -- The mod asks objects for their positions.
  count = count + replace_all(getmetatable(object), "ObjectRef:", object, true)
  object:remove()
  for fault in next, found do expect(false, fault) end
  expect(count > 500 and calls > 20, "only " .. count .. " functions, " .. calls .. " calls")
end
