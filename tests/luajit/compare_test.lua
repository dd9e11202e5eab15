-- SPDX-License-Identifier: Apache-2.0
-- Tests the order of hits in several worlds, and fingerprints, by the LuaJIT module.
local fr = require("fractalray")
local shared = require("shared")
local ffi = fr.ffi
local small_world, along_x, refuses = shared.small_world, shared.along_x, shared.refuses

local tests = {}

-- Returns two parts of one world. Glass at x = 4 and stone at x = 12 in the first, glass at x = 8 and
-- stone at x = 14 in the second; spheres 1 and 2 at x = 6 and 10 in both, added in another order.
local function parts()
  local near, types = small_world()
  local far = small_world()
  near:set_block(0, 4, 2, 2, types.glass)
  near:set_block(0, 12, 2, 2, types.stone)
  far:set_block(0, 8, 2, 2, types.glass)
  far:set_block(0, 14, 2, 2, types.stone)
  for i = 1, 2 do
    near:add_entity({id = i, position = {2 + 4 * i, 2.5, 2.5}, radius = 0.5})
    far:add_entity({id = 3 - i, position = {2 + 4 * (3 - i), 2.5, 2.5}, radius = 0.5})
  end
  return near, far, types
end

-- Returns the first index of each block, and the id of each entity, "4 #1".
local function named(hits)
  local words = {}
  for i, hit in ipairs(hits) do
    words[i] = hit:is_block() and tostring((hit:block())) or "#" .. tonumber(hit.id)
  end
  return table.concat(words, " ")
end

function tests.merged_answers_are_those_of_the_whole()
  local near, far = parts()
  local line = along_x()
  local lists = {(near:shoot(line)), (far:shoot(line))}
  assert(named(lists[1]) == "4 #1 #2 12" and named(lists[2]) == "#1 8 #2 14")
  local merged = fr.merge_hits(line, lists)
  assert(named(merged) == "4 #1 8 #2 12" and merged[5].terminal == 1)
  -- Handles are those of the first list that has the entity.
  assert(merged[2].entity == lists[1][2].entity and merged[2].entity ~= lists[2][1].entity)
  assert(named(fr.merge_hits(line, {lists[2], {}, lists[1]}, 1, "both")) == "4 #1 8 #2 12")
  assert(#fr.merge_hits(line, {}) == 0 and #fr.merge_hits(line, {{}}) == 0)
end

function tests.hits_are_compared()
  local near, far = parts()
  local line = along_x()
  local hits, others = near:shoot(line), far:shoot(line)
  assert(fr.compare_hits(line, hits[1], hits[2]) == -1)
  assert(fr.compare_hits(line, hits[4], others[2], 1, "neither") == 1)
  assert(fr.compare_hits(line, hits[2], others[1], nil, "staircase") == 0)
  assert(fr.compare_hits(line, hits[1], near:closest_hit(line)) == 0)
end

function tests.wrong_hits_are_refused()
  local near, far, types = parts()
  local line = along_x()
  local hits = near:shoot(line)
  refuses("list 1, hit 1: ", fr.merge_hits, line, {{}, {hits[2], hits[1]}})
  refuses("list 0, hit 0: the hit of block", fr.merge_hits, fr.segment(0, 9, 9, 9, 9, 9), {hits})
  far:set_block(0, 4, 2, 2, types.stone)
  refuses("differently in list 0", fr.merge_hits, line, {hits, (far:shoot(line))})
  refuses("lists is 5; it must be a list of lists", fr.merge_hits, line, 5)
  refuses("lists[2] is 5; it must be a list of hits", fr.merge_hits, line, {hits, 5})
  refuses("lists[1][1] is 5; it must be a hit", fr.merge_hits, line, {{5}})
  refuses("lists[1] is cdata", fr.merge_hits, line, hits)
  -- A nil, as of a part without an answer, ends no list.
  local holes = {hits, hits, hits}
  holes[1] = nil
  refuses("lists[1] is nil; it must be a list of hits", fr.merge_hits, line, holes)
  holes[1], holes[2] = hits, nil
  refuses("lists[2] is nil; it must be a list of hits", fr.merge_hits, line, holes)
  local some = {hits[1], hits[2]}
  some[1] = nil
  refuses("lists[1][1] is nil; it must be a hit", fr.merge_hits, line, {some})
  refuses("cannot convert", fr.options, {after = some})
  refuses("levels is 0; it must be an integer from 1 to 10", fr.merge_hits, line, {hits}, 0)
  refuses("unknown corner policy round", fr.compare_hits, line, hits[1], hits[2], 1, "round")
  refuses("hit a: the hit of block", fr.compare_hits, line, hits[1], hits[2], 2)
  refuses("INVALID_ARGUMENT", fr.compare_hits, line, hits[1], nil)
  refuses("cannot convert", fr.compare_hits, line, 5, hits[1])
end

function tests.fingerprints_show_where_worlds_differ()
  local near, types = small_world()
  local other = small_world()
  local air = near:fingerprint(0, 0, 0, 0, 0, 0, 0)
  assert(air ~= 0 and air == other:fingerprint(0, -9, 0, 0, 9, 9, 9))
  assert(near:fingerprint(0, 1, 0, 0, 1, 0, 0) == 0)
  assert(near:block_types_fingerprint() == other:block_types_fingerprint())
  other:set_block(0, 3, 4, 5, types.stone)
  local changed = other:fingerprint(0, 0, 0, 0, 0, 0, 0)
  assert(changed ~= air and near:fingerprint(0, 0, 0, 0, 0, 0, 0) == air)
  local each, count = other:chunk_fingerprints(0, -1, 0, 0, 1, 1, 0)
  assert(count == 6 and each[0] == 0 and each[1] == changed and each[2] == 0 and each[5] == 0)
  -- Those of parts add up to that of the whole, modulo 2^64.
  other:load_chunk(0, 1, 0, 0, types.glass)
  each = other:chunk_fingerprints(0, 0, 0, 0, 1, 0, 0)
  assert(ffi.istype("uint64_t", each[0]) and each[0] + each[1] == other:fingerprint(0, 0, 0, 0, 1, 0, 0))
  other:add_channel("eye")
  assert(near:block_types_fingerprint() ~= other:block_types_fingerprint())
end

function tests.entities_have_fingerprints()
  local near, far = parts()
  local function entities(world, x) return world:entities_fingerprint(0, x, 0, 0, x, 0, 0) end
  assert(entities(near, 0) ~= 0 and entities(near, 0) == entities(far, 0) and entities(near, 1) == 0)
  far:remove_entity(far:find_entity(2))
  assert(entities(near, 0) ~= entities(far, 0))
end

function tests.wrong_boxes_are_refused()
  local world = small_world()
  local all = {-2 ^ 53, -2 ^ 53, -2 ^ 53, 2 ^ 53, 2 ^ 53, 2 ^ 53}
  for _, name in ipairs({"fingerprint", "chunk_fingerprints", "entities_fingerprint"}) do
    refuses("min[1] is 1, more than max[1], 0", world[name], world, 0, 0, 1, 0, 0, 0, 0)
    refuses("INVALID_ARGUMENT", world[name], world, 1, 0, 0, 0, 0, 0, 0)
    refuses("x is 0.5; it must be an integer", world[name], world, 0, 0.5, 0, 0, 1, 0, 0)
    refuses("z is nil; it must be an integer", world[name], world, 0, 0, 0, 0, 1, 0)
  end
  assert(world:fingerprint(0, unpack(all)) == world:fingerprint(0, 0, 0, 0, 0, 0, 0))
  refuses("more than 1073741824 chunks", world.chunk_fingerprints, world, 0, unpack(all))
end

shared.run(tests)
