-- SPDX-License-Identifier: Apache-2.0
-- Tests blasts by the LuaJIT module.
local fr = require("fractalray")
local shared = require("shared")
local ffi = fr.ffi
local small_world, refuses = shared.small_world, shared.refuses

local tests = {}

-- Stone at x = 2, glass at x = 3, and a wall of stone at x = 8.
local function scene()
  local world, types = small_world()
  world:set_block(0, 2, 0, 0, types.stone)
  world:set_block(0, 3, 0, 0, types.glass)
  world:fill_box(0, 8, 0, 0, 8, 15, 15, types.stone)
  return world, types
end

-- Returns a blast of one ray along x, with other members.
local function ahead(types, members)
  local rays = ffi.new("frBlastRay[1]", {{{32768, 0, 0}, 30}})
  local blast = {center = {0.5, 0.5, 0.5}, radius = 6, rays = rays, ray_count = 1, falloff = 1,
    resistances = {[types.stone] = 10, [types.glass] = 3}}
  for name, value in pairs(members or {}) do blast[name] = value end
  return blast
end

function tests.a_fan_has_the_surface_of_a_cube()
  local rays, count = fr.cube_fan(16, 0.3, 7)
  assert(count == 1352 and rays[0].step[0] == -11351 and rays[1351].step[2] == 11351)
  local sum = 0
  for i = 0, count - 1 do
    assert(rays[i].power == 7)
    sum = sum + tonumber(rays[i].step[0] + rays[i].step[1] + rays[i].step[2])
  end
  assert(sum == 0)
  refuses("INVALID_ARGUMENT", fr.cube_fan, 1, 1, 1)
  refuses("INVALID_ARGUMENT", fr.cube_fan, 4, 0 / 0, 1)
  refuses("power is 1.5", fr.cube_fan, 4, 1, 1.5)
  refuses("power is 1e+300", fr.cube_fan, 4, 1, 1e300)
  refuses('step is "x"', fr.cube_fan, 4, "x", 1)
end

function tests.a_ray_loses_power_at_each_sample()
  local world, types = scene()
  local blast = world:blast(ahead(types))
  assert(blast.block_count == 2 and blast.samples == 7 and not blast.reaches_unknown)
  local stone, glass = blast.blocks[0], blast.blocks[1]
  assert(stone.type == types.stone and stone.block[0] == 2 and stone.steps == 3)
  assert(stone.power == 17 and stone.ray == 0 and stone.level == 0)
  assert(glass.type == types.glass and glass.block[0] == 3 and glass.power == 2)
  assert(world:blast(ahead(types, {center = {-0.5, 0.5, 0.5}})).reaches_unknown)
end

function tests.options_select_the_blocks()
  local world, types = scene()
  assert(world:blast(ahead(types), nil, {solid_only = true}).block_count == 1)
  assert(world:blast(ahead(types), fr.levels(0), {no_blocks = true}).block_count == 0)
  local unbreakable = {[types.stone] = fr.UNBREAKABLE, [types.glass] = 3}
  assert(world:blast(ahead(types, {resistances = unbreakable})).block_count == 0)
  -- A type that is not named.
  assert(world:blast(ahead(types, {resistances = {[types.glass] = 3}})).block_count == 0)
  assert(world:blast(ahead(types, {resistances = {}})).block_count == 0)
end

function tests.no_power_is_too_large()
  local world, types = scene()
  local rays = ffi.new("frBlastRay[1]", {{{65536, 0, 0}, fr.UNBREAKABLE}})
  local blast = world:blast(ahead(types, {rays = rays}))
  assert(blast.block_count == 2 and blast.blocks[0].power == fr.UNBREAKABLE - 12)
end

function tests.entities_have_their_exposure()
  local world, types = scene()
  world:add_entity({id = 7, position = {0.5, 4, 0.5}, radius = 0.5})
  world:add_entity({id = 8, position = {10, 0.5, 0.5}, half_extents = {0.5, 0.5, 0.5}})
  local rays = ffi.new("frBlastRay[1]")
  local function reached(options, sight)
    return world:blast(ahead(types, {radius = 12, rays = rays, ray_count = 0}), nil, options, sight)
  end
  local blast = reached()
  assert(blast.entity_count == 2 and blast.block_count == 0)
  assert(blast.entities[0].id == 7 and blast.entities[0].distance == 3)
  assert(blast.entities[0].from == 1 and blast.entities[1].to == 0)
  local query = fr.sight_query({0.5, 0.5, 0.5}, {9.5, 0, 0}, {10.5, 1, 1})
  local from, to = world:exposure(query)
  assert(blast.entities[1].from == from and blast.entities[1].to == to)
  blast = reached({ignore = {7}}, {no_blocks = true})
  assert(blast.entity_count == 1 and blast.entities[0].id == 8 and blast.entities[0].from == 1)
  refuses("unknown option of sight maybe", reached, nil, {maybe = true})
end

-- The arrays grow with the answer, and each block is in it once.
function tests.an_answer_may_be_long()
  local world, types = small_world()
  world:load_chunk(0, 0, 0, 0, types.stone)
  for i = 0, 99 do
    world:add_entity({id = i + 1, position = {2 + i % 10, 2 + math.floor(i / 10), 8}, radius = 0.1})
  end
  local rays, count = fr.cube_fan(24, 0.5, 100)
  local blast = world:blast({center = {8, 8, 8}, radius = 12, rays = rays, ray_count = count,
    resistances = {[types.stone] = 1}})
  assert(blast.block_count > 1024 and blast.entity_count == 100)
  local seen, last = {}, 0
  for i = 0, blast.block_count - 1 do
    local block = blast.blocks[i]
    local key = tonumber(block.block[0] + 100 * block.block[1] + 10000 * block.block[2])
    assert(not seen[key] and block.steps >= last and block.power > 0)
    seen[key], last = true, block.steps
  end
end

function tests.wrong_arguments_are_refused()
  local world, types = scene()
  local function refused(expected, members, ...)
    refuses(expected, world.blast, world, ahead(types, members), ...)
  end
  refused("INVALID_ARGUMENT", {center = {0, 0 / 0, 0}})
  refused("OUT_OF_RANGE", {center = {0, 1e300, 0}})
  refused("center must be a list of 3 numbers", {center = {1, 2}})
  refused("INVALID_ARGUMENT", {radius = -1})
  refused("OUT_OF_RANGE", {radius = 65537})
  refused("falloff is -1", {falloff = -1})
  refused("resistances[1] is -2", {resistances = {[1] = -2}})
  refused("resistances[1] is 0.5", {resistances = {[1] = 0.5}})
  refused("block type is 65536", {resistances = {[65536] = 2}})
  refused("resistances is 5", {resistances = 5})
  refused("rays has 1 elements; it must have 2", {ray_count = 2})
  refused("ray_count is -1", {ray_count = -1})
  refused("rays is 5; it must be an array of frBlastRay", {rays = 5})
  refused("the step of ray 0 is zero", {rays = ffi.new("frBlastRay[1]")})
  refused("RESOURCE_EXHAUSTED", {max_samples = 6})
  refused("unknown member of a blast power", {power = 6})
  refused("INVALID_ARGUMENT", {}, 0)
  refused("unknown option solidonly", {}, nil, {solidonly = true})
  refuses("is no table", world.blast, world, nil)
end

shared.run(tests)
