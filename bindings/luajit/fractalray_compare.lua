-- SPDX-License-Identifier: Apache-2.0
-- Worlds that are parts or copies of one: the order of their hits, and fingerprints that say whether
-- they are equal. A part of the LuaJIT module, which fractalray.lua loads.
local error, ipairs, tostring, type = error, ipairs, tostring, type
local format, tonumber, floor = string.format, tonumber, math.floor
return function(fr)

local ffi, C, check, World = fr.ffi, fr.C, fr.check, fr.World
local Hit = ffi.typeof("frHit")
local count = ffi.new("size_t[1]")

---- The order of hits ---------------------------------------------------------------------------

-- docs/queries/shoot.md#parts-of-a-world. The line, how many levels the worlds have (1), and the
-- corner policy, "both", "neither" or "staircase", are those of the queries that returned the hits.

local function frame_of(levels, corner)
  return fr.integer(levels or 1, "levels", 1, C.FR_MAX_LEVELS, 3),
    fr.choice(fr.CORNERS, corner or "both", "corner policy", 3)
end

-- Compares two hits of one line, exactly: returns -1 if shots report `a` first, 1 if they report `b`
-- first, and 0 for the same block, or for entities of one id and level that are hit at one time.
local order = ffi.new("int32_t[1]")
function fr.compare_hits(line, a, b, levels, corner)
  local most, policy = frame_of(levels, corner)
  check(C.frCompareHits(line, most, policy, a, b, order))
  return order[0]
end

-- Returns the hits of a shot in a whole world, from lists of those of the same shot in its parts: a
-- list of new hits, in order, up to the first terminal one; what several lists have, once, as the
-- first of them has it. Each list is in order, and of the whole line: only a terminal hit may have
-- ended the shot. Block types have the same numbers in all parts.
function fr.merge_hits(line, lists, levels, corner)
  local most, policy = frame_of(levels, corner)
  if type(lists) ~= "table" then
    error(format("fractalray: lists is %s; it must be a list of lists of hits", tostring(lists)), 2)
  end
  local all, ends = {}, ffi.new("uint64_t[?]", #lists + 1)
  for i = 1, #lists do  -- a nil among them is named, too
    local list = lists[i]
    if type(list) ~= "table" then
      error(format("fractalray: lists[%d] is %s; it must be a list of hits", i, tostring(list)), 2)
    end
    for j = 1, #list do
      local hit = list[j]
      if not ffi.istype(Hit, hit) then
        error(format("fractalray: lists[%d][%d] is %s; it must be a hit", i, j, tostring(hit)), 2)
      end
      all[#all + 1] = hit
    end
    ends[i - 1] = #all
  end
  local hits = ffi.new("frHit[?]", #all + 1)
  for i, hit in ipairs(all) do hits[i - 1] = hit end
  check(C.frMergeHits(line, most, policy, hits, ends, #lists, hits, #all, count))
  local merged = {}
  for i = 1, tonumber(count[0]) do
    merged[i] = Hit()
    ffi.copy(merged[i], hits + i - 1, ffi.sizeof(Hit))
  end
  return merged
end

---- Fingerprints --------------------------------------------------------------------------------

-- docs/fingerprints.md. Integers of 64 bits, the same on every machine for equal content: compare
-- them by ==. Boxes of chunks are from (x0, y0, z0) to (x1, y1, z1), both included.
local fingerprint = ffi.new("uint64_t[1]")
local low, high = ffi.new("int64_t[3]"), ffi.new("int64_t[3]")
local MOST = floor((2 ^ 31 - 1) / ffi.sizeof("uint64_t"))  -- LuaJIT makes arrays of less than 2 GiB

-- Returns that of the block types and channels: of the number, name, kinds and boxes of each.
function World:block_types_fingerprint()
  check(C.frWorld_FingerprintBlockTypes(self.handle, fingerprint))
  return fingerprint[0]
end

-- Returns that of the blocks of a box of chunks: of the states of the chunks and the numbers of their
-- blocks' types. Those of parts add up to that of the whole; that of absent chunks is 0.
function World:fingerprint(level, x0, y0, z0, x1, y1, z1)
  local at = fr.level(level)
  ffi.copy(low, fr.index(x0, y0, z0), ffi.sizeof(low))
  ffi.copy(high, fr.index(x1, y1, z1), ffi.sizeof(high))
  check(C.frWorld_Fingerprint(self.handle, at, low, high, fingerprint, nil))
  return fingerprint[0]
end

-- Returns those of the chunks of a box, uint64_t[count], x first, then y, and their count.
function World:chunk_fingerprints(level, x0, y0, z0, x1, y1, z1)
  local at = fr.level(level)
  ffi.copy(low, fr.index(x0, y0, z0), ffi.sizeof(low))
  ffi.copy(high, fr.index(x1, y1, z1), ffi.sizeof(high))
  check(C.frWorld_FingerprintChunks(self.handle, at, low, high, nil, 0, count))
  local chunks = tonumber(count[0])
  if chunks > MOST then
    error(format("fractalray: the box has %.0f chunks; list parts of at most %.0f", chunks, MOST), 2)
  end
  local fingerprints = ffi.new("uint64_t[?]", chunks)
  check(C.frWorld_FingerprintChunks(self.handle, at, low, high, fingerprints, chunks, count))
  return fingerprints, chunks
end

-- Returns that of the entities of a level whose centres lie in a box of its chunks: of their ids and
-- all else but their handles.
function World:entities_fingerprint(level, x0, y0, z0, x1, y1, z1)
  local at = fr.level(level)
  ffi.copy(low, fr.index(x0, y0, z0), ffi.sizeof(low))
  ffi.copy(high, fr.index(x1, y1, z1), ffi.sizeof(high))
  check(C.frWorld_Fingerprint(self.handle, at, low, high, nil, fingerprint))
  return fingerprint[0]
end

end
