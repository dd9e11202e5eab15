-- SPDX-License-Identifier: Apache-2.0
-- The world of the test, 27 mapblocks, and random numbers.
local world = {MIN = vector.new(-16, -16, -16), MAX = vector.new(31, 31, 31)}

local generator = PcgRandom(20260517)
-- Returns a random integer from `first` to `last`.
function world.integer(first, last) return generator:next(first, last) end

function world.node()
  return vector.new(world.integer(-16, 31), world.integer(-16, 31), world.integer(-16, 31))
end

-- The chance of each kind of node, in thousandths.
local CHANCES = {{"nodes:stone", 30}, {"nodes:glass", 5}, {"nodes:plant", 5}, {"nodes:water", 5},
  {"nodes:hidden", 5}}

-- Returns the name of a random node; most are air.
function world.name()
  local left = world.integer(0, 999)
  for _, chance in ipairs(CHANCES) do
    if left < chance[2] then return chance[1] end
    left = left - chance[2]
  end
  return "air"
end

function world.fill()
  local voxel_manip = VoxelManip(world.MIN, world.MAX)
  local data = voxel_manip:get_data()
  for i = 1, #data do data[i] = minetest.get_content_id(world.name()) end
  voxel_manip:set_data(data)
  voxel_manip:write_to_map(false)
end

function world.set(pos, name) minetest.set_node(pos, {name = name}) end

-- Sets each node of a box, `min` and `max` included.
function world.set_box(min, max, name)
  for z = min.z, max.z do
    for y = min.y, max.y do
      for x = min.x, max.x do world.set(vector.new(x, y, z), name) end
    end
  end
end

-- Half of all ends are multiples of 1/1024 of a node, which neither side rounds: lines along faces
-- and through edges and corners are among them. The others are any numbers.
local function coordinate(is_round)
  if is_round then return world.integer(-16 * 1024, 31 * 1024) / 1024 end
  return -16.5 + 48 * (world.integer(0, 2147483646) / 2147483647)
end

-- Returns a random segment.
function world.segment()
  local is_round = world.integer(0, 1) == 0
  local function point()
    return vector.new(coordinate(is_round), coordinate(is_round), coordinate(is_round))
  end
  return point(), point()
end

-- Returns a random segment through a node: its middle is at most 1 from the node's.
function world.segment_through(node)
  local function offset(reach) return world.integer(-reach * 1024, reach * 1024) / 1024 end
  local middle = vector.add(node, vector.new(offset(1), offset(1), offset(1)))
  local half = vector.new(offset(12), offset(12), offset(12))
  return vector.subtract(middle, half), vector.add(middle, half)
end

return world
