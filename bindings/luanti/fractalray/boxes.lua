-- SPDX-License-Identifier: Apache-2.0
-- The boxes of a node as it stands in the world: turned, raised and connected, as Luanti 5.6 computes
-- them, and by 4dir, which came later. formats/internal/node_boxes.cc does the same for saved worlds.

local ipairs, pairs, floor, max_of, min_of = ipairs, pairs, math.floor, math.max, math.min

local boxes = {SIDES = {"top", "bottom", "front", "left", "back", "right"}, WHOLE = {{0, 0, 0, 1, 1, 1}}}
local SIDES = boxes.SIDES

-- The members of boxes are six numbers: the lower corner, the upper corner.
local X, Y, Z = 1, 2, 3
local UNITS = 65536  -- boxes are rounded to fractions of a node's width
local MOST = 255     -- boxes of a shape

-- Turns a box by quarters in the plane of two axes, from the first towards the second.
local function turn(box, from, to, quarters)
  for _ = 1, quarters % 4 do
    box[to], box[to + 3], box[from], box[from + 3] = box[from], box[from + 3], -box[to + 3], -box[to]
  end
end

-- By a quarter of a facedir: how the top is tilted, and the plane in which one more quarter turns the node.
local FACEDIRS = {
  [0] = {X, Z, 0, X, Z, -1}, {Y, Z, 1, X, Y, 1}, {Y, Z, -1, X, Y, -1}, {X, Y, -1, Y, Z, 1},
  {X, Y, 1, Y, Z, -1}, {X, Y, 2, X, Z, 1},
}
-- The facedir by which Luanti turns fixed boxes of wallmounted nodes.
local FACEDIR_OF_WALL = {[0] = 20, 0, 17, 15, 8, 6, 0, 0}

-- The part of param2 on which boxes depend, as 2^bits, by paramtype2.
local STATES = {facedir = 32, colorfacedir = 32, ["4dir"] = 4, color4dir = 4, wallmounted = 8,
  colorwallmounted = 8, leveled = 128}

local function is_facedir(definition)
  local kind = definition.paramtype2
  return kind == "facedir" or kind == "colorfacedir" or kind == "4dir" or kind == "color4dir"
end
local function is_wallmounted(definition)
  return definition.paramtype2 == "wallmounted" or definition.paramtype2 == "colorwallmounted"
end

local function turn_as_placed(box, definition, state)
  local facedir = is_facedir(definition) and state % 24
    or is_wallmounted(definition) and FACEDIR_OF_WALL[state] or 0
  local way = FACEDIRS[floor(facedir / 4)]
  turn(box, way[1], way[2], way[3])
  turn(box, way[4], way[5], way[6] * (facedir % 4))
end

local function append(list, more)
  for _, box in ipairs(more or {}) do
    list[#list + 1] = {box[1], box[2], box[3], box[4], box[5], box[6]}
  end
end

local function fixed(definition, node_box, state)
  local list = {}
  append(list, node_box.fixed)
  local own = definition.paramtype2 == "leveled" and state or 0
  local top = -0.5 + (own ~= 0 and own or definition.leveled or 0) / 64
  for _, box in ipairs(list) do
    if node_box.type == "leveled" then
      -- A level below the box turns it over.
      box[Y], box[Y + 3] = min_of(box[Y], top), max_of(box[Y], top)
    end
    turn_as_placed(box, definition, state)
  end
  return list
end

-- Nodes that are not wallmounted, but have a wallmounted box, are on the floor or at the ceiling.
local ON_FLOOR = {signlike = true, torchlike = true, plantlike = true, plantlike_rooted = true}
local USUAL = {wall_top = {{-0.5, 0.5 - 1 / 16, -0.5, 0.5, 0.5, 0.5}},
  wall_bottom = {{-0.5, -0.5, -0.5, 0.5, 1 / 16 - 0.5, 0.5}},
  wall_side = {{-0.5, -0.5, -0.5, 1 / 16 - 0.5, 0.5, 0.5}}}
-- How a box at x- is turned to the walls 2 to 5, which are at x+, x-, z+ and z-.
local QUARTERS_OF_WALL = {[2] = 2, [3] = 0, [4] = 3, [5] = 1}

local function wallmounted(definition, node_box, state)
  local wall = is_wallmounted(definition) and state or ON_FLOOR[definition.drawtype] and 1 or 0
  local quarters = QUARTERS_OF_WALL[wall]
  local member = quarters and "wall_side" or wall == 1 and "wall_bottom" or "wall_top"
  local list = {}
  append(list, {(node_box[member] or USUAL[member])[1]})
  turn(list[1], X, Z, quarters or 0)
  return list
end

local function connected(node_box, connections)
  local list = {}
  append(list, node_box.fixed)
  for i, side in ipairs(SIDES) do
    local is_on = floor(connections / 2 ^ (i - 1)) % 2 == 1
    append(list, node_box[(is_on and "connect_" or "disconnected_") .. side])
  end
  if connections == 0 then append(list, node_box.disconnected) end
  if connections < 4 then append(list, node_box.disconnected_sides) end
  return list
end

-- Moves a box from the centre of its node to the lower corner, rounds it, gives it a thickness where it is
-- flat, and cuts off what is beyond the node. Returns nil if nothing is left; and true if it is cut.
local function cut(box)
  local inside, is_cut, is_there = {}, false, true
  for axis = 1, 3 do
    local low = floor((box[axis] + 0.5) * UNITS + 0.5)
    local high = floor((box[axis + 3] + 0.5) * UNITS + 0.5)
    if low == high then
      if high > 0 and high % UNITS == 0 then low = low - 1 else high = high + 1 end
    end
    is_cut = is_cut or low < 0 or high > UNITS
    low, high = max_of(low, 0), min_of(high, UNITS)
    is_there = is_there and low < high
    inside[axis], inside[axis + 3] = low / UNITS, high / UNITS
  end
  return is_there and inside or nil, is_cut
end

-- Returns the number of states that the boxes of a node, or connections to it, depend on: its state is the
-- remainder of param2.
function boxes.states(definition)
  local function is_cube(box) return not box or box.type == "regular" end
  if is_cube(definition.selection_box) and is_cube(boxes.collision_box(definition))
    and not definition.connect_sides then
    return 1
  end
  return STATES[definition.paramtype2] or 1
end

-- Returns the node box by which Luanti lets bodies collide with a node: the collision box is used only if
-- it has a list `fixed`.
function boxes.collision_box(definition)
  local box = definition.collision_box
  return box and box.fixed and box or definition.node_box
end

-- Returns the boxes of a node in fractions of its width, from its lower corner: those of a node box of its
-- definition, in a state, with connections on sides, a bit each. And true if parts beyond the node were
-- cut off. More than 255 boxes are a cube.
function boxes.placed(definition, node_box, state, connections)
  local kind = node_box and node_box.type or "regular"
  if kind == "regular" then return boxes.WHOLE, false end
  local list = kind == "wallmounted" and wallmounted(definition, node_box, state)
    or kind == "connected" and connected(node_box, connections)
    or fixed(definition, node_box, state)
  local placed, is_any_cut = {}, false
  for _, box in ipairs(list) do
    local inside, is_cut = cut(box)
    placed[#placed + 1] = inside
    is_any_cut = is_any_cut or is_cut
  end
  return #placed <= MOST and placed or boxes.WHOLE, is_any_cut
end

---- Connections ---------------------------------------------------------------------------------

-- Returns true for a node that grows towards its neighbours.
function boxes.grows(definition)
  return definition.drawtype == "nodebox" and definition.node_box ~= nil
    and definition.node_box.type == "connected"
end

-- Returns true if a list of names and groups names a node.
local function names(list, definition)
  for _, wanted in ipairs(list or {}) do
    if wanted == definition.name then return true end
    for group in pairs(definition.groups or {}) do
      if wanted == "group:" .. group then return true end
    end
  end
  return false
end

-- The sides around a node, each a quarter after the one before.
local RING = {[0] = "front", "right", "back", "left"}
local IN_RING = {front = 0, right = 1, back = 2, left = 3}

local function offers_side(definition, state, side)
  local sides = definition.connect_sides
  if not sides then return true end
  if is_facedir(definition) and IN_RING[side] then
    if state >= 4 then return false end
    side = RING[(IN_RING[side] + state) % 4]
  end
  for _, offered in ipairs(sides) do
    if offered == side then return true end
  end
  return false
end

-- Returns true if a node that grows does so towards a neighbour, in its state, on a side from 1 to 6.
function boxes.connects(definition, neighbor, state, side)
  if not names(definition.connects_to, neighbor) then return false end
  if boxes.grows(neighbor) then return names(neighbor.connects_to, definition) end
  return offers_side(neighbor, state, SIDES[side])
end

return boxes
