-- SPDX-License-Identifier: Apache-2.0
-- Sight of boxes, of the LuaJIT module. A part of fractalray.lua, which loads it.
local error, getmetatable, setmetatable = error, getmetatable, setmetatable
local format, tonumber, tostring, type, floor = string.format, tonumber, tostring, type, math.floor
return function(fr)

local ffi, C, check, World = fr.ffi, fr.C, fr.check, fr.World
local SIGHTS = {[C.FR_SIGHT_HIDDEN] = "hidden", [C.FR_SIGHT_UNKNOWN] = "unknown",
  [C.FR_SIGHT_VISIBLE] = "visible"}
fr.SIGHTS = SIGHTS
local UNLOADED = {report = C.FR_UNLOADED_REPORT, transparent = C.FR_UNLOADED_TRANSPARENT,
  opaque = C.FR_UNLOADED_OPAQUE}

---- Queries and options -------------------------------------------------------------------------

local Query, Boxes = ffi.typeof("frSightQuery"), ffi.typeof("frFixedBox[?]")
local eye, low, high = ffi.new("double[3]"), ffi.new("double[3]"), ffi.new("double[3]")

-- Returns an eye and the box that it looks at, between two corners: three lists {x, y, z}, rounded
-- to units. A `query` is overwritten, to save an allocation.
function fr.sight_query(from, min, max, query)
  query = query or Query()
  fr.numbers(from, "from", 3, eye)
  fr.numbers(min, "min", 3, low)
  fr.numbers(max, "max", 3, high)
  check(C.frMakeSightQuery(eye, low, high, query))
  return query
end

local SightOptions = {}
SightOptions.__index = SightOptions
local begin_options = fr.options_of("frSightOptions", "option of sight",
  {unloaded = true, occluders = true})

-- Raises an error for what is no list, or not of so many elements. `depth` is as for fr.check.
local function check_list(value, elements, name, what, depth)
  if type(value) == "table" and #value == (elements or #value) then return end
  error(format("fractalray: %s is %s; it must be %s", name, type(value) == "table" and
    format("a list of %d", #value) or tostring(value), what), depth + 1)
end

-- Copies three integers {x, y, z} to a corner of a box.
local function copy_corner(list, name, corner, depth)
  check_list(list, 3, name, "a corner {x, y, z} of integers in units", depth + 1)
  for axis = 1, 3 do
    corner[axis - 1] = fr.integer(list[axis], format("%s[%d]", name, axis), -2 ^ 53, 2 ^ 53,
      depth + 1)
  end
end

-- Returns a list of boxes {min, max}, each three integers in units, as an array.
local function boxes_of(list, name, depth)
  check_list(list, nil, name, "a list of boxes {{x, y, z}, {x, y, z}}", depth + 1)
  local boxes = Boxes(#list + 1)
  for i = 1, #list do
    local box_name = format("%s[%d]", name, i)
    check_list(list[i], 2, box_name, "a box {{x, y, z}, {x, y, z}} in units", depth + 1)
    copy_corner(list[i][1], box_name .. "[1]", boxes[i - 1].min, depth + 1)
    copy_corner(list[i][2], box_name .. "[2]", boxes[i - 1].max, depth + 1)
  end
  return boxes
end

-- Prepares options for many queries: a table with the members of frSightOptions in the C header,
-- where flags are booleans, `unloaded` is "report", "transparent" or "opaque", `ignore` a list of
-- entity ids and `occluders` a list of boxes {{x, y, z}, {x, y, z}} in units. `depth` is as for
-- fr.check.
function fr.sight_options(options, depth)
  depth = depth or 2
  local prepared, c = begin_options(options, depth)
  -- In C, 0 stands for all categories; here it is none of them.
  if options.categories == 0 then c.boxes_block = 0 end
  c.unloaded = fr.choice(UNLOADED, options.unloaded or "report", "unloaded space", depth)
  if options.occluders then
    prepared.occluders = boxes_of(options.occluders, "occluders", depth)
    c.occluders, c.occluder_count = prepared.occluders, #options.occluders
  end
  return setmetatable(prepared, SightOptions)
end

-- Returns prepared options: those that are prepared already as they are, nil as nil.
local function prepared_of(options)
  if options == nil or getmetatable(options) == SightOptions then return options end
  return fr.sight_options(options, 3)
end
fr.prepared_sight = prepared_of

---- What an eye sees ----------------------------------------------------------------------------

-- Returns "hidden", "unknown" or "visible". An `answer`, fr.sized("frSightAnswer"), is overwritten
-- with the witness of a visible box, and with the work.
local sight = ffi.new("int32_t[1]")
function World:visible(query, levels, options, answer)
  local prepared = prepared_of(options)
  check(C.frWorld_Visible(self.handle, query, fr.mask(levels), prepared and prepared.c, sight,
    answer))
  return SIGHTS[sight[0]]
end

-- Returns solid boxes that hide a hidden box by themselves, frFixedBox[count], and their count; 0
-- for a box that is not hidden.
local count = ffi.new("size_t[1]")
function World:find_certificate(query, levels, options)
  local prepared = prepared_of(options)
  local c, mask = prepared and prepared.c, fr.mask(levels)
  check(C.frWorld_FindCertificate(self.handle, query, mask, c, nil, 0, count))
  local found = tonumber(count[0])
  local boxes = Boxes(found + 1)
  check(C.frWorld_FindCertificate(self.handle, query, mask, c, boxes, found, count))
  return boxes, tonumber(count[0])
end

-- Returns true if an array of `box_count` boxes hides the box of a query, which may have moved since
-- they were found. Does not look at a world. With a margin, in units: true only if they still hide
-- it wherever eye and box move, by no more than that together on each axis.
local hidden = ffi.new("int32_t[1]")
function fr.hides(boxes, box_count, query, margin)
  fr.integer(box_count, "box_count", 0, 2 ^ 31 - 1)
  margin = fr.integer(margin or 0, "margin", 0, 2 ^ 53)
  check(C.frHidesWithin(fr.array(boxes, "frFixedBox", box_count, "boxes"), box_count, query, margin,
    hidden))
  return hidden[0] == 1
end

-- Returns the least and the greatest that the share of the box that the eye sees may be.
local from, to = ffi.new("double[1]"), ffi.new("double[1]")
function World:exposure(query, levels, options)
  local prepared = prepared_of(options)
  check(C.frWorld_Exposure(self.handle, query, fr.mask(levels), prepared and prepared.c, from, to,
    nil))
  return from[0], to[0]
end

-- LuaJIT makes arrays of less than 2 GiB.
local MOST = floor((2 ^ 31 - 1) / ffi.sizeof(Query))

-- Answers many queries, frSightQuery[query_count]: returns uint8_t[query_count] of FR_SIGHT_...,
-- FR_SIGHT_UNDECIDED for one with an error. Runs on the threads of the world, if it has any.
function World:visible_many(queries, query_count, levels, options)
  local prepared = prepared_of(options)
  fr.integer(query_count, "query_count", 0, MOST)
  local answers = ffi.new("uint8_t[?]", query_count)
  fr.array(queries, "frSightQuery", query_count, "queries")
  check(C.frWorld_VisibleMany(self.handle, queries, query_count, fr.mask(levels),
    prepared and prepared.c, answers, nil))
  return answers
end

---- Who sees whom -------------------------------------------------------------------------------

local UNDECIDED = {report = C.FR_UNDECIDED_REPORT, visible = C.FR_UNDECIDED_VISIBLE,
  hidden = C.FR_UNDECIDED_HIDDEN}
local TABLE_OPTIONS = {max_distance = true, if_undecided = true, eye_counts = true,
  left_out = true, each = true, history = true}

-- Returns points of an array of doubles, of which each element has `width`, from the number `first`
-- of the element on.
local function points_of(array, width, first)
  local points = ffi.new("frVectors")
  points.data = ffi.cast("const double*", array) + first
  points.vector_stride, points.format = 8 * width, C.FR_F64
  return points
end

-- Returns what keeps the answers of world:visible_boxes for the next call, which is given it as
-- options.history: that one tries them first, and its answers are those of a call without. Keep
-- viewers and boxes in one order from call to call.
local History = ffi.typeof("frSightHistory*")
function fr.sight_history()
  local out = ffi.new("frSightHistory*[1]")
  check(C.frCreateSightHistory(out))
  return ffi.gc(out[0], C.frDestroySightHistory)
end

-- Answers, for each viewer and box, what world:visible does: returns uint8_t[viewer_count *
-- box_count] of FR_SIGHT_..., viewer after viewer, FR_SIGHT_SKIPPED for a pair that is not asked.
-- `eyes` is double[3 * viewer_count], `boxes` is double[6 * box_count], two corners each. Of
-- options, `each` has those of world:visible; `max_distance` is in units, from 1; `if_undecided` is
-- "report", "visible" or "hidden"; `left_out` is uint8_t[viewer_count * box_count], 1 for pairs to
-- leave out; `eye_counts` is uint32_t[viewer_count], and `eyes` has so many for each viewer, one
-- after another; `history` is one of fr.sight_history. Returns a frSightTableStats, too. Runs on the
-- threads of the world, if it has any.
function World:visible_boxes(eyes, viewer_count, boxes, box_count, levels, options)
  options = options or {}
  fr.check_members(options, TABLE_OPTIONS, "option of a table of sight", 2)
  -- As numbers of Lua, which loops need.
  viewer_count = tonumber(fr.integer(viewer_count, "viewer_count", 0, MOST))
  box_count = tonumber(fr.integer(box_count, "box_count", 0, MOST))
  local pairs_asked = fr.integer(viewer_count * box_count, "viewer_count * box_count", 0, 2 ^ 31 - 1)
  local c, each = fr.sized("frSightTableOptions"), prepared_of(options.each)
  c.each = each and each.c
  c.if_undecided = fr.choice(UNDECIDED, options.if_undecided or "report", "answer", 2)
  if options.max_distance then
    c.max_distance = fr.integer(options.max_distance, "max_distance", 1, 2 ^ 53)
  end
  if options.left_out then
    c.left_out = fr.array(options.left_out, "uint8_t", pairs_asked, "left_out")
  end
  local eye_counts, eye_count = options.eye_counts, viewer_count
  if eye_counts then
    fr.array(eye_counts, "uint32_t", viewer_count, "eye_counts")
    eye_count = 0
    for i = 0, viewer_count - 1 do eye_count = eye_count + eye_counts[i] end
  end
  fr.array(eyes, "double", 3 * eye_count, "eyes")
  fr.array(boxes, "double", 6 * box_count, "boxes")
  if options.history then
    if not ffi.istype(History, options.history) then
      error(format("fractalray: history is %s; it must be one of fr.sight_history",
        tostring(options.history)), 2)
    end
    c.history = options.history
  end
  local answers, stats = ffi.new("uint8_t[?]", pairs_asked), ffi.new("frSightTableStats")
  check(C.frWorld_VisibleBoxes(self.handle, points_of(eyes, 3, 0), eye_counts, viewer_count,
    points_of(boxes, 6, 0), points_of(boxes, 6, 3), box_count, fr.mask(levels), c, answers, stats))
  return answers, stats
end

---- Blocks in sight -----------------------------------------------------------------------------

-- Finds the blocks around an eye, a list {x, y, z}, of which it sees any part. Returns an array of
-- frFoundBlock and their count; `sight` is FR_SIGHT_VISIBLE of the first ones, FR_SIGHT_UNKNOWN of
-- the next, and FR_SIGHT_UNDECIDED of the last, if options.max_steps ran out. `types` is a list of
-- the block types to find, nil for all.
local Found, Types = ffi.typeof("frFoundBlock[?]"), ffi.typeof("frBlockType[?]")
function World:visible_blocks(from, radius, levels, types, options)
  local prepared = prepared_of(options)
  fr.numbers(from, "from", 3, eye)
  fr.number(radius, "radius")
  local type_count = types and #types or 0
  local wanted = Types(type_count + 1)
  for i = 1, type_count do
    wanted[i - 1] = fr.integer(types[i], format("types[%d]", i), 0, 0xffff)
  end
  local mask, capacity = fr.mask(levels), 64
  while true do
    local found = Found(capacity)
    count[0] = 0
    local result = C.frWorld_VisibleBlocks(self.handle, eye, radius, mask, wanted, type_count, nil,
      prepared and prepared.c, found, capacity, count)
    if result ~= C.FR_OUT_OF_RANGE or tonumber(count[0]) <= capacity then
      check(result)
      return found, tonumber(count[0])
    end
    capacity = tonumber(count[0])
  end
end

end
