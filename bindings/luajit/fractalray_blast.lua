-- SPDX-License-Identifier: Apache-2.0
-- Blasts, of the LuaJIT module. A part of fractalray.lua, which loads it.
local error, pairs, tostring, type = error, pairs, tostring, type
local format, tonumber, floor, max = string.format, tonumber, math.floor, math.max
return function(fr)

local ffi, C, check, World = fr.ffi, fr.C, fr.check, fr.World
local EXACT = 2 ^ 53
local Rays, Resistances = ffi.typeof("frBlastRay[?]"), ffi.typeof("int64_t[?]")
local Blocks, Entities = ffi.typeof("frBrokenBlock[?]"), ffi.typeof("frExposedEntity[?]")
-- LuaJIT makes arrays of less than 2 GiB.
local MOST = floor((2 ^ 31 - 1) / ffi.sizeof("frBlastRay"))

-- The resistance of a block type that no power breaks.
fr.UNBREAKABLE = 0x7fffffffffffffffLL

-- Returns rays of equal power to all points of the surface of a cube of n x n x n points,
-- frBlastRay[count], and their count. Their steps have the length `step`, in finest-block widths,
-- rounded to units.
local count = ffi.new("size_t[1]")
function fr.cube_fan(n, step, power)
  fr.integer(n, "n", -2 ^ 31, 2 ^ 31 - 1)
  fr.number(step, "step")
  fr.integer(power, "power", -EXACT, EXACT)
  check(C.frMakeCubeFan(n, step, power, nil, 0, count))
  local rays = Rays(tonumber(count[0]))
  check(C.frMakeCubeFan(n, step, power, rays, count[0], count))
  return rays, tonumber(count[0])
end

-- Returns an array of resistances by block type, in which types that are not named are unbreakable,
-- and its length.
local function resistances_of(list, depth)
  if type(list) ~= "table" then
    error(format("fractalray: resistances is %s; it must be a table {[block type] = power}",
      tostring(list)), depth)
  end
  local last = -1
  for block_type in pairs(list) do
    last = max(last, tonumber(fr.integer(block_type, "block type", 0, 0xffff, depth)))
  end
  local array = Resistances(last + 1)
  for i = 0, last do array[i] = fr.UNBREAKABLE end
  for block_type, power in pairs(list) do
    array[block_type] = fr.integer(power, format("resistances[%d]", block_type), 0, EXACT, depth)
  end
  return array, last + 1
end

local KNOWN = {center = true, radius = true, rays = true, ray_count = true, resistances = true,
  falloff = true, max_samples = true}
local center = ffi.new("double[3]")

-- Returns a table with an frBlastQuery, c, and the arrays that it points to, which it keeps alive.
local function query_of(blast, depth)
  fr.check_members(blast, KNOWN, "member of a blast", depth - 1)
  local c = fr.sized("frBlastQuery")
  fr.numbers(blast.center, "center", 3, center, depth - 1)
  for axis = 0, 2 do c.center[axis] = center[axis] end
  c.radius = fr.number(blast.radius, "radius", depth - 1)
  c.ray_count = fr.integer(blast.ray_count, "ray_count", 0, MOST, depth - 1)
  c.rays = fr.array(blast.rays, "frBlastRay", tonumber(c.ray_count), "rays", depth - 1)
  c.falloff = fr.integer(blast.falloff or 0, "falloff", 0, EXACT, depth - 1)
  c.max_samples = fr.integer(blast.max_samples or 0, "max_samples", 0, EXACT, depth - 1)
  local resistances, types = resistances_of(blast.resistances, depth)
  c.resistances, c.resistance_count = resistances, types
  return {c = c, rays = blast.rays, resistances = resistances}
end

-- Calls `ask` with the arrays for a blast, and once more if its answer is longer than expected.
-- Returns what World:blast does.
function fr.read_blast(ask)
  local result = fr.sized("frBlastResult")
  local block_capacity, entity_capacity = 1024, 64
  local blocks, entities, code
  repeat
    blocks, entities = Blocks(block_capacity), Entities(entity_capacity)
    code = ask(blocks, block_capacity, entities, entity_capacity, result)
    local is_short = result.block_count > block_capacity or result.entity_count > entity_capacity
    block_capacity = max(block_capacity, tonumber(result.block_count))
    entity_capacity = max(entity_capacity, tonumber(result.entity_count))
  until code ~= C.FR_OUT_OF_RANGE or not is_short
  check(code, 3)
  return {blocks = blocks, block_count = tonumber(result.block_count), entities = entities,
    entity_count = tonumber(result.entity_count), samples = tonumber(result.samples),
    reaches_unknown = result.reaches_unknown == 1}
end

-- Finds the blocks that an explosion breaks and the entities that it reaches; changes nothing.
-- `blast` is a table of center, a list of three numbers; radius; rays, frBlastRay[ray_count], with
-- ray_count; resistances, {[block type] = power that a ray loses at each sample in such a block},
-- in which types that are not named are unbreakable; falloff, the power that a ray loses after each
-- sample (default 0); max_samples (default no limit). `options` select blocks and entities, `sight`
-- (fr.sight_options) what shields entities.
--
-- Returns a table of blocks, frBrokenBlock[block_count], in the order of steps from the centre;
-- block_count; entities, frExposedEntity[entity_count], the nearest first; entity_count; samples;
-- reaches_unknown, true if a ray with power was sampled where no level is loaded.
function World:blast(blast, levels, options, sight)
  local query = query_of(blast, 4)
  local filter, shields = fr.prepared(options), fr.prepared_sight(sight)
  local mask = fr.mask(levels)
  return fr.read_blast(function(...)
    return C.frWorld_Blast(self.handle, query.c, mask, filter and filter.c, shields and shields.c,
      ...)
  end)
end

end
