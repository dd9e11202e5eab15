-- SPDX-License-Identifier: Apache-2.0
-- Shows what shapes mean in each channel, and where they end. And that a change which no hook notices is
-- found.
local expect = ...

local NODE = vector.new(20, 28, -12)

local function first(raycast, from, to)
  local pointed = raycast(from, to, false, false):next()
  return pointed and pointed.under
end

local function is_at_node(pos) return pos ~= nil and vector.equals(pos, NODE) end

local function check_node_box()
  minetest.set_node(NODE, {name = "nodes:slab"})
  local function line(height)
    return vector.add(NODE, vector.new(-1, height, 0)), vector.add(NODE, vector.new(1, height, 0))
  end
  local from, to = line(-0.25)
  for name, raycast in pairs({Luanti = minetest.raycast, fractalray = fractalray.raycast}) do
    expect(is_at_node(first(raycast, from, to)), name .. " misses the slab")
  end
  from, to = line(0.25)
  for name, raycast in pairs({Luanti = minetest.raycast, fractalray = fractalray.raycast}) do
    expect(first(raycast, from, to) == nil, name .. " hits above the slab")
  end
  expect(#fractalray.shoot(from, to) == 0, "a shot hits above the slab")
  expect(not fractalray.line_of_sight(from, to) and not minetest.line_of_sight(from, to),
    "the slab is no whole cube to a line of sight")
  for channel, is_free in pairs({selection = true, bullet = true, collision = true, sight = false}) do
    expect(fractalray.line_of_sight(from, to, channel) == is_free,
      channel .. ": the way above the slab is " .. (is_free and "blocked" or "free"))
  end
  minetest.remove_node(NODE)
end

-- The bed reaches half a node beyond its own, where it is cut off.
local function check_cut()
  local before = fractalray.verify()
  minetest.set_node(NODE, {name = "nodes:bed", param2 = 2})
  local after = fractalray.verify()
  expect(after.cut_types == before.cut_types + 1 and after.types == before.types + 1,
    after.cut_types .. " of " .. after.types .. " types are cut")
  local function down(z)
    return first(fractalray.raycast, vector.add(NODE, vector.new(0, 1, z)), vector.add(NODE, vector.new(0, -1, z)))
  end
  expect(is_at_node(down(-0.25)) and not is_at_node(down(-0.75)), "the bed is not cut at its node")
  minetest.remove_node(NODE)
end

-- Returns what the command that writes definitions says, and what is in the file.
local function write_definitions()
  local _, text = minetest.registered_chatcommands.fractalray_definitions.func("admin", "")
  local file = io.open(minetest.get_worldpath() .. "/nodedefs.jsonl")
  local lines = file and file:read("*a") or ""
  if file then file:close() end
  return text, lines
end

local function check_definitions()
  local aliases, nodes = minetest.registered_aliases, minetest.registered_nodes
  aliases["nodes:old_slab"], aliases["nodes:old_nothing"] = "nodes:slab", "nodes:nothing"
  local text, lines = write_definitions()
  local count, old = 0, 0
  for _ in pairs(nodes) do count = count + 1 end
  for name, node in pairs(aliases) do
    if rawget(nodes, node) and not rawget(nodes, name) then old = old + 1 end
  end
  expect(text:find(count .. " definitions are written", 1, true) == 1 and text:find("; 1 of them have", 1, true),
    "the command says " .. text)
  local _, breaks = lines:gsub("\n", "")
  expect(breaks == count + old and lines:find('"name":"nodes:slab"', 1, true) ~= nil,
    breaks .. " lines of definitions")
  expect(lines:find('{"alias":"nodes:slab","name":"nodes:old_slab"}', 1, true) ~= nil
    and not lines:find("old_nothing", 1, true), "old names are not written")
  local path = minetest.get_worldpath() .. "/nodedefs.jsonl"
  os.remove(path)
  minetest.mkdir(path)
  expect(write_definitions():find("Nothing is written: " .. path, 1, true) == 1, "a folder is written to")
  minetest.rmdir(path)
  write_definitions()
end

local function check_unnoticed_change()
  earlier.set_node(NODE, {name = "nodes:stone"})
  local found = fractalray.verify()
  expect(found.nodes == 1 and found.stale_mapblocks == 1,
    "verify found " .. found.nodes .. " stale nodes instead of 1")
  expect(fractalray.verify().nodes == 0, "verify has not repaired the mirror")
  minetest.remove_node(NODE)
  local is_fine, text = minetest.registered_chatcommands.fractalray_verify.func("admin", "")
  expect(is_fine and text:find("0 nodes in 0 mapblocks", 1, true), "the command says " .. text)
end

-- A schematic in a file has its size in the first bytes: what is far away from it stays mirrored.
local function check_schematic_file()
  local path = minetest.get_worldpath() .. "/tree.mts"
  minetest.set_node(NODE, {name = "nodes:stone"})
  minetest.create_schematic(NODE, vector.add(NODE, 1), {}, path)
  local before = fractalray.verify().mapblocks
  minetest.place_schematic(vector.add(NODE, vector.new(0, 0, 2)), path, "0", nil, true)
  local left = fractalray.verify().mapblocks
  expect(left > before - 9 and before > 12, left .. " of " .. before .. " mapblocks stay mirrored")
  expect(not fractalray.line_of_sight(NODE, vector.add(NODE, vector.new(0, 0, 2))),
    "the placed schematic is not seen")
  -- One of an unknown size may have changed everything.
  minetest.place_schematic(NODE, minetest.get_worldpath() .. "/no_such.mts")
  expect(fractalray.verify().mapblocks == 0, "a schematic of an unknown size leaves mapblocks mirrored")
end

-- A shot mirrors no mapblocks far beyond the wall that ends it; one that digs the wall away does.
local function check_way()
  local from, wall, to = vector.new(20, -14, 20), vector.new(20, -12, 20), vector.new(20, 28, 20)
  for y = from.y, to.y do minetest.remove_node(vector.new(20, y, 20)) end
  for _, y in ipairs({wall.y, 25}) do minetest.set_node(vector.new(20, y, 20), {name = "nodes:stone"}) end
  local hits, ended_by = fractalray.shoot(from, to)
  expect(#hits == 1 and ended_by == "node", "the wall does not end the shot")
  local on_way = fractalray.verify().mapblocks
  hits, ended_by = fractalray.shoot(from, to, {on_hit = function(pointed)
    if pointed.under.y == wall.y then minetest.remove_node(pointed.under) end
  end})
  expect(#hits == 2 and ended_by == "node" and hits[2].under.y == 25, "the second wall does not end the shot")
  local on_both = fractalray.verify().mapblocks
  expect(on_way == 1 and on_both == 3, "a shot mirrors " .. on_way .. " mapblocks to the first wall, "
    .. on_both .. " to the second")
end

local function check_unloaded()
  for _, beyond in ipairs({vector.new(20, 20, 200), vector.new(20, 20, -200)}) do
    local from = vector.new(20, 20, 20)
    local is_clear, pos = fractalray.line_of_sight(from, beyond)
    local _, expected = minetest.line_of_sight(from, beyond)
    expect(not is_clear and vector.equals(pos, expected),
      "an unloaded node does not block the sight: " .. minetest.pos_to_string(pos or from))
    local hits, ended_by, where = fractalray.shoot(from, beyond, {stop_at_unloaded = true})
    expect(#hits == 0 and ended_by == "unloaded" and vector.equals(where, expected),
      ("a shot does not end where the map is not loaded: %d hits, %s at %s"):format(#hits,
      tostring(ended_by), where and minetest.pos_to_string(where) or "?"))
    hits, ended_by, where = fractalray.shoot(from, beyond)
    expect(#hits == 0 and ended_by == false and where == nil, "a shot ends in the air")
  end
end

return function()
  -- The column of mapblocks that these lines cross is made empty first.
  for x = 18, 22 do minetest.remove_node(vector.new(x, NODE.y, NODE.z)) end
  for z = -16, 31 do minetest.remove_node(vector.new(20, 20, z)) end
  check_node_box()
  check_cut()
  check_definitions()
  check_unnoticed_change()
  check_unloaded()
  check_schematic_file()
  check_way()
end
