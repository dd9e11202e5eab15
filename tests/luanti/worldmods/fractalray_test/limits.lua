-- SPDX-License-Identifier: Apache-2.0
-- Shows where the mod differs from Luanti by design: nodes are whole cubes. And that a change which
-- no hook notices is found.
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
  expect(is_at_node(first(minetest.raycast, from, to)), "Luanti misses the slab")
  expect(is_at_node(first(fractalray.raycast, from, to)), "fractalray misses the slab")
  from, to = line(0.25)
  expect(first(minetest.raycast, from, to) == nil, "Luanti hits above the slab")
  expect(is_at_node(first(fractalray.raycast, from, to)), "fractalray misses the slab's cube")
  minetest.remove_node(NODE)
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

local function check_unloaded()
  for _, beyond in ipairs({vector.new(20, 20, 200), vector.new(20, 20, -200)}) do
    local from = vector.new(20, 20, 20)
    local is_clear, pos = fractalray.line_of_sight(from, beyond)
    local _, expected = minetest.line_of_sight(from, beyond)
    expect(not is_clear and vector.equals(pos, expected),
      "an unloaded node does not block the sight: " .. minetest.pos_to_string(pos or from))
    expect(#fractalray.shoot(from, beyond, {stop_at_unloaded = true}) == 0, "a shot hits air")
  end
end

return function()
  -- The column of mapblocks that these lines cross is made empty first.
  for x = 18, 22 do minetest.remove_node(vector.new(x, NODE.y, NODE.z)) end
  for z = -16, 31 do minetest.remove_node(vector.new(20, 20, z)) end
  check_node_box()
  check_unnoticed_change()
  check_unloaded()
end
