-- SPDX-License-Identifier: Apache-2.0
-- Tests sight of boxes by the LuaJIT module.
local fr = require("fractalray")
local shared = require("shared")
local ffi = fr.ffi
local small_world, refuses = shared.small_world, shared.refuses

local tests = {}

-- An eye in front of a wall at x = 8 with a hole, y = z = 2.
local function wall_with_a_hole()
  local world, types = small_world()
  world:fill_box(0, 8, 0, 0, 8, 15, 15, types.stone)
  world:set_block(0, 8, 2, 2, fr.AIR)
  return world, types
end
local function cube(x, y, z)
  return fr.sight_query({2.5, 2.5, 2.5}, {x, y, z}, {x + 1, y + 1, z + 1})
end

function tests.an_eye_sees_boxes()
  local world = wall_with_a_hole()
  local answer = fr.sized("frSightAnswer")
  assert(world:visible(cube(12, 2, 2), nil, nil, answer) == "visible")
  assert(answer.delta[0] > 0 and answer.sight == fr.C.FR_SIGHT_VISIBLE)
  assert(world:visible(cube(12, 9, 2)) == "hidden")
  assert(world:visible(cube(20, 2, 2)) == "unknown")
  assert(world:visible(cube(20, 2, 2), nil, {unloaded = "transparent"}) == "visible")
  assert(world:visible(cube(12, 9, 2), fr.levels(0), {through = 1}) == "visible")
  local sheet = {{4 * 65536, 0, 0}, {4 * 65536 + 1, 16 * 65536, 16 * 65536}}
  local options = fr.sight_options({occluders = {sheet}})
  assert(world:visible(cube(12, 2, 2), nil, options) == "hidden")
  world:add_entity({id = 5, position = {5, 2.5, 2.5}, half_extents = {0.1, 2, 2}})
  assert(world:visible(cube(12, 2, 2), nil, {boxes_block = true}) == "hidden")
  assert(world:visible(cube(12, 2, 2), nil, {boxes_block = true, ignore = {5}}) == "visible")
  refuses("unknown option of sight thruogh", world.visible, world, cube(12, 2, 2), nil, {thruogh = 1})
  refuses("unknown unloaded space maybe", fr.sight_options, {unloaded = "maybe"})
  refuses("INVALID_ARGUMENT", world.visible, world, cube(12, 2, 2), 0)
end

function tests.certificates_and_exposures()
  local world = wall_with_a_hole()
  local boxes, count = world:find_certificate(cube(12, 9, 2))
  assert(count >= 1 and fr.hides(boxes, count, cube(12, 9, 2)))
  assert(not fr.hides(boxes, count, cube(12, 2, 2)))
  assert(select(2, world:find_certificate(cube(12, 2, 2))) == 0)
  refuses("boxes has", fr.hides, boxes, 1000, cube(12, 9, 2))
  local from, to = world:exposure(cube(12, 2, 2))
  assert(from == 1 and to == 1)
  from, to = world:exposure(cube(12, 3, 2))
  assert(0 < from and from <= to and to < 1)
  from, to = world:exposure(cube(20, 2, 2))
  assert(from == 0 and to == 1)
end

function tests.many_boxes_are_seen_as_one_by_one()
  local world = wall_with_a_hole()
  local names = {[fr.C.FR_SIGHT_HIDDEN] = "hidden", [fr.C.FR_SIGHT_VISIBLE] = "visible"}
  local queries = ffi.new("frSightQuery[?]", 101)
  for i = 0, 99 do queries[i] = cube(12, i / 10, 2) end
  local answers = world:visible_many(queries, 101)
  for i = 0, 99 do assert(names[answers[i]] == world:visible(queries[i])) end
  assert(answers[100] == fr.C.FR_SIGHT_UNDECIDED)
  refuses("queries has 101 elements", world.visible_many, world, queries, 102)
end

function tests.blocks_in_sight_are_found()
  local world, types = wall_with_a_hole()
  world:set_block(0, 12, 2, 2, types.glass)
  world:set_block(0, 12, 9, 2, types.glass)
  local eye = {2.5, 2.5, 2.5}
  local found, count = world:visible_blocks(eye, 20, nil, {types.glass})
  assert(count == 1 and found[0].block[0] == 12 and found[0].block[1] == 2)
  assert(found[0].sight == fr.C.FR_SIGHT_VISIBLE and found[0].type == types.glass)
  found, count = world:visible_blocks(eye, 30)
  assert(count == 256)
  for i = 0, count - 1 do
    local at = found[i].block
    local x, y, z = tonumber(at[0]), tonumber(at[1]), tonumber(at[2])
    assert(world:visible(cube(x, y, z)) == "visible")
  end
  assert(select(2, world:visible_blocks(eye, 20, nil, {types.glass}, {through = 1})) == 2)
  found, count = world:visible_blocks(eye, 20, nil, {types.glass}, {max_steps = 1})
  assert(count == 2 and found[1].sight == fr.C.FR_SIGHT_UNDECIDED)
  refuses("the radius", world.visible_blocks, world, eye, -1)
  refuses("types", world.visible_blocks, world, eye, 5, nil, {777})
end

shared.run(tests)
