-- SPDX-License-Identifier: Apache-2.0
-- Tests query logs: queries are recorded, and answered equally by their replay on an equal world.
local fr = require("fractalray")
local LOG = os.tmpname()
local LINE = fr.segment(0.5, 2.5, 2.5, 15.5, 2.5, 2.5)

local function make_world()
  local world = fr.world()
  local glass, stone = world:add_block_type("glass", "permeable"), world:add_block_type("stone")
  world:load_chunk(0, 0, 0, 0)
  world:set_block(0, 4, 2, 2, glass)
  world:set_block(0, 8, 2, 2, stone)
  return world, glass, stone
end

local function write_log(world, options)
  world:begin_log(LOG, options)
  world:shoot(LINE)
  world:occluded(LINE)
  world:flush_log()
  assert(world:end_log() == 2)
end

local function raises(expected, call, ...)
  local is_fine, reason = pcall(call, ...)
  assert(not is_fine and reason:find(expected, 1, true), tostring(reason))
end

write_log((make_world()))
local world = make_world()
local replay = fr.replay(world, LOG)
raises("INVALID_ARGUMENT", world.closest_hit, world, LINE)
local first = replay:next()
assert(first.number == 1 and first.verb == "shoot" and first.outcome == "equal")
assert(first.reason == "" and first.offset > 0 and first.levels == fr.ALL_LEVELS)
assert(first.line.to[0] == LINE.to[0])
assert(replay:next().verb == "occluded" and replay:next() == nil)

local other, glass, stone = make_world()
other:set_block(0, 8, 2, 2, fr.AIR)
raises("its blocks are not the same", fr.replay, other, LOG)
assert(other:levels() == 1)
replay = fr.replay(other, LOG, {on_other_world = true})
raises("FAILED_PRECONDITION", replay.answer, replay, "recorded")
assert(replay:next().outcome == "different")
local hits, result, occlusion = replay:answer("recorded")
assert(#hits == 2 and hits[1].type == glass and hits[2].type == stone and occlusion == nil)
assert(result.terminated == 1)
assert(#replay:answer("replayed") == 1)
raises("unknown answer both; there are recorded, replayed", replay.answer, replay, "both")
assert(replay:next().outcome == "different")
assert(select(3, replay:answer("recorded")) == "blocked")
assert(select(3, replay:answer("replayed")) == "clear")

local second = make_world()
raises("unknown option of a log", second.begin_log, second, LOG, {fingerprint = false})
raises("unknown option of a replay", fr.replay, second, LOG, {force = true})
raises("NOT_FOUND", second.begin_log, second, "/nowhere/log")
raises("FAILED_PRECONDITION", second.end_log, second)
write_log(second, {fingerprints = false})
assert(fr.replay(fr.world(), LOG):next().outcome == "different")
os.remove(LOG)
print("passed")
