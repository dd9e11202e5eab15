-- SPDX-License-Identifier: Apache-2.0
-- Sight of boxes, of the LuaJIT module. A part of fractalray.lua, which loads it.
local getmetatable, ipairs, pairs, setmetatable = getmetatable, ipairs, pairs, setmetatable
local format, tonumber, floor = string.format, tonumber, math.floor
return function(fr)

local ffi, C, check, World = fr.ffi, fr.C, fr.check, fr.World
local SIGHTS = {[C.FR_SIGHT_HIDDEN] = "hidden", [C.FR_SIGHT_UNKNOWN] = "unknown",
  [C.FR_SIGHT_VISIBLE] = "visible"}
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

local NUMBERS = {}  -- with the largest
for _, name in ipairs(fr.members_of("frSightOptions", "uint64_t")) do NUMBERS[name] = 2 ^ 53 end
for _, name in ipairs(fr.members_of("frSightOptions", "frChannel")) do NUMBERS[name] = 0xffff end
local FLAGS = fr.members_of("frSightOptions", "uint8_t")
local KNOWN = {unloaded = true, ignore = true, occluders = true}
for name in pairs(NUMBERS) do KNOWN[name] = true end
for _, name in ipairs(FLAGS) do KNOWN[name] = true end

local SightOptions = {}
SightOptions.__index = SightOptions

-- Returns a list of boxes {min, max}, each three integers in units, as an array.
local function boxes_of(list, name, depth)
  local boxes = Boxes(#list + 1)
  for i, box in ipairs(list) do
    for axis = 1, 3 do
      for j, corner in ipairs({"min", "max"}) do
        boxes[i - 1][corner][axis - 1] = fr.integer(box[j][axis],
          format("%s[%d][%d][%d]", name, i, j, axis), -2 ^ 53, 2 ^ 53, depth + 1)
      end
    end
  end
  return boxes
end

-- Prepares options for many queries: a table with the members of frSightOptions in the C header,
-- where flags are booleans, `unloaded` is "report", "transparent" or "opaque", `ignore` a list of
-- entity ids and `occluders` a list of boxes {{x, y, z}, {x, y, z}} in units. `depth` is as for
-- fr.check.
function fr.sight_options(options, depth)
  depth = depth or 2
  fr.check_members(options, KNOWN, "option of sight", depth)
  local c = fr.sized("frSightOptions")
  for name, most in pairs(NUMBERS) do
    local value = options[name]
    if value ~= nil then c[name] = fr.integer(value, name, 0, most, depth + 1) end
  end
  for _, name in ipairs(FLAGS) do c[name] = options[name] and 1 or 0 end
  -- In C, 0 stands for all categories; here it is none of them.
  if options.categories == 0 then c.boxes_block = 0 end
  c.unloaded = fr.choice(UNLOADED, options.unloaded or "report", "unloaded space", depth)
  -- Keeps alive what c points to.
  local prepared = {c = c}
  if options.ignore then
    prepared.ignore = fr.ids(options.ignore, "ignore", depth)
    c.ignore, c.ignore_count = prepared.ignore, #options.ignore
  end
  if options.occluders then
    prepared.occluders = boxes_of(options.occluders, "occluders", depth)
    c.occluders, c.occluder_count = prepared.occluders, #options.occluders
  end
  return setmetatable(prepared, SightOptions)
end

-- Returns prepared options: those that are prepared already as they are, nil as nil.
local function prepared_of(options)
  if options == nil or getmetatable(options) == SightOptions then return options end
  return fr.sight_options(options, 4)
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
-- they were found. Does not look at a world.
local hidden = ffi.new("int32_t[1]")
function fr.hides(boxes, box_count, query)
  check(C.frHides(fr.array(boxes, "frFixedBox", box_count, "boxes"), box_count, query, hidden))
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

end
