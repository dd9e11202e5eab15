-- SPDX-License-Identifier: Apache-2.0
-- Edits the map in every way that a mod has, and compares segments through each edit right after it,
-- and random ones after all.
local report, random, compare, expect = ...

local EDITS = 500
local SEGMENTS_EACH = 10

local function near(node, reach)
  local function offset() return random.integer(-reach, reach) end
  return vector.add(node, vector.new(offset(), offset(), offset()))
end

-- Returns the nodes that have changed, at least.
local ways = {
  function(node) minetest.set_node(node, {name = random.name()}) end,
  function(node) minetest.add_node(node, {name = "nodes:stone"}) end,
  function(node) minetest.swap_node(node, {name = random.name()}) end,
  function(node) minetest.remove_node(node) end,
  function(node) minetest.place_node(node, {name = "nodes:glass"}) end,
  function(node) minetest.dig_node(node) end,
  function(node)
    local nodes = {}
    for i = 1, 20 do nodes[i] = near(node, 6) end
    minetest.bulk_set_node(nodes, {name = random.name()})
  end,
  function(node)
    local voxel_manip = VoxelManip(node, vector.add(node, 3))
    local data = voxel_manip:get_data()
    for _ = 1, 20 do data[random.integer(1, #data)] = minetest.get_content_id(random.name()) end
    voxel_manip:set_data(data)
    voxel_manip:write_to_map(false)
  end,
  function(node)
    local stone, air = {name = "nodes:stone"}, {name = "air"}
    minetest.place_schematic(node, {size = vector.new(2, 1, 2), data = {stone, air, air, stone}},
      "random", nil, true)
  end,
}

return function()
  for i = 1, EDITS do
    local node = random.node()
    ways[(i - 1) % #ways + 1](node)
    report.edits = report.edits + 1
    compare.segments(SEGMENTS_EACH, random.segment_through, node)
  end
  compare.segments(20000, random.segment)
  local found = fractalray.verify()
  expect(found.mapblocks >= 27, "verify compared only " .. found.mapblocks .. " mapblocks")
  expect(found.nodes == 0, "after the edits " .. found.nodes .. " nodes of the mirror differ")
end
