-- SPDX-License-Identifier: Apache-2.0
-- Notices changes of the map. Luanti 5.6 has no callback for every change: functions that change
-- nodes are wrapped, and what escapes them (fractalray_verify finds it) is found by re-reads.
local mirror, objects, open_file = ...

local getmetatable, ipairs, type = getmetatable, ipairs, type
local max_of, new_manip = math.max, VoxelManip
local byte, sub = string.byte, string.sub
local add, subtract, sort = vector.add, vector.subtract, vector.sort

-- Replaces a function by one that calls it, and then `after` with the same arguments.
local function wrap(owner, name, after)
  local original = owner[name]
  if not original then return end
  owner[name] = function(...)
    local result = original(...)
    after(...)
    return result
  end
end

for _, name in ipairs({"set_node", "add_node", "remove_node", "swap_node"}) do
  wrap(minetest, name, function(pos) mirror.update_node(pos) end)
end
wrap(minetest, "bulk_set_node", function(positions)
  for _, pos in ipairs(positions) do mirror.update_node(pos) end
end)
wrap(minetest, "delete_area", function(min, max)
  mirror.forget_box(sort(min, max))
end)

-- Returns the largest extent of a schematic in a file, nil if it is none: its size is in the first
-- bytes (minetest.read_schematic returns something else in 5.6.1).
local function read_reach(path)
  local file = open_file(path, "rb")
  local head = file and file:read(12)
  if file then file:close() end
  if not head or #head < 12 or sub(head, 1, 4) ~= "MTSM" then return nil end
  local reach = 0
  for axis = 0, 2 do
    local high, low = byte(head, 7 + 2 * axis, 8 + 2 * axis)
    reach = max_of(reach, 256 * high + low)
  end
  return reach
end

-- The largest that each file has had: Luanti keeps a schematic that it has read, whatever is written to
-- the file later.
local reach_of_file = {}
-- Returns the largest extent of a schematic, which is a table, the path of a file, or anything else that
-- Luanti takes; nil if it is not known.
local function reach_of(schematic)
  if type(schematic) == "table" and schematic.size then
    return max_of(schematic.size.x, schematic.size.y, schematic.size.z)
  end
  if type(schematic) ~= "string" then return nil end
  local reach = read_reach(schematic)
  if not reach then return nil end
  reach_of_file[schematic] = max_of(reach, reach_of_file[schematic] or 0)
  return reach_of_file[schematic]
end

-- A schematic may be rotated and centred: its largest extent, in all directions.
wrap(minetest, "place_schematic", function(pos, schematic)
  local reach = reach_of(schematic)
  if not reach then return mirror.forget_all() end
  mirror.forget_box(subtract(pos, reach), add(pos, reach))
end)
-- How far a tree of an L-system reaches is not known.
wrap(minetest, "spawn_tree", function() mirror.forget_all() end)

-- The methods of all VoxelManips, of which there is none before the map is there.
minetest.after(0, function()
  local methods = getmetatable(new_manip())
  local get_emerged_area = methods.get_emerged_area
  wrap(methods, "write_to_map", function(voxel_manip)
    mirror.forget_box(get_emerged_area(voxel_manip))
  end)
end)

minetest.register_on_placenode(function(pos) mirror.update_node(pos) end)
minetest.register_on_dignode(function(pos) mirror.update_node(pos) end)
-- Map generators also write to the mapblocks around those that they name: crowns of trees, caves.
local GENERATED_MARGIN = 16
minetest.register_on_generated(function(min, max)
  mirror.forget_box(subtract(min, GENERATED_MARGIN), add(max, GENERATED_MARGIN))
end)
minetest.register_on_liquid_transformed(function(positions)
  for _, pos in ipairs(positions) do mirror.update_node(pos) end
end)

local interval = tonumber(minetest.settings:get("fractalray.reread_interval")) or 0.5
local count = tonumber(minetest.settings:get("fractalray.reread_mapblocks")) or 4
local since = 0
minetest.register_globalstep(function(seconds)
  objects.next_step()
  since = since + seconds
  if interval == 0 or since < interval then return end
  since = 0
  mirror.reread_some(count)
end)
