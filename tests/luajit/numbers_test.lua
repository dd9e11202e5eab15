-- SPDX-License-Identifier: Apache-2.0
-- Tests that numbers which C integers would cut are refused, by every function of the LuaJIT module
-- that takes them: the error names the parameter, the value and the range, and nothing changes.
local fr = require("fractalray")
local ffi = fr.ffi

local world = fr.world({levels = 2, anchor = "7a3_221"})
local stone = world:add_block_type("stone")
world:load_chunk(0, 0, 0, 0)
local ball = world:add_entity({id = 7, position = {5, 2.5, 2.5}, radius = 1})
local line = fr.segment(0.5, 2.5, 2.5, 15, 2.5, 2.5)
local rules = fr.rules()
rules:add_budget(1)
local points = ffi.new("double[3]")

local NEVER = {1.5, -1.5, 0 / 0, 1 / 0, -1 / 0, 2 ^ 70, "1", true, {}}
local LEVELS = {2 ^ 31, 2 ^ 32, 2 ^ 33, -2 ^ 32, 2LL ^ 33}
local MASKS = {-1, 2 ^ 32, 2 ^ 33 + 1, -2 ^ 32 + 1, 2LL ^ 33}
local IDS = {-1, -2 ^ 53, 2 ^ 53 + 2, 2 ^ 64 + 7, -1LL}
local INDICES = {2 ^ 53 + 2, -2 ^ 53 - 2, 2 ^ 64, 2ULL ^ 63}
local TYPES = {-1, 65536, 65536 + 1, -65535}

local function entity(member, value)
  local def = {id = 8, position = {5, 5, 5}, radius = 1}
  def[member] = value
  return function() world:add_entity(def) end
end
local function option(member, value)
  return function() world:closest_hit(line, nil, {[member] = value}) end
end

-- The name of a parameter in errors, the values that it refuses besides NEVER, and a call.
local calls = {
  {"levels", {0, 11, 2 ^ 32 + 1, -2 ^ 32 + 1}, function(n) fr.world({levels = n}) end},
  {"level", {-1, 10, 256, 2 ^ 32, 2LL ^ 33}, function(n) fr.levels(0, n) end},
  {"level", LEVELS, function(n) world:load_chunk(n, 0, 0, 0) end},
  {"level", LEVELS, function(n) world:load_proto_chunk(n, 1, 0, 0) end},
  {"level", LEVELS, function(n) world:unload_chunk(n, 0, 0, 0) end},
  {"level", LEVELS, function(n) world:chunk_state(n, 0, 0, 0) end},
  {"level", LEVELS, function(n) world:expand_block(n, 0, 0, 0) end},
  {"level", LEVELS, function(n) world:get_block(n, 0, 0, 0) end},
  {"level", LEVELS, function(n) world:set_block(n, 0, 0, 0, stone) end},
  {"level", LEVELS, function(n) world:refresh_block(n, 0, 0, 0) end},
  {"level", LEVELS, function(n) world:fill_box(n, 0, 0, 0, 1, 1, 1, stone) end},
  {"level", LEVELS, function(n) world:path(n, 0, 0, 0) end},
  {"level", LEVELS, function(n) entity("level", n)() end},
  {"id", IDS, function(n) entity("id", n)() end},
  {"categories", IDS, function(n) entity("categories", n)() end},
  {"class", MASKS, function(n) entity("class", n)() end},
  {"entity", IDS, function(n) world:move_entity(n, 1, 1, 1) end},
  {"entity", IDS, function(n) world:remove_entity(n) end},
  {"entity", IDS, function(n) world:entity_chunks(n) end},
  {"id", IDS, function(n) world:find_entity(n) end},
  {"x", INDICES, function(n) world:get_block(0, n, 0, 0) end},
  {"y", INDICES, function(n) world:load_chunk(0, 0, n, 0) end},
  {"z", INDICES, function(n) world:recenter(0, 0, n) end},
  {"x", INDICES, function(n) world:descend(n, 0, 0) end},
  {"y", INDICES, function(n) world:fill_box(0, 0, 0, 0, 1, n, 1, stone) end},
  {"z", INDICES, function(n) world:path(0, 0, 0, n) end},
  {"block type", TYPES, function(n) world:set_block(0, 0, 0, 0, n) end},
  {"block type", TYPES, function(n) world:block_type_name(n) end},
  {"block type", TYPES, function(n) rules:set_block(n, "stop") end},
  {"budget", {-1, 8, 256, 256 + 0}, function(n) rules:set_block(stone, {budget = n}) end},
  {"budget", {-1, 8, 256}, function(n) rules:set_entities(1, {budget = n}) end},
  {"levels", MASKS, function(n) rules:set_block(stone, "stop", n) end},
  {"levels", MASKS, function(n) rules:set_entities(1, "stop", n) end},
  {"categories", IDS, function(n) rules:set_entities(n, "stop") end},
  {"levels", MASKS, function(n) world:closest_hit(line, n) end},
  {"levels", MASKS, function(n) world:occluded(line, n) end},
  {"levels", MASKS, function(n) world:hits_along(line, n) end},
  {"levels", MASKS, function(n) world:shoot(line, n) end},
  {"levels", MASKS, function(n) world:shoot(line, n, {on_hit = print}) end},
  {"levels", MASKS, function(n) world:level_parts(line, n) end},
  {"levels", MASKS, function(n) world:chunks_on(line, n) end},
  {"levels", MASKS, function(n) world:closest_hits(points, points, 1, n) end},
  {"levels", MASKS, function(n) world:occluded_many(points, points, 1, n) end},
  {"line_count", {-1, 2 ^ 32}, function(n) world:closest_hits(points, points, n) end},
  {"line_count", {-1, 2 ^ 32}, function(n) world:occluded_many(points, points, n) end},
  {"channel", TYPES, function(n) option("channel", n)() end},
  {"categories", IDS, function(n) option("categories", n)() end},
  {"max_hits", IDS, function(n) option("max_hits", n)() end},
  {"max_steps", IDS, function(n) option("max_steps", n)() end},
  {"max_batch_steps", IDS, function(n) option("max_batch_steps", n)() end},
  {"ignore[2]", IDS, function(n) option("ignore", {7, n})() end},
  {"corner", {-1, 3, 2 ^ 32}, function(n) world:chunks_on(line, nil, n) end},
  {"corner", {-1, 3, 2 ^ 32}, function(n) fr.walk(2, {0, 0}, {1, 1}, nil, n) end},
  {"dimensions", {-1, 1, 4, 2 ^ 32 + 2}, function(n) fr.walk(n, {0, 0}, {1, 1}) end},
}

-- Returns "levels is 1.5;", as the error for a value begins.
local function beginning(name, value)
  local shown = type(value) == "string" and '"' .. value .. '"' or tostring(value)
  return name .. " is " .. shown .. ";"
end

local before = ffi.new("uint64_t[4]")
fr.check(fr.C.frWorld_GetVersions(world.handle, before, before + 1))
local checks = 0
for i, call in ipairs(calls) do
  local name, others, run = unpack(call)
  for _, values in ipairs({NEVER, others}) do
    for _, value in ipairs(values) do
      local what = ("call %d, %s"):format(i, beginning(name, value))
      local is_fine, reason = pcall(run, value)
      assert(not is_fine, what .. " is accepted")
      assert(type(reason) == "string" and reason:find(beginning(name, value), 1, true), what .. " "
        .. tostring(reason))
      assert(reason:find("it must be an integer from %-?%d+ to %d+"), reason)
      assert(reason:find("numbers_test.lua:", 1, true), reason)
      checks = checks + 1
    end
  end
end
fr.check(fr.C.frWorld_GetVersions(world.handle, before + 2, before + 3))
assert(before[0] == before[2] and before[1] == before[3], "the world has changed")
print("refused " .. checks)

-- Parameters that are doubles in C, which booleans would become too. The library refuses NaN.
local doubles = {
  x0 = function(n) fr.segment(n, 0, 0, 1, 1, 1) end,
  z1 = function(n) fr.segment(0, 0, 0, 1, 1, n) end,
  dy = function(n) fr.ray(0, 0, 0, 1, n, 1) end,
  bounds = function(n) fr.ray(0, 0, 0, 1, 1, 1, 5, {0, 0, 0, 1, 1, n}) end,
  t = function(n) fr.point(line, n) end,
  amount = function(n) rules:add_budget(n) end,
  per_hit = function(n) rules:set_block(stone, {budget = 0, per_hit = n}) end,
  position = function(n) entity("position", {1, n, 1})() end,
  radius = function(n) entity("radius", n)() end,
  half_extents = function(n)
    world:add_entity({id = 8, position = {5, 5, 5}, half_extents = {n, 1, 1}})
  end,
  x = function(n) world:move_entity(ball, n, 1, 1) end,
  ["budgets[1]"] = function(n) option("budgets", {n, 1})() end,
}
for name, run in pairs(doubles) do
  for _, value in ipairs({true, "1"}) do
    local is_fine, reason = pcall(run, value)
    assert(not is_fine, name .. " is accepted")
    assert(reason:find(name .. " is ", 1, true) and reason:find("it must be a number"), reason)
    assert(reason:find("numbers_test.lua:", 1, true), reason)
  end
end
for _, list in ipairs({{1, 2}, {}, {1, 2, 3, 4}, 5}) do
  local _, reason = pcall(entity("position", list))
  assert(reason:find("position must be a list of 3 numbers", 1, true), reason)
end
local _, reason = pcall(fr.segment, 0, 0, 0, 1, 1)
assert(reason:find("z1 is nil", 1, true), reason)

-- The library names the levels of the world.
for _, level in ipairs({-1, 2, 259, 2 ^ 31 - 1}) do
  local _, reason = pcall(world.get_block, world, level, 0, 0, 0)
  assert(reason:find(("level %d is not active; this world has levels 0 to 1"):format(level), 1,
    true), reason)
end

-- What is in range is accepted, as numbers and as 64-bit integers.
assert(fr.levels(0, 9) == 513 and fr.levels(1, 1, 1) == 2 and fr.levels() == 0)
assert(not pcall(fr.levels, 0, nil, 2))
assert(world:get_block(0LL, 3LL, 3ULL, 3) == fr.AIR)
assert(fr.walk(2LL, {0.5, 0.5}, {2.5, 0.5})().cell[0] == 0)
assert(world:closest_hit(line, 3LL, {max_hits = 3ULL, categories = 2ULL ^ 63}) == nil)
assert(world:closest_hit(line, 2 ^ 32 - 1).id == 7)
local far = world:add_entity({id = 0xffffffffffffffffULL, categories = 2ULL ^ 63, class = 2 ^ 32 - 1,
  position = {9, 9, 9}, radius = 1})
assert(world:find_entity(0xffffffffffffffffULL) == far and type(far) == "cdata")
world:remove_entity(far)
world:remove_entity(tonumber(ball))
print("passed")
