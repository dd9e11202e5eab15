-- SPDX-License-Identifier: Apache-2.0
-- Measures what calls of the LuaJIT module cost: 50,000 random segments through 8 chunks with 3 %
-- stone, the best of five rounds. docs/luajit.md has the command.
local fr = require("fractalray")
local ffi = fr.ffi

ffi.cdef([[ typedef struct { long s; long ns; } bench_time; int clock_gettime(int, bench_time*); ]])
local time = ffi.new("bench_time")
local function now()
  ffi.C.clock_gettime(1, time)
  return tonumber(time.s) * 1e9 + tonumber(time.ns)
end

local COUNT, ROUNDS, WIDTH = 50000, 5, 32
local seed = 1
local function random(below)
  seed = (seed * 16807) % 2147483647
  return seed / 2147483647 * below
end

local world = fr.world()
local stone, glass = world:add_block_type("stone"), world:add_block_type("glass", "permeable")
for chunk = 0, 7 do
  local ids = ffi.new("uint16_t[4096]")
  for i = 0, 4095 do
    local draw = random(100)
    ids[i] = draw < 3 and stone or draw < 6 and glass or fr.AIR
  end
  world:load_chunk(0, chunk % 2, math.floor(chunk / 2) % 2, math.floor(chunk / 4), ids)
end
local from, to = ffi.new("double[?]", 3 * COUNT), ffi.new("double[?]", 3 * COUNT)
for i = 0, 3 * COUNT - 1 do from[i], to[i] = random(WIDTH), random(WIDTH) end

local line, hit, solid = fr.segment(0, 0, 0, 0, 0, 0), ffi.new("frHit"), fr.options({solid_only = true})
local function set_line(i)
  fr.segment(from[3 * i], from[3 * i + 1], from[3 * i + 2], to[3 * i], to[3 * i + 1],
    to[3 * i + 2], line)
end

local hits
local function each(query)
  return function()
    hits = 0
    for i = 0, COUNT - 1 do
      set_line(i)
      query()
    end
  end
end
local function count(is_hit) if is_hit then hits = hits + 1 end end

local cases = {
  {"fr.segment alone", each(function() end)},
  {"closest_hit", each(function() count(world:closest_hit(line, nil, solid, hit)) end)},
  {"occluded", each(function() count(world:occluded(line) == "blocked") end)},
  {"shoot, a list of all hits", each(function() hits = hits + #world:shoot(line) end)},
  {"shoot with on_hit", each(function()
    world:shoot(line, nil, {on_hit = function() hits = hits + 1 end})
  end)},
  {"closest_hits, a batch", function()
    local found = world:closest_hits(from, to, COUNT, nil, solid)
    hits = 0
    for i = 0, COUNT - 1 do count(found[i].kind ~= 0) end
  end},
}
for _, case in ipairs(cases) do
  local best = math.huge
  for _ = 1, ROUNDS do
    local begin = now()
    case[2]()
    best = math.min(best, now() - begin)
  end
  print(("%-28s %6.0f ns a line, %d hits"):format(case[1], best / COUNT, hits))
end
