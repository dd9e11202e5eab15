-- SPDX-License-Identifier: Apache-2.0
-- Checks what the mod does with wrong arguments of other mods, and with maps and objects that they
-- have spoiled: a clear error at the line of that mod, or an answer, and the server stays as it is.
local expect = ...

local A, B = vector.new(-14, 20, -12), vector.new(14, 20, -12)
local NAN, INF = 0 / 0, 1 / 0

-- Checks that a call raises an error that contains `part` and the name of this file.
local function refuses(part, call, ...)
  local is_fine, reason = pcall(call, ...)
  expect(not is_fine, "accepted instead of: " .. part)
  reason = tostring(reason)
  expect(is_fine or reason:find(part, 1, true), "'" .. reason .. "' instead of '" .. part .. "'")
  expect(is_fine or reason:find("arguments.lua:", 1, true), "not the line of the caller: " .. reason)
end

-- No tail calls, which would hide this file from the error.
local queries = {
  raycast = function(pos1, pos2) local ray = fractalray.raycast(pos1, pos2) return ray:next() end,
  line_of_sight = function(pos1, pos2) return (fractalray.line_of_sight(pos1, pos2)) end,
  shoot = function(pos1, pos2) return (fractalray.shoot(pos1, pos2)) end,
}

local function check_positions()
  for _, query in pairs(queries) do
    for _, wrong in ipairs({false, 5, "(1, 2, 3)", {}, {1, 2, 3}, {x = 1, y = 2},
      {x = "1", y = 2, z = 3}, {x = NAN, y = 0, z = 0}, {x = 0, y = INF, z = 0},
      {x = 0, y = 0, z = -INF}, {x = 1e300, y = 0, z = 0}, {x = 0, y = 2147484, z = 0}}) do
      refuses("pos1 is ", query, wrong or nil, B)
      refuses("pos2 is ", query, A, wrong or nil)
    end
    refuses("pos2 is (nan, \"0\", 1); it must be a position", query, A, {x = NAN, y = "0", z = 1})
    query({x = 1, y = 2, z = 3}, vector.new(4, 5, 6))
  end
end

local function check_flags()
  local function raycast(...)
    local ray = fractalray.raycast(A, B, ...)
    return ray:next()
  end
  for _, wrong in ipairs({0, "true", {}, {channel = "eye"}}) do
    refuses("objects is ", raycast, wrong)
    refuses("liquids is ", raycast, nil, wrong)
  end
  refuses("it must be true or false; fractalray.shoot takes options", raycast, {channel = "eye"})
  for _, flag in ipairs({true, false}) do raycast(flag, flag) end
  raycast(nil, nil)
  refuses("pos1 is (nil, nil, nil)", function()
    local hits = fractalray:shoot(A, B)
    return hits
  end)
end

local function check_options()
  local function shoot(options) return function() fractalray.shoot(A, B, options) end end
  refuses("options is 5", shoot(5))
  refuses("unknown channel gun; there are ", shoot({channel = "gun"}))
  refuses("channel is 5", shoot({channel = 5}))
  refuses("objects is 0", shoot({objects = 0}))
  refuses("stop_at_unloaded is \"yes\"", shoot({stop_at_unloaded = "yes"}))
  for _, wrong in ipairs({0, -1, 1.5, NAN, INF, 2 ^ 60, "3", {}}) do
    refuses("max_hits is ", shoot({max_hits = wrong}))
  end
  refuses("ignore is ", shoot({ignore = "singleplayer"}))
  refuses("ignore[1] is \"singleplayer\"", shoot({ignore = {"singleplayer"}}))
  refuses("on_hit is \"stop\"", shoot({on_hit = "stop"}))
  refuses("on_hit[\"group:pane\"] is \"stop\"", shoot({on_hit = {["group:pane"] = "stop"}}))
  minetest.set_node(vector.new(0, 20, -12), {name = "nodes:stone"})
  refuses('on_hit has returned "Stop"; return "stop"', shoot({on_hit = function() return "Stop" end}))
  shoot({on_hit = function() return true end})()
  shoot({on_hit = {default = false}, ignore = {}, objects = true, max_hits = 1})()
  shoot(nil)()
end

local function check_sight()
  local function can_see(...) local is_seen = fractalray.can_see(...) return is_seen end
  local function who_sees(...) local seen = fractalray.who_sees(...) return seen end
  local function visible_nodes(...) local nodes = fractalray.visible_nodes(...) return nodes end
  for _, wrong in ipairs({false, 5, "(1, 2, 3)", {}, {x = NAN, y = 0, z = 0}, ItemStack("nodes:stone")}) do
    refuses("eye is ", can_see, wrong or nil, B)
    refuses("target is ", can_see, A, wrong or nil)
    refuses("viewers[2] is ", who_sees, {A, wrong}, {B})
    refuses("targets[1] is ", who_sees, {A}, {wrong, B})
    refuses("eye is ", visible_nodes, wrong or nil, 5, {"nodes:stone"})
  end
  refuses("viewers is a position", who_sees, A, {B})
  refuses("targets is nil", who_sees, {A})
  refuses("unknown option of fractalray.can_see range", can_see, A, B, {range = 5})
  refuses("fractalray.can_see: channel is 5", can_see, A, B, {channel = 5})
  refuses("unknown channel gun", can_see, A, B, {channel = "gun"})
  refuses("unknown channel gun", who_sees, {A}, {B}, {channel = "gun"})
  for _, wrong in ipairs({-1, NAN, INF, 257, "5", {}}) do
    refuses("radius is ", visible_nodes, A, wrong, {"nodes:stone"})
  end
  refuses("max_distance is -1", who_sees, {A}, {B}, {max_distance = -1})
  for _, wrong in ipairs({5, true, {}}) do
    refuses("it must be a name, or false", who_sees, {A}, {B}, {memory = wrong})
  end
  refuses("names is \"nodes:stone\"", visible_nodes, A, 5, "nodes:stone")
  refuses("names[2] is 5", visible_nodes, A, 5, {"nodes:stone", 5})
  expect(#visible_nodes(A, 5, {}) == 0, "nodes of no name are found")
  -- A list that grows while it is read.
  local list, many = {}, 0
  local growing = setmetatable({}, {__index = function(_, name)
    if name ~= "x" then return 0 end
    if many < 1000 then
      many = many + 1
      list[#list + 1] = B
    end
    return 1
  end})
  list[1] = growing
  expect(#who_sees(list, list) >= 1, "a list that grows has no answer")
end

local function check_channels()
  for _, name in ipairs({false, 5, "", {}}) do
    refuses("the name of a channel is ", function()
      fractalray.register_channel(name or nil, {})
    end)
  end
  refuses("the rules of the channel late are ", function() fractalray.register_channel("late") end)
  refuses('the rules have the key group:leaves, but are a list; write {{"group:leaves", "empty"}, ...}',
    function() fractalray.register_channel("late", {["group:leaves"] = "empty"}) end)
  for _, name in ipairs({"default", "sight", "selection", "collision", "raycast", "raycast_liquids"}) do
    refuses("the channel " .. name .. " exists already: collision, default, raycast, raycast_liquids, "
      .. "selection, sight are the mod's own", function() fractalray.register_channel(name, {}) end)
  end
  refuses("the channel bullet exists already; choose another name",
    function() fractalray.register_channel("bullet", {}) end)
  for _, wrong in ipairs({"sigth", 5, false, {}}) do
    refuses("unknown channel ", function() return (fractalray.line_of_sight(A, B, wrong)) end)
  end
  refuses("while mods are loaded", function() fractalray.register_channel("late", {}) end)
end

-- A line that leaves the map has a million mapblocks.
local function check_long_lines()
  local start = minetest.get_us_time()
  local from, to = vector.new(-2e6, 20.25, -2e6), vector.new(2e6, 20.5, 2e6)
  for _, query in pairs(queries) do query(from, to) end
  local seconds = (minetest.get_us_time() - start) / 1e6
  expect(seconds < 20, "three lines through everything take " .. seconds .. " s")
end

-- Content ids that no node has, as a mod writes them that mistakes one number for another.
local function check_content_ids()
  local voxel_manip = VoxelManip(A, A)
  local before = voxel_manip:get_data()
  local data = voxel_manip:get_data()
  for i = 1, 8 do data[i] = 32000 + i end
  voxel_manip:set_data(data)
  voxel_manip:write_to_map(false)
  local is_fine, reason = pcall(function()
    fractalray.raycast(A, B):next()
    fractalray.verify()
  end)
  expect(is_fine, "ids of no node: " .. tostring(reason))
  voxel_manip:set_data(before)
  voxel_manip:write_to_map(false)
  expect(fractalray.verify().nodes == 0, "the ids of no node are left in the mirror")
end

local function check_objects()
  local thing = minetest.add_entity(vector.new(0, 20, -12), "nodes:thing",
    minetest.serialize({-0.5, -0.5, -0.5, 0.5, 0.5, 0.5}))
  local function hits(text)
    local is_fine, reason = pcall(function()
      fractalray.update_objects()
      return fractalray.shoot(A, B, {channel = "bullet"})
    end)
    expect(is_fine, text .. ": " .. tostring(reason))
  end
  for _, box in ipairs({{NAN, 0, 0, 1, 1, 1}, {0, 0, 0, 1, NAN, 1}, {0, 0, 0, INF, 1, 1},
    {-INF, 0, 0, INF, 1, 1}, {1e30, 0, 0, 1e30, 1, 1}, {1e8, 0, 0, 1e8, 1, 1},
    {0, 0, 0, 0, 0, 0}, {1, 1, 1, -1, -1, -1}}) do
    if pcall(thing.set_properties, thing, {selectionbox = box}) then
      hits("the box " .. table.concat(box, " "))
    end
  end
  thing:set_properties({selectionbox = {-0.5, -0.5, -0.5, 0.5, 0.5, 0.5}})
  for _, x in ipairs({NAN, INF, -INF, 1e30, 1e7}) do
    if pcall(thing.set_pos, thing, {x = x, y = 20, z = -12}) then hits("an object at " .. x) end
  end
  thing:remove()
  fractalray.update_objects()
end

-- Far positions, of which Luanti takes 16 bits.
local function check_hooks()
  fractalray.raycast(A, B):next()
  for _, pos in ipairs({{x = 0, y = 1048576 + 20, z = -12}, {x = 0, y = 20, z = 1e9},
    {x = NAN, y = 20, z = -12}, {x = INF, y = 20, z = -12}}) do
    local is_fine, reason = pcall(minetest.remove_node, pos)
    expect(is_fine or not tostring(reason):find("fractalray", 1, true), tostring(reason))
  end
  local is_fine, reason = pcall(minetest.delete_area, {x = 0, y = 31000, z = 0},
    {x = 15, y = 31000, z = 15})
  expect(is_fine, tostring(reason))
  expect(fractalray.verify().nodes == 0, "changes at far positions have spoiled the mirror")
end

return function()
  check_positions()
  check_flags()
  check_options()
  check_sight()
  check_channels()
  check_long_lines()
  check_content_ids()
  check_objects()
  check_hooks()
end
