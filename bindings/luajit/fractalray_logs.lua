-- SPDX-License-Identifier: Apache-2.0
-- Query logs and their replay, of the LuaJIT module. A part of fractalray.lua, which loads it.
local error, setmetatable, tonumber = error, setmetatable, tonumber
return function(fr)

local ffi, C, check, World = fr.ffi, fr.C, fr.check, fr.World
local OCCLUSIONS = {[C.FR_CLEAR] = "clear", [C.FR_BLOCKED] = "blocked", [C.FR_UNKNOWN] = "unknown"}
local Hit = ffi.typeof("frHit")

-- Begins a log: every later query of the world with its answer, and the moves of its frame, in a
-- file, which is replaced if it exists. Reads all blocks and entities, so that a replay on another
-- world is refused, unless options.fingerprints is false. See docs/query-log.md.
function World:begin_log(path, options)
  options = options or {}
  fr.check_members(options, {fingerprints = true}, "option of a log")
  local without_fingerprints = options.fingerprints == false and 1 or 0
  check(C.frWorld_BeginLog(self.handle, fr.text(path, "path"), without_fingerprints))
end

-- Hands the logged queries to the system.
function World:flush_log() check(C.frWorld_FlushLog(self.handle)) end

-- Ends the log and returns the number of its queries. Raises the first error of the file; the log
-- has ended nevertheless.
function World:end_log()
  local queries = ffi.new("uint64_t[1]")
  check(C.frWorld_EndLog(self.handle, queries))
  return tonumber(queries[0])
end

local Replay = {}
Replay.__index = Replay
local WHICH = {recorded = C.FR_RECORDED, replayed = C.FR_REPLAYED}
local OUTCOMES = {[C.FR_REPLAY_EQUAL] = "equal", [C.FR_REPLAY_DIFFERENT] = "different",
  [C.FR_REPLAY_WORLD_HAD_CHANGED] = "world had changed",
  [C.FR_REPLAY_NOT_REPLAYABLE] = "not replayable"}
local VERBS = {[C.FR_VERB_SHOOT] = "shoot", [C.FR_VERB_CLOSEST_HIT] = "closest_hit",
  [C.FR_VERB_OCCLUDED] = "occluded", [C.FR_VERB_RESUME] = "resume",
  [C.FR_VERB_VISIBLE] = "visible", [C.FR_VERB_EXPOSURE] = "exposure",
  [C.FR_VERB_VISIBLE_BOXES] = "visible_boxes", [C.FR_VERB_VISIBLE_BLOCKS] = "visible_blocks",
  [C.FR_VERB_BLAST] = "blast"}

local TAKEN = {__index = function()
  error("fractalray: fr.replay has taken this world over; make another one", 2)
end}

-- Opens a log to run its queries again. Takes over the world, whose blocks and entities must be as
-- those of the log were when it began: it can no longer be used, unless there is an error. Options:
-- all, to also run queries that were logged after the world had changed; on_other_world, to accept
-- a world other than the logged one was.
function fr.replay(world, path, options)
  options = options or {}
  fr.check_members(options, {all = true, on_other_world = true}, "option of a replay")
  local c = fr.sized("frReplayOptions")
  c.all, c.on_other_world = options.all and 1 or 0, options.on_other_world and 1 or 0
  local out = ffi.new("frReplay*[1]")
  check(C.frCreateReplay(world.handle, fr.text(path, "path"), c, out))
  ffi.gc(world.handle, nil)
  world.handle = nil
  setmetatable(world, TAKEN)
  -- `borrowed` keeps the arrays alive that chunks of the world borrow.
  return setmetatable({handle = ffi.gc(out[0], C.frDestroyReplay), borrowed = world.borrowed},
    Replay)
end

local function reason_of(handle, replayed)
  if replayed.outcome ~= C.FR_REPLAY_NOT_REPLAYABLE then return "" end
  local reason = ffi.new("char[256]")
  check(C.frReplay_GetReason(handle, reason, 256, nil), 3)
  return ffi.string(reason)
end

-- Runs the next query again. Returns nil at the end, else a table:
--   number, offset   in the log, from 1; of its record in the file, in bytes
--   verb, line, levels   the query: "shoot", "closest_hit", "occluded" or "resume"; or a verb of sight,
--                    without a line: "visible" and "exposure" with `sight`, a frSightQuery,
--                    "visible_boxes" with viewer_count and box_count, "visible_blocks" and "blast" with
--                    `center`, a list of three numbers (the eye), and `radius`
--   outcome          "equal", "different", "world had changed" or "not replayable"
--   reason           why it is not replayable, else ""
function Replay:next()
  local replayed = fr.sized("frReplayed")
  check(C.frReplay_Next(self.handle, replayed))
  if replayed.outcome == C.FR_REPLAY_END then return nil end
  local verb, is_sight = VERBS[replayed.verb], replayed.verb >= C.FR_VERB_VISIBLE
  local query = {number = tonumber(replayed.number), offset = tonumber(replayed.offset),
    verb = verb, levels = replayed.levels,
    line = not is_sight and ffi.new("frLine", replayed.line) or nil,
    outcome = OUTCOMES[replayed.outcome], reason = reason_of(self.handle, replayed)}
  if verb == "visible" or verb == "exposure" then
    query.sight = ffi.new("frSightQuery", replayed.sight)
  elseif verb == "visible_boxes" then
    query.viewer_count, query.box_count = tonumber(replayed.viewer_count),
      tonumber(replayed.box_count)
  elseif is_sight then
    query.center = {replayed.center[0], replayed.center[1], replayed.center[2]}
    query.radius = replayed.radius
  end
  self.verb = verb
  return query
end

-- Returns an answer to the last query, "recorded" or "replayed": a list of hits, an frQueryResult,
-- and for "occluded" what World:occluded returns.
function Replay:answer(which)
  local number, result = fr.choice(WHICH, which, "answer"), fr.sized("frQueryResult")
  local answer = ffi.new("int32_t[1]", -1)
  check(C.frReplay_GetAnswer(self.handle, number, answer, nil, 0, result))
  local found = tonumber(result.hit_count)
  local array, hits = ffi.new("frHit[?]", found), {}
  check(C.frReplay_GetAnswer(self.handle, number, answer, array, found, result))
  for i = 1, found do hits[i] = Hit(array[i - 1]) end
  return hits, result, OCCLUSIONS[answer[0]]
end

local count = ffi.new("size_t[1]")
-- Returns the array that a function of a replay fills, and its length.
local function read_list(ctype, ask)
  local capacity, list, code = 64, nil, nil
  repeat
    list = ffi.new(ctype, capacity)
    count[0] = 0
    code = ask(list, capacity, count)
    local is_short = code == C.FR_OUT_OF_RANGE and count[0] > capacity
    if is_short then capacity = tonumber(count[0]) end
  until not is_short
  check(code, 3)
  return list, tonumber(count[0])
end

-- Returns an answer to the last query, one of sight, as the method of the world does: "visible",
-- "hidden" or "unknown"; the bounds of an exposure; uint8_t[...] of FR_SIGHT_... and their number; an
-- array of frFoundBlock and their number; the table of a blast, whose `samples` are 0. Raises the
-- error of an answer that is one.
function Replay:sight_answer(which)
  local number, handle = fr.choice(WHICH, which, "answer"), self.handle
  if self.verb == "visible_boxes" then
    return read_list("uint8_t[?]", function(...)
      return C.frReplay_GetSights(handle, number, ...)
    end)
  elseif self.verb == "visible_blocks" then
    return read_list("frFoundBlock[?]", function(...)
      return C.frReplay_GetVisibleBlocks(handle, number, ...)
    end)
  elseif self.verb == "blast" then
    return fr.read_blast(function(...) return C.frReplay_GetBlast(handle, number, ...) end)
  end
  local sight, from, to = ffi.new("int32_t[1]", -1), ffi.new("double[1]", -1), ffi.new("double[1]")
  check(C.frReplay_GetSight(handle, number, sight, from, to))
  if sight[0] >= 0 then return fr.SIGHTS[sight[0]] end
  return from[0], to[0]
end

end
