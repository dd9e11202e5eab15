-- SPDX-License-Identifier: Apache-2.0
-- Who sees whom, and which nodes are in sight: whether any part of a box is seen, exactly, where rays to
-- some of its points miss others.
local fr, world, kinds, types, mirror, objects, positions, memories, public = ...

-- As in kinds.lua.
local error, ipairs, pairs, tonumber, type, format = error, ipairs, pairs, tonumber, type, string.format
local abs, floor, max_of, min_of = math.abs, math.floor, math.max, math.min
local sort, concat = table.sort, table.concat
local new_vector = vector.new
local new_array, coordinates, shown, HALF = fr.ffi.new, positions.coordinates, positions.shown, positions.HALF

local VISIBLE, UNKNOWN = fr.C.FR_SIGHT_VISIBLE, fr.C.FR_SIGHT_UNKNOWN
local UNITS = 65536          -- of a node's width
local MOST_RADIUS = 256      -- some 36,000 mapblocks
local MOST_MAPBLOCKS = 1000  -- that one pair of an eye and a box may let be mirrored
local MOST_DISTANCE = 1e6

---- One eye and one box -------------------------------------------------------------------------

-- By the number of a channel, made once: options with unloaded nodes as they are, and as air.
local options_by_channel = {}
local function options_of(channel)
  options_by_channel[channel] = options_by_channel[channel] or {
    as_it_is = fr.sight_options({channel = channel}),
    as_air = fr.sight_options({channel = channel, unloaded = "transparent"})}
  return options_by_channel[channel]
end

local query, line = fr.sight_query({0, 0, 0}, {0, 0, 0}, {1, 1, 1}), fr.segment(0, 0, 0, 0, 0, 0)
local answer = fr.sized("frSightAnswer")

-- Returns a component of the witness of `answer`, rounded.
local function witness(axis)
  if answer.is_wide == 0 then return tonumber(answer.delta[axis]) end
  local low = tonumber(fr.ffi.cast("uint64_t", answer.delta[axis]))
  return tonumber(answer.delta_high[axis]) * 2 ^ 64 + low
end

-- Returns the line through which an eye would see a box if unloaded nodes were air, up to the box or
-- beyond it. Requires: the answer has a witness.
local function line_of_witness(eye, min, max)
  local x, y, z = witness(0), witness(1), witness(2)
  local reach = 0
  for axis = 1, 3 do reach = max_of(reach, abs(min[axis] - eye[axis]), abs(max[axis] - eye[axis])) end
  local scale = reach / max_of(abs(x), abs(y), abs(z))
  return fr.segment(eye[1], eye[2], eye[3], eye[1] + x * scale, eye[2] + y * scale, eye[3] + z * scale, line)
end

-- Mirrors what is missing around an eye and a box; false if there was nothing, or it is too much.
local function complete_hull(eye, min, max)
  local first, last, mapblocks = {}, {}, 1
  for axis = 1, 3 do
    first[axis], last[axis] = min_of(eye[axis], min[axis]), max_of(eye[axis], max[axis])
    mapblocks = mapblocks * ((last[axis] - first[axis]) / 16 + 2)
  end
  return mapblocks <= MOST_MAPBLOCKS and mirror.complete_box(first, last)
end

-- Returns "visible", "hidden", or "unknown" if nodes on the way are not loaded. Mirrors what it looks
-- through: line by line, as most of a box is seen or hidden by few mapblocks; all around where a line crosses
-- nothing that can be loaded.
local function sight_of(eye, min, max, options)
  query = fr.sight_query(eye, min, max, query)
  repeat
    local sight = world:visible(query, nil, options.as_it_is)
    if sight ~= "unknown" then return sight end
    world:visible(query, nil, options.as_air, answer)
  until not mirror.complete(line_of_witness(eye, min, max)) and not complete_hull(eye, min, max)
  return "unknown"
end

---- Eyes, targets and options -------------------------------------------------------------------

-- Returns the eye of an object, or a position, in the world; nil for an object that is nowhere.
-- `depth` is as for positions.coordinates.
local function eye_of(viewer, name, depth)
  if objects.is_object(viewer) then return objects.eye_of(viewer) end
  local x, y, z = coordinates(viewer, name, depth + 1)
  return {x + HALF, y + HALF, z + HALF}
end

-- Returns the corners of the selection box of an object, or of the node at a position, in the world; nil
-- for an object that is nowhere.
local function box_of(target, name, depth)
  if objects.is_object(target) then return objects.box_of(target) end
  local x, y, z = coordinates(target, name, depth + 1)
  x, y, z = floor(x + HALF), floor(y + HALF), floor(z + HALF)
  return {x, y, z}, {x + 1, y + 1, z + 1}
end

-- Returns true for an option of an expected type.
local NAME_OR_FALSE = "name, or false"
local function is_a(value, expected)
  if expected == NAME_OR_FALSE then return value == false or type(value) == "string" end
  return type(value) == expected
end

-- Raises an error, at the line of the mod, for an option that is none of `known`, or not of its type; returns
-- a copy, of which each member was read once.
local function copy_of(options, known, of, depth)
  if options == nil then return {} end
  fr.check_members(options, known, "option of " .. of, depth + 1)
  local copy = {}
  for name, expected in pairs(known) do
    copy[name] = options[name]
    if copy[name] ~= nil and not is_a(copy[name], expected) then
      error(format("%s: %s is %s; it must be a %s", of, name, shown(copy[name]), expected), depth + 1)
    end
  end
  return copy
end

-- Raises an error for a number that is not from 0 to `most`.
local function check_length(value, name, most, depth)
  if type(value) == "number" and value >= 0 and value <= most then return end
  error(format("fractalray: %s is %s; it must be a number of nodes from 0 to %d", name, shown(value), most),
    depth + 1)
end

-- Returns a copy of a list, which cannot change while its elements are read.
local function copy_of_list(list, name, what, depth)
  local copy = {}
  if type(list) == "table" and list.x == nil then
    for i, element in ipairs(list) do copy[i] = element end
    return copy
  end
  error(format("fractalray: %s is %s; it must be a list of %s", name,
    type(list) == "table" and "a position" or shown(list), what), depth + 1)
end

---- What mods call ------------------------------------------------------------------------------

local sight = {}

-- Returns true if any part of a target is seen from an eye: no solid node of the channel hides all of it.
-- Else false; and "unloaded" if that depends on nodes that are not loaded. The eye is a position or an object,
-- the target the node at a position or an object. `options` may have `channel`; "default".
function sight.can_see(eye, target, options)
  options = copy_of(options, {channel = "string"}, "fractalray.can_see", 2)
  local channel = kinds.channel(options.channel or "default")
  local from = eye_of(eye, "eye", 2)
  local min, max = box_of(target, "target", 2)
  if not from or not min then return false end
  local answered = sight_of(from, min, max, options_of(channel))
  if answered == "unknown" then return false, "unloaded" end
  return answered == "visible"
end

-- Writes the eyes of viewers to an array; returns it, and the numbers of those that are there.
local function eyes_of(viewers, depth)
  local eyes, there = new_array("double[?]", 3 * #viewers + 1), {}
  for i, viewer in ipairs(viewers) do
    local eye = eye_of(viewer, format("viewers[%d]", i), depth + 1)
    if eye then
      for axis = 1, 3 do eyes[3 * #there + axis - 1] = eye[axis] end
      there[#there + 1] = i
    end
  end
  return eyes, there
end
-- The same for the boxes of targets.
local function boxes_of(targets, depth)
  local boxes, there = new_array("double[?]", 6 * #targets + 1), {}
  for i, target in ipairs(targets) do
    local min, max = box_of(target, format("targets[%d]", i), depth + 1)
    if min then
      for axis = 1, 3 do
        boxes[6 * #there + axis - 1], boxes[6 * #there + axis + 2] = min[axis], max[axis]
      end
      there[#there + 1] = i
    end
  end
  return boxes, there
end

-- Returns 1 for each pair of a viewer and a target that are one, as an array. Positions may have a function that
-- compares them, so other mods may be called here, and after this they are not.
local function same_pairs(viewers, seeing, targets, seen)
  local same = new_array("uint8_t[?]", #seeing * #seen + 1)
  for i, viewer in ipairs(seeing) do
    for j, target in ipairs(seen) do
      if viewers[viewer] == targets[target] then same[(i - 1) * #seen + j - 1] = 1 end
    end
  end
  return same
end

-- Returns what memories know the members of a list by that are there: objects by themselves, positions by
-- their numbers in the list.
local function members_of(list, there)
  local members = {}
  for i, number in ipairs(there) do
    members[i] = type(list[number]) == "userdata" and list[number] or number
  end
  return members
end

-- Returns what the memory of a call knows its first viewer by: the object, or the position as a text. Nil if
-- there is none.
local function first_of(members, eyes)
  if type(members[1]) ~= "number" then return members[1] end
  return format("%.17g %.17g %.17g", eyes[0], eyes[1], eyes[2])
end

-- Returns three numbers of an array.
local function three(array, first) return {array[first], array[first + 1], array[first + 2]} end

local WHO_SEES = {channel = "string", max_distance = "number", memory = NAME_OR_FALSE}

-- Returns for each viewer, a position or an object, the list of the targets of which it sees any part, as
-- can_see; nobody sees itself. `options` may have `channel`; `max_distance` in nodes, from the eye to the
-- nearest point of the target; and `memory`, the name of what is remembered, or false: see memories.lua. Returns
-- also how many pairs there were, and how they were answered: `unchanged`, `by_ray` and `by_proof` from memory,
-- `searched`; and how many of them were `asked_again`, as nodes were not mirrored.
function sight.who_sees(viewers, targets, options)
  viewers = copy_of_list(viewers, "viewers", "objects and positions", 2)
  targets = copy_of_list(targets, "targets", "objects and positions", 2)
  options = copy_of(options, WHO_SEES, "fractalray.who_sees", 2)
  if options.max_distance then check_length(options.max_distance, "max_distance", MOST_DISTANCE, 2) end
  local channel = kinds.channel(options.channel or "default")
  local each = options_of(channel)
  local eyes, seeing = eyes_of(viewers, 2)
  local boxes, seen = boxes_of(targets, 2)
  local asked = {eyes = eyes, boxes = boxes, left_out = same_pairs(viewers, seeing, targets, seen),
    viewers = members_of(viewers, seeing), targets = members_of(targets, seen)}
  local memory = memories.of_call(options.memory, channel, first_of(asked.viewers, eyes), #seeing, #seen)
  local answer_of, counts = memories.ask(memory, world, asked, {each = each.as_it_is,
    max_distance = options.max_distance and max_of(1, floor(options.max_distance * UNITS))})
  local found = {}
  for i = 1, #viewers do found[i] = {} end
  for i, viewer in ipairs(seeing) do
    for j, target in ipairs(seen) do
      local answered = answer_of(i, j)
      local is_seen = answered == VISIBLE
      if answered == UNKNOWN then
        local box = 6 * (j - 1)
        memories.count_again(counts)
        is_seen = sight_of(three(eyes, 3 * (i - 1)), three(boxes, box), three(boxes, box + 3), each) == "visible"
      end
      if is_seen then found[viewer][#found[viewer] + 1] = targets[target] end
    end
  end
  return found, counts
end

-- The block types of lists of names, found once while there are no new types.
local MOST_LISTS = 100
local wanted_types, lists = {}, 0
local function types_of(names)
  local parts = {}
  for i, name in ipairs(names) do parts[i] = #name .. ":" .. name end
  local key = concat(parts)
  local known = wanted_types[key]
  if known and known.count == types.count then return known end
  if not known then lists = lists + 1 end
  if lists > MOST_LISTS then wanted_types, lists = {}, 1 end
  local wanted = {count = types.count}
  for block_type, name in pairs(types.name_of) do
    for _, pattern in ipairs(names) do
      if kinds.matches(pattern, name) then
        wanted[#wanted + 1] = block_type
        break
      end
    end
  end
  wanted_types[key] = wanted
  return wanted
end

local function check_names(names, depth)
  names = copy_of_list(names, "names", 'names of nodes and "group:..."', depth + 1)
  for i, name in ipairs(names) do
    if type(name) ~= "string" then
      error(format('fractalray: names[%d] is %s; it must be the name of a node, or "group:..."', i, shown(name)),
        depth + 1)
    end
    kinds.check_key(name, "the names of fractalray.visible_nodes")
  end
  return names
end

-- Returns the positions of the nodes of some names or groups, within a distance of an eye, of which the eye
-- sees any part; nearest first. The eye is a position or an object. `options` may have `channel`.
function sight.visible_nodes(eye, radius, names, options)
  check_length(radius, "radius", MOST_RADIUS, 2)
  names = check_names(names, 2)
  options = copy_of(options, {channel = "string"}, "fractalray.visible_nodes", 2)
  local each = options_of(kinds.channel(options.channel or "default"))
  local from = eye_of(eye, "eye", 2)
  if not from then return {} end
  mirror.complete_box({from[1] - radius, from[2] - radius, from[3] - radius},
    {from[1] + radius, from[2] + radius, from[3] + radius})
  local wanted = types_of(names)
  if #wanted == 0 then return {} end
  local blocks, count = world:visible_blocks(from, radius, nil, wanted, each.as_it_is)
  local found = {}
  for i = 0, count - 1 do
    local x, y, z = tonumber(blocks[i].block[0]), tonumber(blocks[i].block[1]), tonumber(blocks[i].block[2])
    if blocks[i].sight == VISIBLE
      or sight_of(from, {x, y, z}, {x + 1, y + 1, z + 1}, each) == "visible" then
      found[#found + 1] = {pos = new_vector(x, y, z), distance = blocks[i].distance, order = i}
    end
  end
  sort(found, function(a, b)
    if a.distance ~= b.distance then return a.distance < b.distance end
    return a.order < b.order
  end)
  for i, node in ipairs(found) do found[i] = node.pos end
  return found
end

return {can_see = public(sight.can_see), who_sees = public(sight.who_sees),
  visible_nodes = public(sight.visible_nodes)}
