-- SPDX-License-Identifier: Apache-2.0
-- Checks that who_sees answers the same with its memory and without, over many server steps in which objects
-- move, come and leave and nodes change; and that a call remembers the last one of its line, viewer and name.
local expect, world = ...

local TICKS = 100
local FORGOTTEN_AFTER = 12  -- seconds, of which the mod waits 10

-- An arena of air in the random world, and a wall across it with holes, which reaches beyond.
local MIN, MAX = vector.new(-12, -12, -12), vector.new(12, -4, 12)
local WALL_MIN, WALL_MAX = vector.new(0, -15, -16), vector.new(0, 2, 16)

local function build_arena()
  world.set_box(MIN, MAX, "air")
  world.set_box(WALL_MIN, WALL_MAX, "nodes:stone")
  -- Objects stay where no player is.
  for _, x in ipairs({MIN.x, MAX.x}) do
    for _, z in ipairs({MIN.z, MAX.z}) do minetest.forceload_block(vector.new(x, MIN.y, z), true) end
  end
end

-- Returns a random position on one side of the wall, lower than its top.
local function anywhere()
  local x = world.integer(2 * 1024, 12 * 1024) / 1024
  return vector.new(world.integer(0, 1) == 0 and x or -x, world.integer(-11 * 1024, -8 * 1024) / 1024,
    world.integer(-12 * 1024, 12 * 1024) / 1024)
end

local function add(pos)
  return minetest.add_entity(pos, "nodes:thing", minetest.serialize({-0.3, -0.5, -0.3, 0.3, 0.9, 0.3}))
end

-- Returns a list in another order.
local function shuffled(list)
  local copy = {}
  for i, element in ipairs(list) do table.insert(copy, world.integer(1, i), element) end
  return copy
end

-- Asks from one line; another name of the mod's memory for each `name`.
local function ask(viewers, targets, name)
  local seen, counts = fractalray.who_sees(viewers, targets, {memory = name})
  expect(counts.pairs == counts.unchanged + counts.by_ray + counts.by_proof + counts.searched,
    "the counts are not those of all pairs")
  return seen, counts
end

-- Returns why two answers differ, nil if they do not.
local function difference(a, b)
  if #a ~= #b then return #a .. " viewers, not " .. #b end
  for i, targets in ipairs(a) do
    if #targets ~= #b[i] then return "viewer " .. i .. " sees " .. #targets .. " targets, not " .. #b[i] end
    for j, target in ipairs(targets) do
      if target ~= b[i][j] then return "viewer " .. i .. " sees another target " .. j end
    end
  end
  return nil
end

---- In one step ---------------------------------------------------------------------------------

local function check_unchanged(name, counts, expected)
  expect(counts.pairs == expected and counts.unchanged == expected,
    name .. ": " .. counts.unchanged .. " of " .. counts.pairs .. " pairs are unchanged, not " .. expected)
end

-- Adds things that are not in one another's way, four on each side of the wall.
local function add_row()
  local things = {}
  for i = 1, 8 do
    local x = i % 2 == 0 and 6 or -6
    things[i] = add(vector.new(x, -11, 2 * i - 9))
  end
  return things
end

local function check_what_is_remembered()
  local things = add_row()
  local spot = vector.new(-9, -9, 3)
  for i = 1, 2 do ask(things, things) end  -- mirrors what is missing
  local seen, counts = ask(things, things)
  check_unchanged("the same", counts, 56)
  expect(#seen[1] >= 3 and #seen[1] < 7, "a thing sees " .. #seen[1] .. " others")
  local _, fresh = ask(things, things, false)
  expect(fresh.searched == 56, fresh.searched .. " pairs are searched without a memory")
  -- Each object keeps its memory wherever it is in the list. The first viewer is the same.
  local others = shuffled({unpack(things, 2)})
  _, counts = ask({things[1], unpack(others)}, shuffled(things))
  check_unchanged("another order", counts, 56)
  -- One leaves, and another one comes.
  things[8]:remove()
  things[8] = add(vector.new(9, -11, 1))
  _, counts = ask(things, things)
  check_unchanged("seven of eight", {pairs = counts.pairs - 14, unchanged = counts.unchanged}, 42)
  -- A loop over viewers has a memory for each.
  for _, last in ipairs({false, true}) do
    for i, thing in ipairs(things) do
      _, counts = ask({thing}, things)
      if last then check_unchanged("viewer " .. i, counts, 7) end
    end
    _, counts = ask({spot}, {things[1], things[3], spot})
    if last then check_unchanged("a position", counts, 2) end
  end
  -- A name is one memory, whatever line asks.
  ask({things[3], things[2]}, things, "named")
  _, counts = fractalray.who_sees({things[2], things[3]}, things, {memory = "named"})
  check_unchanged("a name", counts, 14)
  -- Two channels do not disturb each other.
  for _, last in ipairs({false, true}) do
    for _, channel in ipairs({"default", "bullet"}) do
      _, counts = fractalray.who_sees(things, things, {channel = channel})
      if last then check_unchanged("the channel " .. channel, counts, 56) end
    end
  end
  -- The same object, twice.
  for _, last in ipairs({false, true}) do
    seen, counts = ask({things[1], things[1]}, {things[3], things[3], things[3]}, "twice")
    expect(#seen[1] == #seen[2] and #seen[1] % 3 == 0, "an object that is listed twice is two")
    if last then check_unchanged("twice", counts, 6) end
  end
  for _, thing in ipairs(things) do thing:remove() end
end

-- A comparison of positions that asks the same question in the middle of it.
local function check_nested()
  local calls = 0
  local viewers = {vector.new(-8, -9, 0)}
  local function compare()
    calls = calls + 1
    if calls < 5 then ask(viewers, viewers, "nested") end
    return false
  end
  viewers[2] = setmetatable({x = -4, y = -9, z = 4}, {__eq = compare})
  viewers[3] = setmetatable({x = -4, y = -9, z = -4}, {__eq = compare})
  for _ = 1, 3 do ask(viewers, viewers, "nested") end
  expect(calls > 5, "positions are not compared")
end

---- Over many steps -----------------------------------------------------------------------------

local things, sums = {}, {}

local function move_some()
  for i, thing in ipairs(things) do
    if not thing:get_pos() then
      things[i] = add(anywhere())
    elseif world.integer(1, 5) == 1 then
      local small = vector.new(world.integer(-300, 300) / 1024, world.integer(-20, 20) / 1024,
        world.integer(-300, 300) / 1024)
      thing:set_pos(world.integer(1, 6) == 1 and anywhere() or vector.add(thing:get_pos(), small))
    end
  end
end

local function edit_some()
  for _ = 1, world.integer(1, 4) do
    local pos = vector.round(anywhere())
    if world.integer(1, 2) == 1 then pos.x = WALL_MIN.x end
    world.set(pos, ({"air", "nodes:stone", "nodes:glass", "nodes:slab"})[world.integer(1, 4)])
  end
end

-- Changes something, or nothing.
local function change(tick)
  move_some()
  if tick % 3 ~= 0 then edit_some() end
  if tick % 10 == 0 then table.remove(things, world.integer(1, #things)):remove() end
  if tick % 10 == 5 then table.insert(things, world.integer(1, #things), add(anywhere())) end
  -- Forgets all that is mirrored.
  if tick % 25 == 0 then minetest.place_schematic(MIN, minetest.get_worldpath() .. "/no_such.mts") end
end

local function add_counts(counts)
  for name, count in pairs(counts) do sums[name] = (sums[name] or 0) + count end
end

local function compare(tick)
  local viewers, targets = {unpack(things)}, shuffled(things)
  viewers[#viewers + 1], targets[#targets + 1] = vector.new(-11, -9, 11), vector.new(4, -9, 0)
  if tick % 7 == 0 then viewers = shuffled(viewers) end
  local seen, counts = ask(viewers, targets)
  local named, named_counts = ask(viewers, targets, "ticks")
  local fresh, fresh_counts = ask(viewers, targets, false)
  for name, answer in pairs({line = seen, name = named}) do
    local how = difference(answer, fresh)
    expect(not how, ("tick %d, by %s: %s"):format(tick, name, tostring(how)))
  end
  expect(fresh_counts.searched == fresh_counts.pairs and fresh_counts.pairs == counts.pairs
    and named_counts.pairs == counts.pairs, "tick " .. tick .. ": other pairs are asked")
  add_counts(named_counts)
  -- And one pair by itself.
  local i, j = world.integer(1, #viewers), world.integer(1, #targets)
  local is_seen = false
  for _, target in ipairs(seen[i]) do is_seen = is_seen or target == targets[j] end
  expect(viewers[i] == targets[j] or fractalray.can_see(viewers[i], targets[j]) == is_seen,
    "tick " .. tick .. ": can_see says otherwise")
end

local function check_sums()
  for _, name in ipairs({"unchanged", "by_ray", "by_proof", "searched"}) do
    expect(sums[name] > sums.pairs / 50, name .. " are only " .. sums[name] .. " of " .. sums.pairs .. " pairs")
  end
  local _, text = minetest.registered_chatcommands.fractalray_sight.func("admin", "")
  local asked, memories = text:match("^(%d+) pairs in %d+ calls of who_sees: .* (%d+) memories have %d+ pairs$")
  expect(asked and tonumber(asked) > 2 * sums.pairs and tonumber(memories) > 0, "the command says " .. text)
end

-- A free line, which no tick changes.
local FROM, TO = vector.new(-14, 27, -14), vector.new(-14, 27, -8)
local function ask_free_line()
  fractalray.can_see(FROM, TO)  -- mirrors it
  local _, counts = fractalray.who_sees({FROM}, {TO})
  return counts
end

-- Calls `done` after all ticks, or after an error.
local function tick_on(run, tick, done)
  if tick > TICKS then return done() end
  local is_done = run(function()
    change(tick)
    compare(tick)
  end)
  minetest.after(0, tick_on, run, is_done and tick + 1 or TICKS + 1, done)
end

return function(run, finish)
  local left = 2
  local function finish_one()
    left = left - 1
    if left == 0 then finish() end
  end
  local is_done = run(function()
    build_arena()
    check_what_is_remembered()
    check_nested()
    for i = 1, 12 do things[i] = add(anywhere()) end
    for z = FROM.z, TO.z do world.set(vector.new(FROM.x, FROM.y, z), "air") end
    ask_free_line()
    expect(ask_free_line().unchanged == 1, "a free line is not remembered")
  end)
  if not is_done then return finish() end
  local function check_forgotten()
    run(function()
      local counts = ask_free_line()
      expect(counts.pairs == 1 and counts.searched == 1, "what was not asked for a while is remembered")
    end)
    finish_one()
  end
  -- The step after it, as that one may be long.
  minetest.after(FORGOTTEN_AFTER, function() minetest.after(0, check_forgotten) end)
  tick_on(run, 1, function()
    run(check_sums)
    finish_one()
  end)
end
