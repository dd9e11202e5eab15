-- SPDX-License-Identifier: Apache-2.0
-- Checks fractalray.shoot in a corner of the map that is cleared for it: order, callbacks by name and
-- by group, edits from callbacks, objects, channels.
local expect = ...

local MIN, MAX = vector.new(-16, 24, -16), vector.new(15, 31, -9)
local FROM, TO = vector.new(-14, 28, -12), vector.new(14, 28, -12)

local function clear()
  for z = MIN.z, MAX.z do
    for y = MIN.y, MAX.y do
      for x = MIN.x, MAX.x do minetest.set_node(vector.new(x, y, z), {name = "air"}) end
    end
  end
end

local function at(x) return vector.new(x, FROM.y, FROM.z) end
local function set(x, name) minetest.set_node(at(x), {name = name}) end

local ENDS = {node = ".", stop = "!", max_hits = " ...", unloaded = "?", [false] = ""}

-- Returns what was hit as text: "plant at -3, ...".
local function said(hits, ended_by)
  local words = {}
  for i, hit in ipairs(hits) do
    words[i] = hit.type == "node" and hit.name:match(":(.*)") .. " at " .. hit.under.x or "object"
  end
  return table.concat(words, ", ") .. ENDS[ended_by]
end

local function expect_shot(expected, ...)
  local found = said(fractalray.shoot(...))
  expect(found == expected, "expected '" .. expected .. "', shot '" .. found .. "'")
end

return function()
  clear()
  set(-6, "nodes:plant")
  set(-4, "nodes:water")
  set(0, "nodes:glass")
  set(6, "nodes:stone")
  local object = minetest.add_entity(at(-2), "nodes:thing",
    minetest.serialize({-0.5, -0.5, -0.5, 0.5, 0.5, 0.5}))
  fractalray.update_objects()

  expect_shot("plant at -6, water at -4, object, glass at 0.", FROM, TO)
  expect_shot("plant at -6, water at -4, glass at 0.", FROM, TO, {objects = false})
  expect_shot("plant at -6, water at -4, glass at 0.", FROM, TO, {ignore = {object}})
  expect_shot("water at -4, object, glass at 0, stone at 6.", FROM, TO, {channel = "bullet"})
  expect_shot("plant at -6, water at -4 ...", FROM, TO, {max_hits = 2})
  expect_shot("plant at -6, water at -4, object, glass at 0.", FROM, at(0))
  expect_shot("", at(8), TO)
  expect_shot("stone at 6.", at(6), TO)  -- it starts inside

  local called = {}
  local function call(name, response)
    return function(pointed)
      called[#called + 1] = name
      expect(pointed.intersection_normal.x == -1, name .. " is not entered through -x")
      return response
    end
  end
  expect_shot("plant at -6, water at -4, object!", FROM, TO, {on_hit = {["group:soft"] = call("soft"),
    ["nodes:water"] = call("water"), object = call("object", "stop"), default = call("default")}})
  expect(table.concat(called, " ") == "soft water object", "called " .. table.concat(called, " "))

  -- Keys that no node has, of which the log has one warning each.
  for _ = 1, 2 do
    fractalray.shoot(FROM, TO, {on_hit = {["group:glas"] = false, ["default:stone"] = false}})
  end

  -- A callback that digs the wall: the shot goes through.
  expect_shot("plant at -6, water at -4, object, glass at 0, stone at 6.", FROM, TO, {
    on_hit = {["group:pane"] = function(pointed) minetest.dig_node(pointed.under) end}})
  -- One that builds ahead, and removes an object ahead.
  expect_shot("plant at -6, water at -4, stone at 4.", FROM, TO, {on_hit = {
    ["nodes:plant"] = function() set(4, "nodes:stone") object:remove() end}})

  -- One that changes mapblocks as a whole, of which the mod forgets its mirror: an explosion.
  expect_shot("plant at -6, water at -4, stone at 4.", FROM, TO, {on_hit = {
    ["nodes:water"] = function()
      local voxel_manip = VoxelManip(at(4), at(4))
      voxel_manip:set_data(voxel_manip:get_data())
      voxel_manip:write_to_map(false)
    end}})

  -- A raycast that continues after an object ahead is gone, and the mod knows it.
  local moth = minetest.add_entity(at(10), "nodes:thing",
    minetest.serialize({-0.5, -0.5, -0.5, 0.5, 0.5, 0.5}))
  fractalray.update_objects()
  local ray = fractalray.raycast(at(5), TO)
  expect(ray:next().name == "nodes:stone", "the ray does not begin with the stone")
  moth:remove()
  expect(ray:next() == nil, "the ray hits an object that is gone")

  local is_refused, reason = pcall(fractalray.shoot, FROM, TO, {chanel = "bullet"})
  expect(not is_refused and reason:find("unknown option of fractalray.shoot chanel", 1, true),
    "an unknown option is accepted")
  expect(not pcall(fractalray.shoot, FROM, {x = 0 / 0, y = 0, z = 0}), "NaN is accepted")
end
