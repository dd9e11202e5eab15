-- SPDX-License-Identifier: Apache-2.0
-- Compares raycasts that hit objects, with selection boxes of all sizes, before and after they move.
local random, compare = ...

local OBJECTS = 60
local SEGMENTS = 3000

local function size() return random.integer(1, 20) / 16 end

local function add(number)
  local box = {-size(), -size(), -size(), size(), size(), size()}
  local object = minetest.add_entity(random.node(), "nodes:thing", minetest.serialize(box))
  object:get_luaentity().number = number
  return {object = object, box = box}
end

-- Returns the boxes and positions as lists of nine numbers, by number.
local function boxes_of(things)
  local boxes = {}
  for number, thing in ipairs(things) do
    local pos, box = thing.object:get_pos(), thing.box
    boxes[number] = {pos.x + box[1], pos.y + box[2], pos.z + box[3], pos.x + box[4],
      pos.y + box[5], pos.z + box[6], pos.x, pos.y, pos.z}
  end
  return boxes
end

local function compare_all(things)
  local boxes = boxes_of(things)
  for i = 1, SEGMENTS do
    local from, to = random.segment()
    compare.raycast(from, to, i % 2 == 0, boxes)
  end
end

-- One that is too large for a query, of which the log has one warning.
local function add_giant()
  local giant = minetest.add_entity(random.node(), "nodes:thing", minetest.serialize({-20, 0, -20, 20, 2, 20}))
  fractalray.update_objects()
  giant:remove()
end

return function()
  local things = {}
  for number = 1, OBJECTS do things[number] = add(number) end
  compare_all(things)
  for number = 1, OBJECTS, 2 do things[number].object:set_pos(random.node()) end
  table.remove(things).object:remove()
  fractalray.update_objects()
  compare_all(things)
  for _, thing in ipairs(things) do thing.object:remove() end
  add_giant()
  add_giant()
end
