-- SPDX-License-Identifier: Apache-2.0
-- Queries of the LuaJIT module. A part of fractalray.lua, which loads it.
local error, pairs, setmetatable = error, pairs, setmetatable
local tonumber, tostring, floor, max = tonumber, tostring, math.floor, math.max
local format = string.format
return function(fr)

local ffi, C, check, World = fr.ffi, fr.C, fr.check, fr.World
local OCCLUSIONS = {[C.FR_CLEAR] = "clear", [C.FR_BLOCKED] = "blocked", [C.FR_UNKNOWN] = "unknown"}
local EXACT = 2 ^ 53
local Hit, Result = ffi.typeof("frHit"), ffi.typeof("frQueryResult")

local function new_result()
  local result = Result()
  result.struct_size = ffi.sizeof(Result)
  return result
end

-- Levels are a mask (fr.levels); nil stands for all. Options are a table (fr.options) or nil.

---- One line ------------------------------------------------------------------------------------

-- Returns the first hit, or nil. With the option report_unknown the second result is the t at which
-- the line first enters unloaded space, or nil. A `hit` is overwritten, to save an allocation.
local closest_result = new_result()
function World:closest_hit(line, levels, options, hit)
  hit = hit or Hit()
  local prepared = fr.prepared(options)
  check(C.frWorld_ClosestHit(self.handle, line, fr.mask(levels), prepared and prepared.c, hit,
    closest_result))
  local unknown_from = closest_result.unknown_from
  if unknown_from ~= unknown_from then unknown_from = nil end
  if hit.kind == C.FR_HIT_NONE then return nil, unknown_from end
  return hit, unknown_from
end

-- Returns "clear", "blocked" or "unknown".
local occlusion = ffi.new("int32_t[1]")
function World:occluded(line, levels, options)
  local prepared = fr.prepared(options)
  check(C.frWorld_Occluded(self.handle, line, fr.mask(levels), prepared and prepared.c, occlusion,
    nil, nil))
  return OCCLUSIONS[occlusion[0]]
end

local Cursor = {}
Cursor.__index = Cursor

-- Returns a cursor: the hits of the line one by one, in order. The world may be changed between two
-- of them; the cursor continues in the world as it is then.
function World:hits_along(line, levels, options)
  local prepared = fr.prepared(options)
  local out = ffi.new("frCursor*[1]")
  check(C.frWorld_HitsAlong(self.handle, line, fr.mask(levels), prepared and prepared.c, out))
  -- `world` keeps the arrays alive that its chunks borrow.
  return setmetatable({handle = ffi.gc(out[0], C.frDestroyCursor), options = prepared,
    world = self}, Cursor)
end

-- Returns the next hit, or nil after the last one. A `hit` is overwritten.
local count = ffi.new("size_t[1]")
function Cursor:next(hit)
  hit = hit or Hit()
  check(C.frCursor_Next(self.handle, hit, 1, count))
  if count[0] == 0 then return nil end
  return hit
end

-- Returns an frQueryResult: that of the shot up to the last hit.
function Cursor:result()
  local result = new_result()
  check(C.frCursor_GetResult(self.handle, result))
  return result
end

-- Frees the cursor's memory now, instead of when it is collected. To close it again does nothing.
function Cursor:close()
  if not self.handle then return end
  check(C.frDestroyCursor(ffi.gc(self.handle, nil)))
  self.handle = nil
end

-- Returns true if on_hit ends the shot at this hit.
local function ends_at(on_hit, hit)
  local response = on_hit(hit)
  if response == nil or response == "continue" then return false end
  if response == "stop" then return true end
  error("fractalray: on_hit returned " .. tostring(response)
    .. "; return \"stop\", \"continue\" or nothing", 0)
end

local function shoot_one_by_one(world, line, levels, options)
  local cursor = world:hits_along(line, levels, options)
  local hits, is_stopped = {}, false
  repeat
    local hit = cursor:next()
    hits[#hits + 1] = hit
    is_stopped = hit ~= nil and ends_at(options.on_hit, hit)
  until not hit or is_stopped
  local result = cursor:result()
  cursor:close()
  if is_stopped then
    hits[#hits].terminal, result.terminated = 1, 1
    -- The cursor may have searched farther than the shot went.
    if result.unknown_from >= hits[#hits].t then result.unknown_from = 0 / 0 end
  end
  return hits, result
end

-- Returns a list of all hits up to one that ends the shot, and an frQueryResult. With the option
-- on_hit each hit is passed to that function, which may change the world, before the next one is
-- searched for; it ends the shot by returning "stop".
local capacity = 64
local buffer = ffi.new("frHit[?]", capacity)
function World:shoot(line, levels, options)
  local prepared = fr.prepared(options)
  if prepared and prepared.on_hit then
    return shoot_one_by_one(self, line, fr.mask(levels), prepared)
  end
  local result = new_result()
  local c = prepared and prepared.c
  local mask = fr.mask(levels)
  local status = C.frWorld_Shoot(self.handle, line, mask, c, buffer, capacity, result)
  if status == C.FR_OUT_OF_RANGE and result.hit_count > capacity then
    local longer = 2 * tonumber(result.hit_count)
    -- If this raises an error, the buffer is as long as before.
    buffer = ffi.new("frHit[?]", longer)
    capacity = longer
    status = C.frWorld_Shoot(self.handle, line, mask, c, buffer, capacity, result)
  end
  check(status)
  local hits = {}
  for i = 1, tonumber(result.hit_count) do
    hits[i] = Hit()
    ffi.copy(hits[i], buffer + i - 1, ffi.sizeof(Hit))
  end
  return hits, result
end

-- Returns the mirror image of a line in the face of a hit of it, from the time of the hit on.
function World:reflect(line, hit, image)
  image = image or ffi.new("frLine")
  check(C.frWorld_Reflect(self.handle, line, hit, image))
  return image
end

-- Returns the parts of a line inside a hit of it, a list of pairs {t0, t1}: several for a shape with
-- gaps. `options` are those of the query, whose corner policy and channel decide.
function World:hit_spans(line, hit, options)
  local prepared = fr.prepared(options)
  local c = prepared and prepared.c
  check(C.frWorld_GetHitSpans(self.handle, line, c, hit, nil, 0, count))
  local pairs_of = tonumber(count[0])
  local times = ffi.new("double[?]", 2 * pairs_of)
  check(C.frWorld_GetHitSpans(self.handle, line, c, hit, times, pairs_of, count))
  local list = {}
  for i = 1, pairs_of do list[i] = {times[2 * i - 2], times[2 * i - 1]} end
  return list
end

-- Returns the parts of a line in the box of the loaded chunks of each level: a list of tables
-- {level =, t0 =, t1 =}.
function World:level_parts(line, levels)
  local parts = ffi.new("frLevelPart[?]", C.FR_MAX_LEVELS)
  check(C.frWorld_GetLevelParts(self.handle, line, fr.mask(levels), parts, C.FR_MAX_LEVELS, count))
  local list = {}
  for i = 1, tonumber(count[0]) do
    list[i] = {level = parts[i - 1].level, t0 = parts[i - 1].t0, t1 = parts[i - 1].t1}
  end
  return list
end

-- Iterates over the chunks that a line crosses, loaded or not, the finest level first:
--   for chunk in world:chunks_on(line) do print(chunk.chunk[0], chunk.state) end
-- The frLineChunk is overwritten by the next step.
function World:chunks_on(line, levels, corner)
  local out = ffi.new("frChunkCursor*[1]")
  check(C.frWorld_ChunksOn(self.handle, line, fr.mask(levels), fr.corner(corner), 0, out))
  local cursor, chunk = ffi.gc(out[0], C.frDestroyChunkCursor), ffi.new("frLineChunk")
  return function()
    check(C.frChunkCursor_Next(cursor, chunk, 1, count))
    if count[0] == 0 then return nil end
    return chunk
  end
end

---- Many lines ----------------------------------------------------------------------------------

-- LuaJIT makes arrays of less than 2 GiB.
local MOST_LINES = floor((2 ^ 31 - 1) / ffi.sizeof(Hit))

local function lines_of(from, to, line_count)
  local lines = fr.sized("frLines")
  lines.count = fr.integer(line_count, "line_count", 0, MOST_LINES, 3)
  for name, numbers in pairs({from = from, to = to}) do
    lines[name].data = fr.array(numbers, "double", 3 * line_count, name, 3)
    lines[name].vector_stride = 24
  end
  return lines
end

-- Makes a function of C raise an error for lines without an answer, which would look like misses.
local function whole(ask)
  return function(handle, lines, levels, options, answers)
    local batch = fr.sized("frBatchResult")
    local result = ask(handle, lines, levels, options, answers, nil, nil, batch)
    if result == C.FR_OK and batch.errors > 0 then
      error("fractalray: " .. ffi.string(C.frGetLastError()), 3)
    end
    if result == C.FR_OK and batch.completed < lines.count then
      error(format("fractalray: %d of %d lines are answered, for which there was time and steps; "
        .. "make smaller calls", tonumber(batch.completed), tonumber(lines.count)), 3)
    end
    return result
  end
end

-- Make the methods of worlds, and of worlds of a server, from the functions of C.
local function closest_hits_by(ask)
  return function(self, from, to, line_count, levels, options)
    local prepared, lines = fr.prepared(options), lines_of(from, to, line_count)
    local hits = ffi.new("frHit[?]", line_count)
    check(ask(self.handle, lines, fr.mask(levels), prepared and prepared.c, hits, nil, nil, nil))
    return hits
  end
end
local function occluded_many_by(ask)
  return function(self, from, to, line_count, levels, options)
    local prepared, lines = fr.prepared(options), lines_of(from, to, line_count)
    local answers = ffi.new("uint8_t[?]", line_count)
    check(ask(self.handle, lines, fr.mask(levels), prepared and prepared.c, answers, nil, nil, nil))
    return answers
  end
end

-- Returns the first hit of each of many segments: frHit[line_count], whose kind is FR_HIT_NONE for
-- a miss. `from` and `to` are double[3 * line_count]. An error of a line is one of the call. Runs on the threads of the world, if it has
-- any (fr.C.frWorld_SetParallelFor).
World.closest_hits = closest_hits_by(whole(C.frWorld_ClosestHits))

-- Returns whether each of many segments is blocked: uint8_t[line_count] of FR_CLEAR, FR_BLOCKED or
-- FR_UNKNOWN. Otherwise as closest_hits.
World.occluded_many = occluded_many_by(whole(C.frWorld_OccludedMany))

---- Worlds of a server --------------------------------------------------------------------------

-- The world of a process that runs `fractalray serve`, with these two methods of worlds. A part of
-- an answer is an error, so it has no deadline: see docs/serve.md.
local Remote = {}
Remote.__index = Remote
Remote.closest_hits = closest_hits_by(whole(C.frRemote_ClosestHits))
Remote.occluded_many = occluded_many_by(whole(C.frRemote_OccludedMany))

-- Makes later answers include a version, such as that of an answer of another server of the same
-- store; nil for any. A server that does not have it in time raises ABORTED.
function Remote:set_at_least(version)
  check(C.frRemote_SetAtLeast(self.handle, version and fr.text(version, "version")))
end

-- Returns the name of a block type of the server.
local name_length = ffi.new("size_t[1]")
function Remote:block_type_name(block_type)
  local number = fr.integer(block_type, "block_type", 0, 0xffff)
  check(C.frRemote_GetBlockTypeName(self.handle, number, nil, 0, name_length))
  local text = ffi.new("char[?]", name_length[0] + 1)
  check(C.frRemote_GetBlockTypeName(self.handle, number, text, name_length[0] + 1, nil))
  return ffi.string(text)
end

-- Returns the version of the last answer, or else that of the server when it was connected.
local VERSION_BYTES = 4097
function Remote:version()
  local text = ffi.new("char[?]", VERSION_BYTES)
  check(C.frRemote_GetVersion(self.handle, text, VERSION_BYTES, nil))
  return ffi.string(text)
end

-- Connects to a server at "unix:PATH" or "tcp:HOST:PORT". Options: token; timeout, the seconds that
-- a call may take; world, the name of the world that the server is to have: what is before the last
-- "@" of a version.
function fr.connect(address, options)
  options = options or {}
  fr.check_members(options, {token = true, timeout = true, world = true}, "option of a connection")
  local given = fr.sized("frConnectOptions")
  local token = options.token and fr.text(options.token, "token")
  local world = options.world and fr.text(options.world, "world")
  given.token, given.world = token, world
  if options.timeout then
    local seconds = tonumber(fr.number(options.timeout, "timeout"))
    given.timeout_us = fr.integer(floor(seconds * 1e6), "timeout in microseconds", 1, EXACT)
  end
  local out = ffi.new("frRemote*[1]")
  check(C.frConnect(fr.text(address, "address"), given, out))
  return setmetatable({handle = ffi.gc(out[0], C.frDestroyRemote)}, Remote)
end

---- Cells of a grid -----------------------------------------------------------------------------

-- Raises an error for a width that has been rounded to units: its error would add up cell by cell.
local function check_widths(widths, units, dimensions)
  for axis = 1, dimensions do
    local width, rounded = tonumber(widths[axis] or 1), tonumber(units[axis - 1])
    if width > 0 and width * C.FR_UNITS_PER_BLOCK ~= rounded then
      error(format("fractalray: widths[%d] is %.14g, which is not a multiple of 1/%d; divide the "
        .. "coordinates by it and leave it out, or give %.17g", axis, width, C.FR_UNITS_PER_BLOCK,
        max(rounded, 1) / C.FR_UNITS_PER_BLOCK), 3)
    end
  end
end

-- Iterates over the cells of a grid that a line crosses, in 2 or 3 dimensions. `widths` is a list
-- with the width of a cell on each axis, a multiple of 1/65,536, 1 by default. The frWalkCell is overwritten by the next
-- step. Also returns the number of planes that the whole walk crosses.
function fr.walk(dimensions, from, to, widths, corner)
  dimensions = tonumber(fr.integer(dimensions, "dimensions", 2, 3))
  widths = widths or {1, 1, 1}
  -- Rounds to units as all positions are.
  local line = fr.segment(from[1], from[2], from[3] or 0, to[1], to[2], to[3] or 0)
  local width = fr.segment(widths[1], widths[2], widths[3] or 1, 0, 0, 0)
  check_widths(widths, width.from, dimensions)
  local out, crossings = ffi.new("frWalk*[1]"), ffi.new("uint64_t[1]")
  check(C.frCreateWalk(dimensions, line.from, line.to, width.from, fr.corner(corner), out))
  local walk, cell = ffi.gc(out[0], C.frDestroyWalk), ffi.new("frWalkCell")
  check(C.frWalk_GetCrossings(walk, crossings))
  return function()
    check(C.frWalk_Next(walk, cell, 1, count))
    if count[0] == 0 then return nil end
    return cell
  end, tonumber(crossings[0])
end

end
