-- SPDX-License-Identifier: Apache-2.0
-- The mirror of the loaded mapblocks. Node (x, y, z) is block (x, y, z) of the world, mapblock
-- (x, y, z) is chunk (x, y, z). The world reads the block types of a chunk from an array that is
-- kept here, so that a changed node costs a write and the refresh of one block.
--
-- A mapblock is read when a query first crosses it. Hooks (hooks.lua) take over single nodes, and
-- forget mapblocks of which many nodes have changed: the next query reads them again.
--
-- Types of nodes that grow towards their neighbours, such as fences, depend on these: they are computed
-- again when a node changes, for it and the six around it, and when a mapblock comes, goes or changes, for
-- it and the borders of those around it.
local fr, world, types = ...

-- What is computed here is where the arrays below are written to: see kinds.lua.
local floor, ceil, min_of = math.floor, math.ceil, math.min
local ipairs, tonumber, unpack, remove = ipairs, tonumber, unpack, table.remove
local get_node, get_node_or_nil = minetest.get_node, minetest.get_node_or_nil
local get_content_id = minetest.get_content_id
local new_manip, get_data, get_param2_data = VoxelManip, nil, nil
-- Methods of VoxelManips, of which there is none before the map is there.
local function find_methods(manip)
  get_data, get_param2_data = get_data or manip.get_data, get_param2_data or manip.get_param2_data
end
minetest.after(0, function() find_methods(new_manip()) end)

local NODES = 16 * 16 * 16
local IGNORE = minetest.CONTENT_IGNORE
local MOST_SINGLE_REFRESHES = 64
local MOST_MAPBLOCK = 1e6  -- an index; far beyond the map, where loops over numbers still end

local mirror = {edits = 0}  -- how often nodes were taken over and mapblocks forgotten
-- By key: {x, y, z, ids, position in order, is_blank, may_grow: false if no node of it grows}
local mapblocks = {}
local order = {}             -- all of them, for re-reads one after another
local data, param2 = {}, {}  -- of the VoxelManip, used again

local function key(x, y, z) return ((x + 32768) * 65536 + (y + 32768)) * 65536 + (z + 32768) end

-- Returns the coordinate of the node that a number lies in, as Luanti rounds it, of which it takes 16
-- bits: 65536 is the same as 0. Raises an error for anything but a number.
local function node_coordinate(x)
  x = x >= 0 and floor(x + 0.5) or ceil(x - 0.5)
  return (x + 32768) % 65536 - 32768
end

-- Returns true for a mapblock whose nodes have coordinates of 16 bits.
local function is_in_map(x, y, z)
  return x >= -2048 and x < 2048 and y >= -2048 and y < 2048 and z >= -2048 and z < 2048
end

local function mapblock_at(x, y, z) return is_in_map(x, y, z) and mapblocks[key(x, y, z)] or nil end

local function find(x, y, z) return mapblock_at(floor(x / 16), floor(y / 16), floor(z / 16)) end

-- Returns true for a node of a mapblock, counted from its first one.
local function is_inside(x, y, z)
  return x >= 0 and x < 16 and y >= 0 and y < 16 and z >= 0 and z < 16
end

local function index_of(x, y, z) return x % 16 + 16 * (y % 16) + 256 * (z % 16) end

local function refresh_index(mapblock, i)
  world:refresh_block(0, 16 * mapblock.x + i % 16, 16 * mapblock.y + floor(i / 16) % 16,
    16 * mapblock.z + floor(i / 256))
end

---- Connections ---------------------------------------------------------------------------------

-- The steps to the sides of a node, of which the first has the bit 1.
local STEPS = {{0, 1, 0}, {0, -1, 0}, {0, 0, -1}, {-1, 0, 0}, {0, 0, 1}, {1, 0, 0}}
local BITS = {1, 2, 4, 8, 16, 32}
-- By side, the border of a mapblock there: its first index, and the steps along it.
local BORDERS = {{240, 1, 256}, {0, 1, 256}, {0, 1, 16}, {0, 16, 256}, {3840, 1, 16}, {15, 16, 256}}
local OPPOSITE = {2, 1, 5, 6, 3, 4}

-- Returns the type of the node at a position, without connections if it is not mirrored; nil for one that is
-- not loaded.
local function type_at(x, y, z)
  local mapblock = find(x, y, z)
  if mapblock then return mapblock.ids[index_of(x, y, z)] end
  local node = get_node_or_nil({x = x, y = y, z = z})
  return node and types.of(get_content_id(node.name), node.param2)
end

-- Returns the type of node `i` of mapblock x, y, z, whose types are `ids`, with its connections. It is of a
-- node that grows.
local function connected_type(ids, i, x, y, z)
  local block_type, connections = ids[i], 0
  local known = types.growing[block_type]
  for side = 1, 6 do
    local step = STEPS[side]
    local in_x, in_y, in_z = i % 16 + step[1], floor(i / 16) % 16 + step[2], floor(i / 256) + step[3]
    local neighbor
    if is_inside(in_x, in_y, in_z) then
      neighbor = ids[index_of(in_x, in_y, in_z)]
    else
      neighbor = type_at(16 * x + in_x, 16 * y + in_y, 16 * z + in_z)
    end
    local does = known[side][neighbor]
    if does == nil and neighbor then does = types.connects(block_type, neighbor, side) end
    if does then connections = connections + BITS[side] end
  end
  return types.connected(block_type, connections)
end

-- Takes over the connections of a mirrored node, if it is one that grows.
local function reconnect(mapblock, i)
  local ids = mapblock.ids
  if not types.growing[ids[i]] then return end
  local connected = connected_type(ids, i, mapblock.x, mapblock.y, mapblock.z)
  if connected == ids[i] then return end
  ids[i] = connected
  refresh_index(mapblock, i)
  mirror.edits = mirror.edits + 1
end

local function reconnect_border(mapblock, side)
  local first, step, far_step = unpack(BORDERS[side])
  for i = 0, 15 do
    for j = 0, 15 do reconnect(mapblock, first + i * step + j * far_step) end
  end
end

-- Takes over the connections to a mapblock that has come, gone or changed.
local function reconnect_around(x, y, z)
  if not types.has_growing then return end
  for side = 1, 6 do
    local step = STEPS[side]
    local mapblock = mapblock_at(x + step[1], y + step[2], z + step[3])
    if mapblock and mapblock.may_grow then reconnect_border(mapblock, OPPOSITE[side]) end
  end
end

-- Takes over the connections of the six nodes around one that has changed, which is in the mapblock `here`,
-- nil if that is not mirrored.
local function reconnect_neighbors(here, x, y, z)
  local may_grow_here = here and here.may_grow
  for side = 1, 6 do
    local step = STEPS[side]
    local in_x, in_y, in_z = x % 16 + step[1], y % 16 + step[2], z % 16 + step[3]
    if not is_inside(in_x, in_y, in_z) then
      local mapblock = find(x + step[1], y + step[2], z + step[3])
      if mapblock and mapblock.may_grow then reconnect(mapblock, index_of(in_x, in_y, in_z)) end
    elseif may_grow_here then
      reconnect(here, index_of(in_x, in_y, in_z))
    end
  end
end

---- Mapblocks -----------------------------------------------------------------------------------

local function drop(mapblock)
  if not mapblock.is_blank then world:unload_chunk(0, mapblock.x, mapblock.y, mapblock.z) end
  mirror.edits = mirror.edits + 1
  mapblocks[key(mapblock.x, mapblock.y, mapblock.z)] = nil
  local last = remove(order)
  if last ~= mapblock then
    order[mapblock.position], last.position = last, mapblock.position
  end
end

local function forget(mapblock)
  drop(mapblock)
  reconnect_around(mapblock.x, mapblock.y, mapblock.z)
end

-- Reads the block types of a mapblock into `ids`. Returns true if any of its nodes grows.
local growing = {}  -- indices, used again
local function read_into(ids, x, y, z)
  local min = {x = 16 * x, y = 16 * y, z = 16 * z}
  local max = {x = min.x + 15, y = min.y + 15, z = min.z + 15}
  local manip = new_manip(min, max)
  if not get_data then find_methods(manip) end
  get_data(manip, data)
  local single, of, grows = types.single, types.of, types.growing
  local has_param2, count = false, 0
  for i = 1, NODES do
    local block_type = single[data[i]]
    if not block_type then
      if not has_param2 then
        get_param2_data(manip, param2)
        has_param2 = true
      end
      block_type = of(data[i], param2[i])
      if grows[block_type] then
        count = count + 1
        growing[count] = i - 1
      end
    end
    ids[i - 1] = block_type
  end
  for i = 1, count do ids[growing[i]] = connected_type(ids, growing[i], x, y, z) end
  return count > 0
end

local function is_loaded(x, y, z)
  return get_node_or_nil({x = 16 * x, y = 16 * y, z = 16 * z}) ~= nil
end

-- Returns true for a mapblock of "ignore" alone: it is in memory, but has not been generated. It is
-- mirrored as one that is not loaded.
local function is_blank(ids)
  local ignore = types.of(IGNORE, 0)
  for i = 0, NODES - 1 do
    if ids[i] ~= ignore then return false end
  end
  return true
end

local function load_chunk(mapblock)
  local was_loaded = mapblock.is_blank == false
  mapblock.is_blank = is_blank(mapblock.ids)
  if mapblock.is_blank then
    if was_loaded then world:unload_chunk(0, mapblock.x, mapblock.y, mapblock.z) end
    return
  end
  world:load_chunk(0, mapblock.x, mapblock.y, mapblock.z, {borrow = mapblock.ids})
end

-- Mirrors a mapblock that the server has loaded.
local function add(x, y, z)
  local mapblock = {x = x, y = y, z = z, ids = fr.ffi.new("uint16_t[?]", NODES), position = #order + 1}
  mapblock.may_grow = read_into(mapblock.ids, x, y, z)
  order[#order + 1], mapblocks[key(x, y, z)] = mapblock, mapblock
  load_chunk(mapblock)
  reconnect_around(x, y, z)
end

-- Reads a mirrored mapblock again and repairs the mirror. Returns the number of nodes that
-- differed; of a mapblock that the server has unloaded, 0, and it is forgotten.
local now = fr.ffi.new("uint16_t[?]", NODES)
local function reread(mapblock)
  if not is_loaded(mapblock.x, mapblock.y, mapblock.z) then
    forget(mapblock)
    return 0
  end
  mapblock.may_grow = read_into(now, mapblock.x, mapblock.y, mapblock.z)
  local ids, differing = mapblock.ids, {}
  for i = 0, NODES - 1 do
    if ids[i] ~= now[i] then
      differing[#differing + 1] = i
      ids[i] = now[i]
    end
  end
  if mapblock.is_blank or #differing > MOST_SINGLE_REFRESHES then
    if #differing > 0 then load_chunk(mapblock) end
  else
    for _, i in ipairs(differing) do refresh_index(mapblock, i) end
  end
  if #differing > 0 then reconnect_around(mapblock.x, mapblock.y, mapblock.z) end
  return #differing
end

-- Mirrors what is missing of the loaded mapblocks on a line: all of it, or the first `most`. Returns
-- true if there was any.
function mirror.complete(line, most)
  local missing = {}
  for chunk in world:chunks_on(line) do
    local x, y, z = tonumber(chunk.chunk[0]), tonumber(chunk.chunk[1]), tonumber(chunk.chunk[2])
    if chunk.state == fr.C.FR_ABSENT and is_in_map(x, y, z) and not mapblocks[key(x, y, z)]
      and is_loaded(x, y, z) then
      missing[#missing + 1] = {x, y, z}
      if #missing == most then break end
    end
  end
  for _, chunk in ipairs(missing) do add(unpack(chunk)) end
  return #missing > 0
end

-- Mirrors what is missing of the loaded mapblocks that touch a box of the world, between two corners within
-- the map or near it. Returns true if there was any.
function mirror.complete_box(low, high)
  local first, last = {}, {}
  for axis = 1, 3 do
    -- One that only touches the lower side counts.
    first[axis], last[axis] = ceil(low[axis] / 16) - 1, floor(high[axis] / 16)
    if not (first[axis] >= -MOST_MAPBLOCK and last[axis] <= MOST_MAPBLOCK) then return false end
  end
  local is_changed = false
  for z = first[3], last[3] do
    for y = first[2], last[2] do
      for x = first[1], last[1] do
        if is_in_map(x, y, z) and not mapblocks[key(x, y, z)] and is_loaded(x, y, z) then
          add(x, y, z)
          is_changed = true
        end
      end
    end
  end
  return is_changed
end

local function take_over(mapblock, x, y, z)
  mirror.edits = mirror.edits + 1
  if mapblock.is_blank then return reread(mapblock) end
  local node = get_node({x = x, y = y, z = z})
  local ids, i = mapblock.ids, index_of(x, y, z)
  ids[i] = types.of(get_content_id(node.name), node.param2)
  if types.growing[ids[i]] then
    mapblock.may_grow = true
    ids[i] = connected_type(ids, i, mapblock.x, mapblock.y, mapblock.z)
  end
  world:refresh_block(0, x, y, z)
end

-- Takes over a node that may have changed.
function mirror.update_node(pos)
  local x, y, z = node_coordinate(pos.x), node_coordinate(pos.y), node_coordinate(pos.z)
  local mapblock = find(x, y, z)
  if mapblock then take_over(mapblock, x, y, z) end
  if types.has_growing then reconnect_neighbors(mapblock, x, y, z) end
end

local function is_between(min, mapblock, max)
  return mapblock.x >= min.x and mapblock.x <= max.x and mapblock.y >= min.y and
    mapblock.y <= max.y and mapblock.z >= min.z and mapblock.z <= max.z
end

local function mapblock_of(pos)
  return {x = floor(pos.x / 16), y = floor(pos.y / 16), z = floor(pos.z / 16)}
end

-- Returns the mirrored mapblocks of a box of mapblocks.
local function mirrored_in(min, max)
  local found = {}
  local mapblocks_in_box = (max.x - min.x + 1) * (max.y - min.y + 1) * (max.z - min.z + 1)
  if not (mapblocks_in_box <= #order) then
    for _, mapblock in ipairs(order) do
      if is_between(min, mapblock, max) then found[#found + 1] = mapblock end
    end
    return found
  end
  for z = min.z, max.z do
    for y = min.y, max.y do
      for x = min.x, max.x do found[#found + 1] = mapblock_at(x, y, z) end
    end
  end
  return found
end

-- Returns the coordinates of the mapblocks next to those of a range, a step away: the range if it is 0.
local function range_at(step, min, max)
  if step == 0 then return min, max end
  local beyond = step > 0 and max + 1 or min - 1
  return beyond, beyond
end

-- Takes over the connections to a box of mapblocks that has changed, mirrored or not.
local function reconnect_around_box(min, max)
  if not types.has_growing then return end
  for side = 1, 6 do
    local step, first, last = STEPS[side], {}, {}
    first.x, last.x = range_at(step[1], min.x, max.x)
    first.y, last.y = range_at(step[2], min.y, max.y)
    first.z, last.z = range_at(step[3], min.z, max.z)
    for _, mapblock in ipairs(mirrored_in(first, last)) do
      if mapblock.may_grow then reconnect_border(mapblock, OPPOSITE[side]) end
    end
  end
end

-- Forgets the mapblocks of a box of nodes, in which any may have changed.
function mirror.forget_box(min, max)
  min, max = mapblock_of(min), mapblock_of(max)
  for _, mapblock in ipairs(mirrored_in(min, max)) do drop(mapblock) end
  reconnect_around_box(min, max)
end

function mirror.forget_all()
  while #order > 0 do drop(order[#order]) end
end

-- Reads the next `count` mapblocks again, each once before the first is read a second time.
local next_reread = 0
function mirror.reread_some(count)
  for _ = 1, min_of(count, #order) do
    next_reread = next_reread % #order + 1
    reread(order[next_reread])
    if #order == 0 then return end
  end
end

-- Reads all mirrored mapblocks again and repairs the mirror. Returns a table: mapblocks, how many
-- were compared; stale_mapblocks, how many of them differed; nodes, how many nodes differed; types, how
-- many block types there are; cut_types, how many have boxes that are cut at their node.
function mirror.verify()
  local found = {mapblocks = 0, stale_mapblocks = 0, nodes = 0}
  for i = #order, 1, -1 do
    local differing = reread(order[i])
    found.mapblocks = found.mapblocks + 1
    found.nodes = found.nodes + differing
    found.stale_mapblocks = found.stale_mapblocks + (differing > 0 and 1 or 0)
  end
  found.types, found.cut_types = types.count, types.cut
  return found
end

return mirror
