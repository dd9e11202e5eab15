-- SPDX-License-Identifier: Apache-2.0
-- Measures what each call costs: the same random segments for all of them, the best of some rounds.
local report, random = ...

local SEGMENTS = 10000
local ROUNDS = 3

local function microseconds(call, segments)
  local best = math.huge
  for _ = 1, ROUNDS do
    local begin = minetest.get_us_time()
    for _, segment in ipairs(segments) do call(segment[1], segment[2]) end
    best = math.min(best, minetest.get_us_time() - begin)
  end
  return best / #segments
end

local function all(raycast)
  return function(from, to)
    for _ in raycast(from, to, false, false) do end
  end
end
local function first(raycast)
  return function(from, to) return raycast(from, to, false, false):next() end
end
local function shoot(from, to) fractalray.shoot(from, to, {objects = false}) end

local PLACES = 100  -- of viewers, and of targets
local RADIUS = 16  -- of the nodes in sight

-- Measures who sees whom: the first ends of some segments, and the nodes at their other ends. Without a memory,
-- and with one in which nothing has changed.
local function measure_who_sees(segments)
  local viewers, targets = {}, {}
  for i = 1, PLACES do viewers[i], targets[i] = segments[i][1], segments[i][2] end
  fractalray.who_sees(viewers, targets, {memory = "costs"})  -- mirrors what is missing
  for _, memory in ipairs({false, "costs"}) do
    local options = {memory = memory}
    local begin = minetest.get_us_time()
    for _ = 1, ROUNDS do fractalray.who_sees(viewers, targets, options) end
    report.costs[#report.costs + 1] = {name = memory and "who_sees, a pair in memory" or "who_sees, a pair",
      ours = (minetest.get_us_time() - begin) / (ROUNDS * PLACES * PLACES)}
  end
end

-- Measures which nodes of one type are in sight around the first ends of some segments.
local function measure_visible_nodes(segments)
  local function ask()
    for i = 1, PLACES do fractalray.visible_nodes(segments[i][1], RADIUS, {"nodes:stone"}) end
  end
  ask()  -- mirrors what is missing
  local begin = minetest.get_us_time()
  for _ = 1, ROUNDS do ask() end
  report.costs[#report.costs + 1] = {name = "visible_nodes, radius " .. RADIUS,
    ours = (minetest.get_us_time() - begin) / (ROUNDS * PLACES)}
end

return function()
  local segments = {}
  for i = 1, SEGMENTS do segments[i] = {random.segment()} end
  local function measure(name, ours, theirs)
    report.costs[#report.costs + 1] = {name = name, ours = microseconds(ours, segments),
      theirs = theirs and microseconds(theirs, segments)}
  end
  measure("raycast, first hit", first(fractalray.raycast), first(minetest.raycast))
  measure("raycast, all hits", all(fractalray.raycast), all(minetest.raycast))
  measure("line_of_sight", fractalray.line_of_sight, minetest.line_of_sight)
  measure("line_of_sight in a channel", function(from, to)
    fractalray.line_of_sight(from, to, "default")
  end)
  measure("shoot, to the first solid node", shoot)
  measure("can_see, a node", function(from, to) fractalray.can_see(from, to) end)
  measure_who_sees(segments)
  measure_visible_nodes(segments)

  local begin = minetest.get_us_time()
  local found = fractalray.verify()
  report.costs[#report.costs + 1] = {name = "reading a mapblock again",
    ours = (minetest.get_us_time() - begin) / found.mapblocks}
  begin = minetest.get_us_time()
  for _ = 1, SEGMENTS do minetest.set_node(random.MIN, {name = "air"}) end
  local wrapped = minetest.get_us_time() - begin
  begin = minetest.get_us_time()
  for _ = 1, SEGMENTS do earlier.set_node(random.MIN, {name = "air"}) end
  report.costs[#report.costs + 1] = {name = "set_node", ours = wrapped / SEGMENTS,
    theirs = (minetest.get_us_time() - begin) / SEGMENTS}
end
