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

function tests.wrong_occluders_are_named()
  local corner = {0, 0, 0}
  local function refuses_boxes(expected, boxes)
    refuses("fractalray: " .. expected, fr.sight_options, {occluders = boxes})
  end
  refuses_boxes("occluders is 5; it must be a list of boxes", 5)
  refuses_boxes("occluders[1] is a list of 6; it must be a box {{x, y, z}, {x, y, z}} in units",
    {{0, 0, 0, 1, 1, 1}})
  refuses_boxes("occluders[1] is nil; it must be a box", {nil, {corner, corner}})
  refuses_boxes("occluders[2] is nil; it must be a box", {{corner, corner}, nil, {corner, corner}})
  refuses_boxes("occluders[1][2] is a list of 2; it must be a corner {x, y, z}", {{corner, {1, 1}}})
  refuses_boxes("occluders[1][1] is 0; it must be a corner {x, y, z}", {{0, corner}})
  refuses_boxes("occluders[1][2][3] is 0.5; it must be an integer", {{corner, {1, 1, 0.5}}})
end

function tests.errors_name_the_line_of_the_caller()
  local world = wall_with_a_hole()
  for _, wrong in ipairs({{occluders = 5}, {occluders = {{{1, 2, 3}, {0.5, 1, 1}}}}, {through = -1},
    {thruogh = 1}}) do
    for _, call in ipairs({function() fr.sight_options(wrong) end,
      function() world:visible(cube(12, 2, 2), nil, wrong) end}) do
      refuses("sight_test.lua:", call)
    end
  end
  local line = fr.segment(0, 0, 0, 1, 1, 1)
  for _, wrong in ipairs({{corner = "x"}, {ignore = {-1}}, {max_hits = -1}, {nope = 1}}) do
    refuses("sight_test.lua:", function() world:occluded(line, nil, wrong) end)
  end
end

function tests.certificates_and_exposures()
  local world = wall_with_a_hole()
  local boxes, count = world:find_certificate(cube(12, 9, 2))
  assert(count >= 1 and fr.hides(boxes, count, cube(12, 9, 2)))
  assert(not fr.hides(boxes, count, cube(12, 2, 2)))
  assert(not fr.hides(boxes, count, cube(12, 9, 2), 100 * 65536))
  assert(select(2, world:find_certificate(cube(12, 2, 2))) == 0)
  refuses("boxes has", fr.hides, boxes, 1000, cube(12, 9, 2))
  for _, wrong in ipairs({-1, 1.5, "1"}) do
    refuses("fractalray: box_count is", fr.hides, boxes, wrong, cube(12, 9, 2))
  end
  refuses("fractalray: box_count is nil", fr.hides, boxes, nil, cube(12, 9, 2))
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
  for i = 0, 98 do queries[i] = cube(12, i / 10, 2) end
  fr.sight_query({2.5, 2.5, 2.5}, {12, 9.9, 2}, {13, 10.9, 3}, queries[99])
  local answers = world:visible_many(queries, 101)
  for i = 0, 99 do assert(names[answers[i]] == world:visible(queries[i])) end
  assert(answers[100] == fr.C.FR_SIGHT_UNDECIDED)
  refuses("queries has 101 elements", world.visible_many, world, queries, 102)
end

function tests.viewers_see_boxes_as_their_eyes_do()
  local world = wall_with_a_hole()
  local seen, hidden, unknown = fr.C.FR_SIGHT_VISIBLE, fr.C.FR_SIGHT_HIDDEN, fr.C.FR_SIGHT_UNKNOWN
  local skipped = fr.C.FR_SIGHT_SKIPPED
  local eyes = ffi.new("double[9]", {2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 12.5, 12, 2.5})
  local boxes = ffi.new("double[18]", {12, 2, 2, 13, 3, 3, 12, 9, 2, 13, 10, 3, 20, 2, 2, 21, 3, 3})
  local function asks(expected, viewers, options)
    local answers = world:visible_boxes(eyes, viewers, boxes, 3, nil, options)
    for i, answer in ipairs(expected) do assert(answers[i - 1] == answer, i) end
  end
  asks({seen, hidden, unknown, seen, hidden, unknown}, 2)
  local counts = ffi.new("uint32_t[3]", {1, 2, 0})
  asks({seen, hidden, unknown, seen, seen, unknown, skipped, skipped, skipped}, 3,
    {eye_counts = counts})
  asks({seen, hidden, unknown, seen, seen, unknown}, 2LL, {eye_counts = counts})
  asks({skipped, hidden, skipped}, 1,
    {left_out = ffi.new("uint8_t[3]", {1, 0, 0}), max_distance = 15 * 65536})
  asks({skipped, fr.C.FR_SIGHT_UNDECIDED, skipped}, 1, {each = {max_steps = 1},
    if_undecided = "report", left_out = ffi.new("uint8_t[3]", {1, 0, 1})})
  local history = fr.sight_history()
  for _ = 1, 2 do asks({seen, hidden, unknown, seen, hidden, unknown}, 2, {history = history}) end
  local _, stats = world:visible_boxes(eyes, 2, boxes, 3, nil, {history = history})
  assert(stats.pairs == 6 and stats.unchanged > 0 and stats.searched < 6)
  refuses("it must be one of fr.sight_history", world.visible_boxes, world, eyes, 1, boxes, 1, nil,
    {history = {}})
  refuses("boxes has 18 elements", world.visible_boxes, world, eyes, 1, boxes, 4)
  refuses("unknown option of a table of sight near", world.visible_boxes, world, eyes, 1, boxes, 1,
    nil, {near = 1})
  refuses("unknown answer maybe", world.visible_boxes, world, eyes, 1, boxes, 1, nil,
    {if_undecided = "maybe"})
  boxes[0] = 14
  refuses("boxes[0]", world.visible_boxes, world, eyes, 1, boxes, 3)
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
