-- SPDX-License-Identifier: Apache-2.0
-- Objects as entities: the selection box of each pointable object, at its position at the beginning
-- of the server step, or at the last fractalray.update_objects().
local world = ...

local ipairs, pairs, pcall, setmetatable, type = ipairs, pairs, pcall, setmetatable, type
local object_refs = minetest.object_refs
local format, tostring, log, max_of = string.format, tostring, minetest.log, math.max

-- The properties of an object are read again after so many steps: reading them is slow.
local PROPERTY_STEPS = 20
local PLAYER, LUAENTITY = 1, 2  -- categories

local objects = {}
local known = {}   -- by object id: {ref, box, entity, x, y, z}
local id_of = {}   -- by ObjectRef
local step, updated_in = 0, -1

-- Logs a warning for an object that no query hits, once for each kind of it.
local warned = {}
local function warn_of_size(ref, size)
  local entity = ref:get_luaentity()
  local name = entity and entity.name or "a player"
  if warned[name] then return end
  warned[name] = true
  log("warning", format("fractalray: %s has a selection box of %s nodes; boxes of 32 and more are not hit",
    name, tostring(size)))
end

-- Returns the selection box as six numbers, nil if the object cannot be pointed at.
local function selection_box(ref)
  local properties = ref:get_properties()
  if not properties or properties.pointable == false or properties.is_visible == false then
    return nil
  end
  local box = properties.selectionbox
  for axis = 1, 3 do
    -- Larger ones do not fit into the index; see the limitations in README.md. Nor is NaN a size.
    local size = box[axis + 3] - box[axis]
    if not (size >= 0 and size < 32) then
      warn_of_size(ref, size)
      return nil
    end
  end
  return box
end

local function same_size(a, b)
  for i = 1, 6 do
    if a[i] ~= b[i] then return false end
  end
  return true
end

local function drop(object)
  if object.entity then world:remove_entity(object.entity) end
  object.entity = nil
end

-- Half a node more: Luanti's nodes are centred on integers.
local function center(pos, box)
  return pos.x + (box[1] + box[4]) / 2 + 0.5, pos.y + (box[2] + box[5]) / 2 + 0.5,
    pos.z + (box[3] + box[6]) / 2 + 0.5
end

-- Objects may be anywhere, as after an explosion with a strength of infinity, or at NaN.
local FARTHEST = 1e6
local function is_near(x) return x >= -FARTHEST and x <= FARTHEST end

local function add(id, object, x, y, z)
  local box = object.box
  object.entity = world:add_entity({id = id, position = {x, y, z},
    half_extents = {(box[4] - box[1]) / 2, (box[5] - box[2]) / 2, (box[6] - box[3]) / 2},
    categories = object.ref:is_player() and PLAYER or LUAENTITY})
end

local function update(id, object, with_properties)
  local pos = object.ref:get_pos()
  if not pos then return drop(object) end
  if with_properties then
    local box = selection_box(object.ref)
    if not box or not object.box or not same_size(box, object.box) then drop(object) end
    object.box = box
  end
  if not object.box then return end
  local x, y, z = center(pos, object.box)
  if not (is_near(x) and is_near(y) and is_near(z)) then return drop(object) end
  if not object.entity then
    add(id, object, x, y, z)
  elseif x ~= object.x or y ~= object.y or z ~= object.z then
    world:move_entity(object.entity, x, y, z)
  end
  object.x, object.y, object.z = x, y, z
end

local function remove_gone()
  for id, object in pairs(known) do
    if object_refs[id] ~= object.ref then
      drop(object)
      known[id], id_of[object.ref] = nil, nil
    end
  end
end

local function update_all(with_properties)
  updated_in = step
  remove_gone()
  for id, ref in pairs(object_refs) do
    local object = known[id]
    local is_new = not object
    if is_new then
      object = {ref = ref}
      known[id], id_of[ref] = object, id
    end
    update(id, object, is_new or with_properties or step % PROPERTY_STEPS == id % PROPERTY_STEPS)
  end
end

-- Takes over all objects as they are now: for mods that move objects and query in one step.
function objects.update() update_all(true) end

-- Takes over all objects, once in a server step.
function objects.update_once()
  if updated_in ~= step then update_all(false) end
end

local function get_pos_of(ref) return ref:get_pos() end

-- Returns true for an object, removed or not.
function objects.is_object(value)
  return type(value) == "userdata" and (pcall(get_pos_of, value))
end

-- Returns where an object is now, nil if it has been removed, or is too far away for a query.
local function position_of(ref)
  local pos = ref:get_pos()
  return pos and is_near(pos.x) and is_near(pos.y) and is_near(pos.z) and pos or nil
end

-- Returns the eye of an object where it is now, in the world; nil as above.
function objects.eye_of(ref)
  local pos = position_of(ref)
  if not pos then return nil end
  local y = pos.y + (ref:get_properties().eye_height or 0)
  return is_near(y) and {pos.x + 0.5, y + 0.5, pos.z + 0.5} or nil
end

-- Returns the corners of the selection box of an object where it is now, in the world; nil as above, and for a
-- box that is none. One that is flat gets a thickness: nobody sees a line.
local THINNEST = 1 / 65536
local boxes_read = setmetatable({}, {__mode = "k"})  -- by ObjectRef: {box, the step in which it was read}
function objects.box_of(ref)
  local pos = position_of(ref)
  if not pos then return nil end
  local read = boxes_read[ref]
  if not read or step - read[2] >= PROPERTY_STEPS then
    read = {ref:get_properties().selectionbox, step}
    boxes_read[ref] = read
  end
  local box = read[1]
  local middle, min, max = {center(pos, box)}, {}, {}
  for axis = 1, 3 do
    local half = (box[axis + 3] - box[axis]) / 2
    if not (half >= 0 and half <= FARTHEST and is_near(middle[axis])) then return nil end
    half = max_of(half, THINNEST)
    min[axis], max[axis] = middle[axis] - half, middle[axis] + half
  end
  return min, max
end

function objects.next_step() step = step + 1 end

-- Returns the ids of a list of objects; those that are not known are left out.
function objects.ids(refs)
  local ids = {}
  for _, ref in ipairs(refs) do ids[#ids + 1] = id_of[ref] end
  return ids
end

-- Returns the object with an id, nil if it is not known any more.
function objects.ref(id) return known[id] and known[id].ref end

return objects
