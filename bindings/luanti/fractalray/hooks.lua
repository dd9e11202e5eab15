-- SPDX-License-Identifier: Apache-2.0
-- Notices changes of the map. Luanti 5.6 has no callback for every change: functions that change
-- nodes are wrapped, and what escapes them (fractalray_verify finds it) is found by re-reads.
local mirror, objects = ...

local getmetatable, ipairs, type = getmetatable, ipairs, type
local max_of, new_manip = math.max, VoxelManip
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

-- A schematic may be rotated and centred: its largest extent, in all directions. The size of one in a
-- file is not known (minetest.read_schematic returns something else in 5.6.1).
wrap(minetest, "place_schematic", function(pos, schematic)
  local size = type(schematic) == "table" and schematic.size
  if not size then return mirror.forget_all() end
  local reach = max_of(size.x, size.y, size.z)
  mirror.forget_box(subtract(pos, reach), add(pos, reach))
end)

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
minetest.register_on_generated(function(min, max) mirror.forget_box(min, max) end)
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
