-- SPDX-License-Identifier: Apache-2.0
-- The mirror of the loaded mapblocks. Node (x, y, z) is block (x, y, z) of the world, mapblock
-- (x, y, z) is chunk (x, y, z). The world reads the block types of a chunk from an array that is
-- kept here, so that a changed node costs a write and the refresh of one block.
--
-- A mapblock is read when a query first crosses it. Hooks (hooks.lua) take over single nodes, and
-- forget mapblocks of which many nodes have changed: the next query reads them again.
local fr, world, kinds = ...

-- What is computed here is where the arrays below are written to: see kinds.lua.
local floor, ceil, min_of = math.floor, math.ceil, math.min
local ipairs, tonumber, unpack, remove = ipairs, tonumber, unpack, table.remove
local get_node, get_node_or_nil = minetest.get_node, minetest.get_node_or_nil
local get_content_id = minetest.get_content_id
local new_manip, get_data = VoxelManip, nil
-- A method of VoxelManips, of which there is none before the map is there.
minetest.after(0, function() get_data = get_data or new_manip().get_data end)

local NODES = 16 * 16 * 16
local IGNORE = minetest.CONTENT_IGNORE
local MOST_SINGLE_REFRESHES = 64

local mirror = {edits = 0}  -- how often nodes were taken over and mapblocks forgotten
local mapblocks = {}  -- by key: {x, y, z, ids, position in order, is_blank}
local order = {}      -- all of them, for re-reads one after another
local data = {}       -- of the VoxelManip, used again

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

local function find(x, y, z)
  x, y, z = floor(x / 16), floor(y / 16), floor(z / 16)
  if is_in_map(x, y, z) then return mapblocks[key(x, y, z)] end
end

local function forget(mapblock)
  if not mapblock.is_blank then world:unload_chunk(0, mapblock.x, mapblock.y, mapblock.z) end
  mirror.edits = mirror.edits + 1
  mapblocks[key(mapblock.x, mapblock.y, mapblock.z)] = nil
  local last = remove(order)
  if last ~= mapblock then
    order[mapblock.position], last.position = last, mapblock.position
  end
end

-- Reads the block types of a mapblock into `ids`.
local function read_into(ids, x, y, z)
  local min = {x = 16 * x, y = 16 * y, z = 16 * z}
  local max = {x = min.x + 15, y = min.y + 15, z = min.z + 15}
  local manip = new_manip(min, max)
  get_data = get_data or manip.get_data
  get_data(manip, data)
  local type_of, add = kinds.type_of, kinds.add
  for i = 1, NODES do ids[i - 1] = type_of[data[i]] or add(data[i]) end
end

local function is_loaded(x, y, z)
  return get_node_or_nil({x = 16 * x, y = 16 * y, z = 16 * z}) ~= nil
end

-- Returns true for a mapblock of "ignore" alone: it is in memory, but has not been generated. It is
-- mirrored as one that is not loaded.
local function is_blank(ids)
  local ignore = kinds.type_of[IGNORE]
  for i = 0, NODES - 1 do
    if ids[i] ~= ignore then return false end
  end
  return true
end

local function load_chunk(mapblock)
  mapblock.is_blank = is_blank(mapblock.ids)
  if mapblock.is_blank then return false end
  world:load_chunk(0, mapblock.x, mapblock.y, mapblock.z, {borrow = mapblock.ids})
  return true
end

-- Mirrors a mapblock that the server has loaded. Returns false if it has not been generated.
local function add(x, y, z)
  local mapblock = {x = x, y = y, z = z, ids = fr.ffi.new("uint16_t[?]", NODES), position = #order + 1}
  read_into(mapblock.ids, x, y, z)
  order[#order + 1], mapblocks[key(x, y, z)] = mapblock, mapblock
  return load_chunk(mapblock)
end

local function refresh_index(mapblock, i)
  world:refresh_block(0, 16 * mapblock.x + i % 16, 16 * mapblock.y + floor(i / 16) % 16,
    16 * mapblock.z + floor(i / 256))
end

-- Reads a mirrored mapblock again and repairs the mirror. Returns the number of nodes that
-- differed; of a mapblock that the server has unloaded, 0, and it is forgotten.
local now = fr.ffi.new("uint16_t[?]", NODES)
local function reread(mapblock)
  if not is_loaded(mapblock.x, mapblock.y, mapblock.z) then
    forget(mapblock)
    return 0
  end
  read_into(now, mapblock.x, mapblock.y, mapblock.z)
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
  local is_changed = false
  for _, chunk in ipairs(missing) do is_changed = add(unpack(chunk)) or is_changed end
  return is_changed
end

-- Takes over a node that may have changed.
function mirror.update_node(pos)
  local x, y, z = node_coordinate(pos.x), node_coordinate(pos.y), node_coordinate(pos.z)
  local mapblock = find(x, y, z)
  if not mapblock then return end
  mirror.edits = mirror.edits + 1
  if mapblock.is_blank then return reread(mapblock) end
  local content_id = get_content_id(get_node({x = x, y = y, z = z}).name)
  mapblock.ids[x % 16 + 16 * (y % 16) + 256 * (z % 16)] =
    kinds.type_of[content_id] or kinds.add(content_id)
  world:refresh_block(0, x, y, z)
end

local function is_between(min, mapblock, max)
  return mapblock.x >= min.x and mapblock.x <= max.x and mapblock.y >= min.y and
    mapblock.y <= max.y and mapblock.z >= min.z and mapblock.z <= max.z
end

local function mapblock_at(pos)
  return {x = floor(pos.x / 16), y = floor(pos.y / 16), z = floor(pos.z / 16)}
end

-- Forgets the mapblocks of a box of nodes.
function mirror.forget_box(min, max)
  min, max = mapblock_at(min), mapblock_at(max)
  local mapblocks_in_box = (max.x - min.x + 1) * (max.y - min.y + 1) * (max.z - min.z + 1)
  if not (mapblocks_in_box <= #order) then
    for i = #order, 1, -1 do
      if is_between(min, order[i], max) then forget(order[i]) end
    end
    return
  end
  for z = min.z, max.z do
    for y = min.y, max.y do
      for x = min.x, max.x do
        local mapblock = is_in_map(x, y, z) and mapblocks[key(x, y, z)]
        if mapblock then forget(mapblock) end
      end
    end
  end
end

function mirror.forget_all()
  while #order > 0 do forget(order[#order]) end
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
-- were compared; stale_mapblocks, how many of them differed; nodes, how many nodes differed.
function mirror.verify()
  local found = {mapblocks = 0, stale_mapblocks = 0, nodes = 0}
  for i = #order, 1, -1 do
    local differing = reread(order[i])
    found.mapblocks = found.mapblocks + 1
    found.nodes = found.nodes + differing
    found.stale_mapblocks = found.stale_mapblocks + (differing > 0 and 1 or 0)
  end
  return found
end

return mirror
