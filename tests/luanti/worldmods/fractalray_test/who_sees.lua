-- SPDX-License-Identifier: Apache-2.0
-- Checks who sees whom and which nodes are in sight: in a room that shows what is right, and against many
-- lines of sight in the random world, of which a free one proves that a box is seen.
local expect, world = ...

-- A room of air in the random world, and a wall across it with a hole.
local MIN, MAX = vector.new(-12, -12, -12), vector.new(-2, -4, -2)
local EYE, BEHIND = vector.new(-10, -8, -7), vector.new(-4, -8, -6)
local WALL_X = -7

local function build_room()
  world.set_box(MIN, MAX, "air")
  world.set_box(vector.new(WALL_X, MIN.y, MIN.z), vector.new(WALL_X, MAX.y, MAX.z), "nodes:stone")
end

local function add(pos)
  return minetest.add_entity(pos, "nodes:thing", minetest.serialize({-0.3, -0.3, -0.3, 0.3, 0.3, 0.3}))
end

local function check_wall()
  build_room()
  local thing = add(BEHIND)
  expect(not fractalray.can_see(EYE, thing), "a thing is seen through a wall")
  expect(not fractalray.can_see(EYE, BEHIND), "a place is seen through a wall")
  -- Through the hole, beside the line from the eye to the middle of the thing, an edge of it is seen.
  local hole = vector.new(WALL_X, -8, -6)
  world.set(hole, "nodes:glass")
  expect(not fractalray.can_see(EYE, thing), "a thing is seen through glass that is solid")
  expect(fractalray.can_see(EYE, thing, {channel = "bullet"}), "nothing is seen through a pane")
  world.set(hole, "air")
  expect(fractalray.can_see(EYE, thing), "a thing is not seen through a hole")
  expect(not fractalray.line_of_sight(EYE, BEHIND), "the hole is not beside the line")
  world.set(hole, "nodes:slab")
  expect(fractalray.can_see(EYE, thing), "a thing is not seen above a slab")
  thing:set_pos(vector.add(BEHIND, vector.new(0, 3, 0)))
  expect(not fractalray.can_see(EYE, thing), "a thing is seen where it was")
  thing:remove()
  expect(fractalray.can_see(EYE, thing) == false, "a removed thing is seen")
end

local function check_groups()
  build_room()
  local left, right = add(vector.add(EYE, vector.new(0, 0, 2))), add(BEHIND)
  local seen = fractalray.who_sees({EYE, BEHIND, left, right}, {left, right})
  expect(#seen == 4 and #seen[1] == 1 and seen[1][1] == left and #seen[2] == 1 and seen[2][1] == right,
    "who_sees confuses the sides of a wall")
  expect(#seen[3] == 0 and #seen[4] == 0, "a thing sees itself, or through a wall")
  world.set(vector.new(WALL_X, -8, -6), "air")
  seen = fractalray.who_sees({left, EYE}, {right, left, BEHIND})
  expect(#seen[2] == 3, #seen[2] .. " of 3 targets are seen through the hole")
  seen = fractalray.who_sees({EYE}, {right, left}, {max_distance = 3})
  expect(#seen[1] == 1 and seen[1][1] == left, "max_distance is ignored")
  expect(#fractalray.who_sees({}, {left}) == 0 and #fractalray.who_sees({EYE}, {})[1] == 0,
    "nobody sees somebody")
  left:remove()
  seen = fractalray.who_sees({EYE, left}, {left, right})
  expect(#seen == 2 and #seen[1] == 1 and #seen[2] == 0, "a removed thing sees, or is seen")
  right:remove()
end

-- Returns the nodes of a name within a distance, by text.
local function nodes_around(eye, radius, name)
  local around = vector.new(radius, radius, radius)
  local found = {}
  for _, pos in ipairs(minetest.find_nodes_in_area(vector.round(vector.subtract(eye, around)),
    vector.round(vector.add(eye, around)), {name})) do
    found[minetest.pos_to_string(pos)] = pos
  end
  return found
end

-- The nodes in sight are among those that there are, each once, nearest first; can_see says the same of each.
local function check_nodes(eye, radius)
  local there, seen, last = nodes_around(eye, radius, "nodes:glass"), {}, 0
  for _, pos in ipairs(fractalray.visible_nodes(eye, radius, {"group:pane"})) do
    local text = minetest.pos_to_string(pos)
    expect(there[text] and not seen[text], text .. " is no pane, or found twice")
    seen[text] = true
    local gap = vector.distance(eye, pos)
    expect(gap >= last - 2, "the nodes are not the nearest first")
    last = gap
  end
  local count, hidden = 0, 0
  for text, pos in pairs(there) do
    -- Within the radius are nodes whose nearest point is.
    if vector.distance(eye, pos) <= radius then
      expect((seen[text] or false) == fractalray.can_see(eye, pos), text .. " is seen by one and not the other")
      count, hidden = count + 1, hidden + (seen[text] and 0 or 1)
    end
  end
  return count, hidden
end

-- A free line to a point inside a node proves that it is seen.
local function check_against_lines(eye, node)
  local is_seen = fractalray.can_see(eye, node, {channel = "sight"})
  local is_free = false
  for _ = 1, 20 do
    local function inside() return world.integer(-500, 500) / 1024 end
    local point = vector.add(node, vector.new(inside(), inside(), inside()))
    is_free = is_free or fractalray.line_of_sight(eye, point, "sight")
  end
  expect(is_seen or not is_free, "a free line leads to a node that is not seen")
  return is_seen, is_free
end

local function check_unloaded()
  local is_seen, why
  local far = vector.new(3000, 3000, 3000)
  is_seen, why = fractalray.can_see(far, vector.add(far, vector.new(4, 0, 0)))
  expect(is_seen == false and why == "unloaded", "what is not loaded is " .. tostring(why))
  expect(#fractalray.visible_nodes(far, 20, {"nodes:stone"}) == 0, "nodes are found where none is loaded")
end

-- Answers are the same whatever is mirrored: before each second one all mapblocks are forgotten.
local function check_unmirrored()
  local seen = 0
  for i = 1, 60 do
    local eye = vector.add(world.node(), vector.new(0.25, 0.125, -0.25))
    local node = world.node()
    local before = fractalray.can_see(eye, node)
    minetest.place_schematic(eye, minetest.get_worldpath() .. "/no_such.mts")
    expect(fractalray.can_see(eye, node) == before, "can_see depends on what is mirrored")
    if i % 10 == 0 then
      local nodes = #fractalray.visible_nodes(eye, 12, {"nodes:stone"})
      minetest.place_schematic(eye, minetest.get_worldpath() .. "/no_such.mts")
      expect(#fractalray.visible_nodes(eye, 12, {"nodes:stone"}) == nodes,
        "visible_nodes depends on what is mirrored")
    end
    seen = seen + (before and 1 or 0)
  end
  expect(seen > 5 and seen < 55, seen .. " of 60 nodes are seen")
end

-- Eyes and boxes that are nowhere, of objects that other mods have spoiled.
local function check_spoiled()
  local thing = add(BEHIND)
  for _, height in ipairs({1e30, -1e30, 1 / 0, 0 / 0}) do
    thing:set_properties({eye_height = height})
    expect(#fractalray.visible_nodes(thing, 5, {"nodes:stone"}) >= 0, "no answer")
    expect(fractalray.can_see(thing, EYE) ~= nil, "no answer")
    expect(#fractalray.who_sees({thing, EYE}, {thing, EYE}) == 2, "no answer")
  end
  thing:remove()
end

return function()
  check_wall()
  check_spoiled()
  check_unmirrored()
  check_groups()
  check_unloaded()
  local count, hidden = 0, 0
  for _ = 1, 20 do
    local in_one, hidden_of_one = check_nodes(vector.add(world.node(), vector.new(0.25, 0.125, -0.25)), 14)
    count, hidden = count + in_one, hidden + hidden_of_one
  end
  expect(count > 200 and hidden > count / 20 and hidden < count * 19 / 20,
    hidden .. " of " .. count .. " panes are hidden")
  local seen, free = 0, 0
  for _ = 1, 400 do
    local node = world.node()
    if minetest.get_node(node).name == "air" then
      local is_seen, is_free = check_against_lines(world.node(), node)
      seen, free = seen + (is_seen and 1 or 0), free + (is_free and 1 or 0)
    end
  end
  expect(free > 20 and seen >= free, free .. " free lines, " .. seen .. " nodes that are seen")
end
