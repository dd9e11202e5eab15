-- SPDX-License-Identifier: Apache-2.0
-- Tests that the LuaJIT module refuses what C would misread, with the position of the caller.
local fr = require("fractalray")
local shared = require("shared")
local ffi = fr.ffi
local small_world, along_x, refuses = shared.small_world, shared.along_x, shared.refuses

local tests = {}

function tests.bad_input_is_refused()
  local world, types = small_world()
  refuses("OUT_OF_RANGE", fr.segment, 0, 0, 0, 1e300, 0, 0)
  refuses("INVALID_ARGUMENT", fr.segment, 0, 0, 0, 0 / 0, 0, 0)
  refuses("INVALID_ARGUMENT", fr.ray, 0, 0, 0, 0, 0, 0)
  refuses("INVALID_ARGUMENT", world.closest_hit, world, along_x(), 0)
  refuses("4294967295, as fr.levels(0, 2) returns", world.shoot, world, along_x(), {0, 2})
  refuses("unknown option chanel", world.closest_hit, world, along_x(), nil, {chanel = 1})
  refuses("channel is 65536", world.closest_hit, world, along_x(), nil, {channel = 65536})
  refuses("there are 9 budgets", fr.options, {rules = fr.rules(), budgets = {1, 2, 3, 4, 5, 6, 7, 8, 9}})
  refuses("unknown corner policy round", world.closest_hit, world, along_x(), nil, {corner = "round"})
  refuses("must be an integer from", world.set_block, world, 0, 0.5, 0, 0, types.stone)
  refuses("must be an integer from", world.set_block, world, 0, 0 / 0, 0, 0, types.stone)
  refuses("must be an integer from", world.path, world, 0, 0.5, 0, 0)
  refuses("unknown kind hard", world.add_block_type, world, "rock", "hard")
  refuses("ALREADY_EXISTS", world.add_block_type, world, "stone")
  refuses("NOT_FOUND", world.find_block_type, world, "gold")
  refuses("fractalray: ", world.set_block, world, 0, 1, 1, 1, 999)
  for _, cut in ipairs({65536 + types.stone, -65535, types.stone + 0.5, 0 / 0}) do
    refuses("must be an integer from 0 to 65535", world.set_block, world, 0, 1, 1, 1, cut)
    refuses("must be an integer from 0 to 65535", world.fill_box, world, 0, 1, 1, 1, 2, 2, 2, cut)
    refuses("must be an integer from 0 to 65535", world.load_chunk, world, 0, 1, 0, 0, cut)
    refuses("must be an integer from 0 to 65535", world.block_type_name, world, cut)
  end
  refuses("fractalray: ", fr.world, {levels = 11})
end

function tests.widths_of_cells_are_not_rounded()
  local from, to = {100.001, 0.01}, {101, 0.01}
  refuses("widths[1] is 0.05, which is not a multiple of 1/65536; divide the coordinates by it and "
    .. "leave it out, or give 0.0500030517578125", fr.walk, 2, from, to, {0.05, 0.05})
  refuses("widths[2] is 0.1, which", fr.walk, 2, from, to, {1, 0.1})
  refuses("widths[1] is 1e-09, which is not a multiple of 1/65536; divide the coordinates by it and "
    .. "leave it out, or give 1.52587890625e-05", fr.walk, 2, from, to, {1e-9, 1})
  refuses("INVALID_ARGUMENT", fr.walk, 2, from, to, {-1, 1})
  local first = fr.walk(2, from, to, {0.0625, 0.0625})()
  assert(tonumber(first.cell[0]) == math.floor(100.001 / 0.0625))
end

function tests.arrays_that_c_would_read_past_are_refused()
  local world = small_world()
  local short, bytes = ffi.new("uint16_t[4095]"), ffi.new("uint8_t[8192]")
  refuses("content has 4095 elements; it must have 4096", world.load_chunk, world, 0, 0, 0, 0, short)
  refuses("borrow has 4095 elements", world.load_chunk, world, 0, 0, 0, 0, {borrow = short})
  refuses("it must be an array of uint16_t", world.load_chunk, world, 0, 0, 0, 0, bytes)
  refuses("borrow is nil", world.load_chunk, world, 0, 0, 0, 0, {})
  refuses("ids has 119 elements; it must have 120", world.load_box, world, 0, 0, 0, 0, 19, 2, 1, ffi.new("uint8_t[119]"))
  refuses("it must be an array of uint8_t, uint16_t or uint32_t", world.load_box, world, 0, 0, 0, 0, 1, 1, 1, ffi.new("float[8]"))
  for _, untyped in ipairs({"void*", "const void*"}) do
    refuses("it must be an array of uint8_t, uint16_t or uint32_t", world.load_box, world, 0, 0, 0, 0, 1, 1, 1, ffi.cast(untyped, short))
  end
  refuses("ids is nil", world.load_box, world, 0, 0, 0, 0, 1, 1, 1)
  refuses("fractalray: ", world.load_box, world, 0, 5, 0, 0, 1, 1, 1, short)
  local points, floats = ffi.new("double[?]", 6), ffi.new("float[?]", 9)
  refuses("has 6 elements; it must have 9", world.closest_hits, world, points, points, 3)
  refuses("it must be an array of double", world.occluded_many, world, floats, floats, 3)
  refuses("it must be an array of double", world.occluded_many, world, {1, 2, 3}, points, 1)
  -- Pointers, longer arrays and members of structs.
  local ids, hit = ffi.new("uint16_t[4096]"), ffi.new("frHit")
  world:load_chunk(0, 0, 0, 0, ffi.cast("uint16_t*", ids))
  assert(world:closest_hits(points, points + 3, 1)[0].kind == 0)
  assert(world:closest_hits(hit.point, points, 1)[0].kind == 0)
end

function tests.misspelt_members_are_refused()
  local world, types = small_world()
  refuses("unknown option of a world lvels; there are anchor, levels", fr.world, {lvels = 2})
  refuses("2 is no table: give each option of a world by its name", fr.world, 2)
  -- The position is that of the caller, not in the module.
  for _, options in ipairs{{onhit = print}, {max_hits = 1.5}, {ignore = {-1}}} do
    refuses("bad_input_test.lua:", function() local _ = world:closest_hit(along_x(), nil, options) end)
    refuses("bad_input_test.lua:", function() local _ = fr.options(options) end)
  end
  refuses("no_entities, on_hit, report_unknown", world.shoot, world, along_x(),
    nil, {onhit = print})
  refuses("neither a radius nor half_extents", world.add_entity, world, {id = 1, position = {1, 1, 1}})
  refuses("unknown member of an entity categorys", world.add_entity, world,
    {id = 1, position = {1, 1, 1}, radius = 1, categorys = 2})
  refuses("unknown member of a rule per_hits", fr.rules().set_block, fr.rules(), types.glass,
    {budget = 0, per_hits = 1})
  refuses("unknown member of a chunk writeable", world.load_chunk, world, 0, 0, 0, 0,
    {borrow = ffi.new("uint16_t[4096]"), writeable = true})
  assert(#(world:shoot(along_x())) == 0)
end

function tests.texts_that_c_would_cut_are_refused()
  local world = small_world()
  refuses("name contains a zero byte", world.add_block_type, world, "stone\0ware")
  refuses("name contains a zero byte", world.find_block_type, world, "stone\0")
  refuses("name contains a zero byte", world.add_channel, world, "a\0")
  refuses("name is nil", world.add_block_type, world)
  refuses("anchor is 5", fr.world, {anchor = 5})
end

shared.run(tests)
