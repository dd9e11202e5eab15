-- SPDX-License-Identifier: Apache-2.0
-- Worlds of the LuaJIT module: block types, chunks, blocks, entities, moves of the frame. A part of
-- fractalray.lua, which loads it.
local error, ipairs, pairs, pcall = error, ipairs, pairs, pcall
local setmetatable = setmetatable
local tonumber, type = tonumber, type
local format = string.format
return function(fr)

local ffi, C, check, index = fr.ffi, fr.C, fr.check, fr.index
local KINDS = {solid = C.FR_SOLID, permeable = C.FR_PERMEABLE, empty = C.FR_EMPTY}
local STATES = {[C.FR_ABSENT] = "absent", [C.FR_PROTO] = "proto", [C.FR_LOADED] = "loaded"}

local World = {}
World.__index = World
fr.World = World

local function wrapped(handle)
  -- `borrowed` keeps the arrays of borrowed chunks alive while they are loaded.
  return setmetatable({handle = ffi.gc(handle, C.frDestroyWorld), borrowed = {}}, World)
end

-- Makes an empty world. Options: levels (default 1), anchor (a path; default the root).
function fr.world(options)
  options = options or {}
  fr.check_members(options, {levels = true, anchor = true}, "option of a world")
  local def = fr.sized("frWorldDef")
  def.version = C.FR_VERSION
  def.levels = fr.integer(options.levels or 1, "levels", 1, C.FR_MAX_LEVELS)
  def.anchor = options.anchor and fr.text(options.anchor, "anchor")
  local out = ffi.new("frWorld*[1]")
  check(C.frCreateWorld(def, out))
  return wrapped(out[0])
end

-- Returns an immutable world with the content of this one as it is now.
function World:snapshot()
  local out = ffi.new("frWorld*[1]")
  check(C.frWorld_Snapshot(self.handle, out))
  return wrapped(out[0])
end

function World:levels()
  local levels = ffi.new("int32_t[1]")
  check(C.frWorld_GetLevels(self.handle, levels))
  return levels[0]
end

---- Block types ---------------------------------------------------------------------------------

-- Returns the number of the channel of that name, added if it is new.
function World:add_channel(name)
  local channel = ffi.new("frChannel[1]")
  check(C.frWorld_AddChannel(self.handle, fr.text(name, "name"), channel))
  return channel[0]
end

-- Returns the number of the shape that is the union of boxes; 0, the whole cube, for nil.
local function shape_of(world, boxes)
  if boxes == nil then return 0 end
  local numbers = ffi.new("double[?]", 6 * #boxes + 1)
  for i, box in ipairs(boxes) do
    if type(box) ~= "table" or #box ~= 6 then
      error("a box of a shape has six numbers: x0, y0, z0, x1, y1, z1", 3)
    end
    for j = 1, 6 do numbers[6 * (i - 1) + j - 1] = fr.number(box[j], "a box's coordinate") end
  end
  local shape = ffi.new("frShape[1]")
  check(C.frWorld_AddShape(world.handle, numbers, #boxes, shape), 3)
  return shape[0]
end

-- Adds a block type and returns its number. `kind` is "solid" (the default), "permeable" or
-- "empty"; channel_kinds has other kinds by the names of channels. `boxes` is the shape of blocks
-- that do not fill their cube: a list of {x0, y0, z0, x1, y1, z1} in fractions of the block's width;
-- channel_boxes has other shapes by the names of channels.
function World:add_block_type(name, kind, channel_kinds, boxes, channel_boxes)
  channel_kinds, channel_boxes = channel_kinds or {}, channel_boxes or {}
  local shape = shape_of(self, boxes)
  local numbers, kinds, shapes = {}, {}, {}
  local function add(channel)
    numbers[#numbers + 1] = self:add_channel(channel)
    kinds[#kinds + 1] = fr.choice(KINDS, channel_kinds[channel] or kind or "solid", "kind")
    local own = channel_boxes[channel]
    shapes[#shapes + 1] = own ~= nil and shape_of(self, own) or shape
  end
  for channel in pairs(channel_kinds) do add(channel) end
  for channel in pairs(channel_boxes) do
    if channel_kinds[channel] == nil then add(channel) end
  end
  local def = fr.sized("frBlockTypeDef")
  local channels = ffi.new("frChannel[?]", #numbers + 1, numbers)
  local kinds_there = ffi.new("int32_t[?]", #kinds + 1, kinds)
  local shapes_there = ffi.new("frShape[?]", #shapes + 1, shapes)
  def.name, def.kind = fr.text(name, "name"), fr.choice(KINDS, kind or "solid", "kind")
  def.channels, def.channel_kinds, def.channel_count = channels, kinds_there, #numbers
  def.shape, def.channel_shapes = shape, shapes_there
  local out = ffi.new("frBlockType[1]")
  check(C.frWorld_AddBlockType(self.handle, def, out))
  return out[0]
end

-- Returns the number of a block type; raises NOT_FOUND if there is none of that name.
function World:find_block_type(name)
  local out = ffi.new("frBlockType[1]")
  check(C.frWorld_FindBlockType(self.handle, fr.text(name, "name"), out))
  return out[0]
end

local function text_of(get)
  local length = ffi.new("size_t[1]")
  check(get(nil, 0, length), 3)
  local size = tonumber(length[0]) + 1
  local bytes = ffi.new("char[?]", size)
  check(get(bytes, size, length), 3)
  return ffi.string(bytes, length[0])
end

function World:block_type_name(block_type)
  local number = fr.block_type(block_type)
  return text_of(function(...) return C.frWorld_GetBlockTypeName(self.handle, number, ...) end)
end

---- Chunks and blocks ---------------------------------------------------------------------------

local function key_of(level, x, y, z) return format("%d:%d:%d:%d", level, x, y, z) end

-- Keeps the array from which a chunk is borrowed; nil for a chunk that is not.
local function lend(borrowed, level, x, y, z, ids)
  borrowed[key_of(level, x, y, z)] = ids and {level = level, x = x, y = y, z = z, ids = ids}
end

-- Loads or replaces a chunk. `content` is
--   nil                     air
--   a block type            all blocks are of that type
--   uint16_t[4096]          copied; block (x, y, z) of the chunk is element x + 16 y + 256 z
--   {borrow = uint16_t[4096]}   read in place: call refresh_block after writing to it. With
--                           writable = true, set_block writes to it.
function World:load_chunk(level, x, y, z, content)
  local def = fr.sized("frChunkDef")
  def.chunk = index(x, y, z)
  local borrowed
  if type(content) == "cdata" then
    def.source, def.ids = C.FR_CHUNK_COPY, fr.array(content, "uint16_t", 4096, "content")
  elseif type(content) == "table" then
    fr.check_members(content, {borrow = true, writable = true}, "member of a chunk")
    borrowed = fr.array(content.borrow, "uint16_t", 4096, "borrow")
    def.source = content.writable and C.FR_CHUNK_BORROW_FOR_WRITING or C.FR_CHUNK_BORROW
    def.ids = borrowed
  else
    def.source, def.uniform = C.FR_CHUNK_UNIFORM, fr.block_type(content or C.FR_AIR)
  end
  -- Everything that may fail comes before the load, so that no array is freed that the world reads.
  local at = fr.level(level)
  local lent, key = self.borrowed, key_of(tonumber(at), tonumber(x), tonumber(y), tonumber(z))
  local earlier = lent[key]
  if borrowed then lend(lent, tonumber(at), tonumber(x), tonumber(y), tonumber(z), borrowed) end
  local result = C.frWorld_LoadChunks(self.handle, at, def, 1)
  if result ~= C.FR_OK then lent[key] = earlier elseif not borrowed then lent[key] = nil end
  check(result)
end

-- Returns a layout of the ids of a box that is `width` and `height` wide along x and y, x first.
local function layout_of(id_bytes, width, height, types)
  local def = fr.sized("frIdLayoutDef")
  def.id_bytes = id_bytes
  def.strides[0], def.strides[1], def.strides[2] = id_bytes, id_bytes * width, id_bytes * width * height
  local table_of_types
  if types then
    table_of_types = ffi.new("frBlockType[?]", #types + 1)
    for id = 0, #types do table_of_types[id] = fr.block_type(types[id], 4) end
    def.types, def.type_count = table_of_types, #types + 1
  end
  local out = ffi.new("frIdLayout*[1]")
  check(C.frCreateIdLayout(def, out), 4)
  return ffi.gc(out[0], C.frDestroyIdLayout)
end

local ID_BYTES = {uint8_t = 1, uint16_t = 2, uint32_t = 4}
local Untyped = ffi.typeof("void*")
-- Returns the name of the elements of an array of ids.
local function element_of(ids)
  for element in pairs(ID_BYTES) do
    local pointer = ffi.new("const " .. element .. "*[1]")
    -- A pointer to void would become one to any of them.
    if type(ids) == "cdata" and not ffi.istype(Untyped, ids)
      and pcall(function() pointer[0] = ids end) then
      return element
    end
  end
  return "uint8_t, uint16_t or uint32_t"
end

-- Copies the blocks of a box of any size, from (x0, y0, z0) to (x1, y1, z1), both included. `ids` is an
-- array of uint8_t, uint16_t or uint32_t, x first, then y: that of (x0, y0, z0) is its first element.
-- `types` has the block type of each id, {[0] = fr.AIR, stone, ...}; nil if ids are block types. Chunks
-- that the box covers in part keep their other blocks.
function World:load_box(level, x0, y0, z0, x1, y1, z1, ids, types)
  local at, high = fr.level(level), ffi.new("int64_t[3]")
  ffi.copy(high, index(x1, y1, z1), ffi.sizeof(high))
  local low = index(x0, y0, z0)
  local width, height, depth = high[0] - low[0] + 1, high[1] - low[1] + 1, high[2] - low[2] + 1
  local element = element_of(ids)
  local is_box = width > 0 and height > 0 and depth > 0
  if not ID_BYTES[element] then fr.refuse_array(ids, element, "ids") end
  fr.array(ids, element, is_box and width * height * depth or 0, "ids")
  local layout = layout_of(ID_BYTES[element], width, height, types)
  check(C.frWorld_LoadBoxIds(self.handle, at, low, high, layout, ids))
end

-- Adds a placeholder for a chunk whose content is yet to come.
function World:load_proto_chunk(level, x, y, z)
  check(C.frWorld_LoadProtoChunk(self.handle, fr.level(level), index(x, y, z)))
end

function World:unload_chunk(level, x, y, z)
  local at, chunk = fr.level(level), index(x, y, z)
  local key = key_of(tonumber(at), tonumber(x), tonumber(y), tonumber(z))
  check(C.frWorld_UnloadChunk(self.handle, at, chunk))
  self.borrowed[key] = nil
end

-- Returns "loaded", "proto" or "absent".
local chunk_info = ffi.new("frChunkInfo")
function World:chunk_state(level, x, y, z)
  check(C.frWorld_GetChunk(self.handle, fr.level(level), index(x, y, z), chunk_info))
  return STATES[chunk_info.state]
end

-- Loads the chunk of the next finer level that a block expands into.
function World:expand_block(level, x, y, z)
  check(C.frWorld_ExpandBlock(self.handle, fr.level(level), index(x, y, z)))
end

local type_out = ffi.new("frBlockType[1]")
function World:get_block(level, x, y, z)
  check(C.frWorld_GetBlock(self.handle, fr.level(level), index(x, y, z), type_out))
  return type_out[0]
end

function World:set_block(level, x, y, z, block_type)
  check(C.frWorld_SetBlock(self.handle, fr.level(level), index(x, y, z), fr.block_type(block_type)))
end

-- Reads a block of a borrowed chunk again, after its id was written.
function World:refresh_block(level, x, y, z)
  check(C.frWorld_RefreshBlock(self.handle, fr.level(level), index(x, y, z)))
end

-- Sets all blocks from (x0, y0, z0) to (x1, y1, z1), both included.
local max = ffi.new("int64_t[3]")
function World:fill_box(level, x0, y0, z0, x1, y1, z1, block_type)
  ffi.copy(max, index(x1, y1, z1), ffi.sizeof(max))
  check(C.frWorld_FillBox(self.handle, fr.level(level), index(x0, y0, z0), max,
    fr.block_type(block_type)))
end

---- Entities ------------------------------------------------------------------------------------

local ENTITY = {id = true, position = true, radius = true, half_extents = true, level = true,
  categories = true, class = true}

-- Adds an entity and returns its handle. Members of `def`: id, position (a list of three numbers),
-- radius of a sphere or half_extents (a list) of a box, and optionally level (0), categories (1),
-- class (0).
function World:add_entity(def)
  fr.check_members(def, ENTITY, "member of an entity")
  local c = fr.sized("frEntityDef")
  c.level, c.id = fr.level(def.level or 0), fr.id(def.id, "id")
  c.categories = fr.id(def.categories or 1, "categories")
  c.entity_class = fr.integer(def.class or 0, "class", 0, 0xffffffff)
  fr.numbers(def.position, "position", 3, c.position)
  if def.radius then
    c.shape, c.half_extents[0] = C.FR_SPHERE, fr.number(def.radius, "radius")
  elseif def.half_extents then
    c.shape = C.FR_BOX
    fr.numbers(def.half_extents, "half_extents", 3, c.half_extents)
  else
    error("fractalray: an entity has neither a radius nor half_extents; give one of them", 2)
  end
  local entity = ffi.new("frEntity[1]")
  check(C.frWorld_AddEntities(self.handle, c, 1, entity))
  if def.categories == 0 then
    -- A new entity with 0 would be of category 1.
    check(C.frWorld_UpdateEntities(self.handle, entity, c, C.FR_SET_CATEGORIES, 1))
  end
  return entity[0]
end

-- Moves an entity, to a position of its centre.
local moved = ffi.new("frEntity[1]")
local position = ffi.new("double[3]")
local positions = ffi.new("frVectors")
positions.data = position
function World:move_entity(entity, x, y, z)
  moved[0] = fr.id(entity, "entity")
  position[0], position[1] = fr.number(x, "x"), fr.number(y, "y")
  position[2] = fr.number(z, "z")
  check(C.frWorld_MoveEntities(self.handle, moved, positions, 1))
end

function World:remove_entity(entity)
  moved[0] = fr.id(entity, "entity")
  check(C.frWorld_RemoveEntities(self.handle, moved, 1))
end

-- Puts crowds in order, after the moves of a tick: many queries of them then take less time. Returns the number of
-- crowded chunks that have changed since the last call. No answer depends on it.
local changed = ffi.new("size_t[1]")
function World:optimize_entities()
  check(C.frWorld_OptimizeEntities(self.handle, changed))
  return tonumber(changed[0])
end

-- Returns the handle of the living entity with an id; raises NOT_FOUND if there is none.
function World:find_entity(id)
  local entity = ffi.new("frEntity[1]")
  check(C.frWorld_FindEntity(self.handle, fr.id(id, "id"), entity))
  return entity[0]
end

-- Returns the level of the chunks in which an entity is found, and a list of their indices, each a
-- list of three numbers.
function World:entity_chunks(entity)
  entity = fr.id(entity, "entity")
  local info = ffi.new("frEntityInfo")
  check(C.frWorld_GetEntity(self.handle, entity, info))
  local numbers, count = ffi.new("int64_t[81]"), ffi.new("size_t[1]")
  check(C.frWorld_GetEntityChunks(self.handle, entity, numbers, 27, count))
  local chunks = {}
  for i = 0, tonumber(count[0]) - 1 do
    chunks[i + 1] = {tonumber(numbers[3 * i]), tonumber(numbers[3 * i + 1]),
      tonumber(numbers[3 * i + 2])}
  end
  return info.index_level, chunks
end

---- Moving the frame ----------------------------------------------------------------------------

-- Keeps borrowed arrays by the indices that their chunks have after a move, and lets go of those of
-- dropped chunks.
local function follow(world, frame_move)
  local level, chunk, is_kept = ffi.new("int32_t[1]"), ffi.new("int64_t[3]"), ffi.new("int32_t[1]")
  local borrowed = {}
  for _, each in pairs(world.borrowed) do
    check(C.frFrameMove_Chunk(frame_move, each.level, index(each.x, each.y, each.z), level, chunk,
      is_kept), 3)
    if is_kept[0] == 1 then
      lend(borrowed, level[0], tonumber(chunk[0]), tonumber(chunk[1]), tonumber(chunk[2]), each.ids)
    end
  end
  world.borrowed = borrowed
end

local function moved_by(world, move)
  follow(world, move.frame_move)
  local count = tonumber(move.evicted)
  local ids, counted = ffi.new("uint64_t[?]", count + 1), ffi.new("size_t[1]")
  check(C.frWorld_GetEvicted(world.handle, ids, count + 1, counted), 3)
  local evicted = {}
  for i = 1, count do evicted[i] = ids[i - 1] end
  -- A member that is a struct would not keep `move` alive.
  return {evicted = evicted, dropped_chunks = tonumber(move.dropped_chunks),
    frame_move = ffi.new("frFrameMove", move.frame_move)}
end

-- Move the frame, see docs/window.md. Return a table: evicted (a list of ids), dropped_chunks,
-- frame_move (for the frFrameMove functions of the C interface).
function World:descend(x, y, z)
  local move = fr.sized("frWindowMove")
  check(C.frWorld_Descend(self.handle, index(x, y, z), move, nil))
  return moved_by(self, move)
end
function World:climb()
  local move = fr.sized("frWindowMove")
  check(C.frWorld_Climb(self.handle, move, nil))
  return moved_by(self, move)
end
function World:recenter(x, y, z)
  local move = fr.sized("frWindowMove")
  check(C.frWorld_Recenter(self.handle, index(x, y, z), move, nil))
  return moved_by(self, move)
end

-- Return the path of the level-0 chunk (0, 0, 0), and that of any chunk, from the root.
function World:anchor()
  return text_of(function(...) return C.frWorld_GetAnchor(self.handle, ...) end)
end
function World:path(level, x, y, z)
  local at, chunk = fr.level(level), ffi.new("int64_t[3]", index(x, y, z))
  return text_of(function(...) return C.frWorld_GetPath(self.handle, at, chunk, ...) end)
end

end
