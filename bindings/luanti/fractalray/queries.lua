-- SPDX-License-Identifier: Apache-2.0
-- The queries of the mod in Luanti's terms: positions in which node (x, y, z) is the unit cube
-- around (x, y, z), and pointed_things.
local fr, world, kinds, types, mirror, objects, positions, public = ...

-- As in kinds.lua.
local error, ipairs, pairs, setmetatable = error, ipairs, pairs, setmetatable
local tonumber, tostring, type, format = tonumber, tostring, type, string.format
local floor, min_of, sqrt = math.floor, math.min, math.sqrt
local new_vector, add = vector.new, vector.add

local coordinates, shown, in_luanti, HALF = positions.coordinates, positions.shown, positions.in_luanti,
  positions.HALF

local queries = {}
-- Returns the line of a query that another mod has called.
local function line_between(pos1, pos2, line)
  local x1, y1, z1 = coordinates(pos1, "pos1", 3)
  local x2, y2, z2 = coordinates(pos2, "pos2", 3)
  return fr.segment(x1 + HALF, y1 + HALF, z1 + HALF, x2 + HALF, y2 + HALF, z2 + HALF, line)
end

-- Returns a hit as a pointed_thing, with two more members: distance, and the name of a node.
local function pointed_thing(hit)
  local normal = new_vector(hit.normal[0], hit.normal[1], hit.normal[2])
  local pointed = {intersection_point = in_luanti(hit.point), intersection_normal = normal,
    box_id = 1, distance = hit.distance}
  if hit:is_block() then
    pointed.type, pointed.name = "node", types.name_of[hit.type]
    pointed.under = new_vector(hit:block())
    pointed.above = add(pointed.under, normal)
  else
    pointed.type, pointed.ref = "object", objects.ref(tonumber(hit.id))
  end
  return pointed
end

-- Returns true for an object that has been removed since the objects were taken over.
local function is_gone(hit)
  if hit:is_block() then return false end
  local ref = objects.ref(tonumber(hit.id))
  return not ref or not ref:get_pos()
end

---- raycast -------------------------------------------------------------------------------------

-- Options for the first hit and for those after it, by channel and whether objects are hit, made
-- once. Those for the rest have a hit, which is overwritten, after which the query resumes.
local first_options, rest_options = {}, {}
for _, channel in ipairs({"raycast", "raycast_liquids"}) do
  for _, with_objects in ipairs({true, false}) do
    local name = channel .. tostring(with_objects)
    local options = {channel = kinds.channel(channel), no_entities = not with_objects,
      report_unknown = true}
    first_options[name] = fr.options(options)
    options.after = {fr.ffi.new("frHit")}
    rest_options[name] = fr.options(options)
  end
end

-- What a ray that another mod holds stands for. None of it is a member of the ray: with the line and
-- the hits, which are memory of C, any mod could write to all memory.
local states = setmetatable({}, {__mode = "k"})  -- ray -> {line, options, first, rest, returned}

local function first_hit(line, options)
  local hit, unknown_from = world:closest_hit(line, nil, options)
  if unknown_from and mirror.complete(line) then hit = world:closest_hit(line, nil, options) end
  return hit
end

-- Returns the hits after the first one.
local function rest_of(line, options, hit)
  options.after[0] = hit
  local hits, result = world:shoot(line, nil, options)
  if result.unknown_from == result.unknown_from and mirror.complete(line) then
    hits = world:shoot(line, nil, options)
  end
  return hits
end

-- Most callers want the first hit only: the others are searched for on request.
local function next_hit(state)
  if not state.first then
    state.first = first_hit(state.line, first_options[state.options])
    return state.first
  end
  state.rest = state.rest or rest_of(state.line, rest_options[state.options], state.first)
  state.returned = (state.returned or 0) + 1
  return state.rest[state.returned]
end

-- Returns the next pointed_thing, nil after the last one.
local function next_pointed(ray)
  local state = states[ray]
  if not state then
    error("fractalray: next is called on " .. shown(ray) .. "; write ray:next(), where ray is what "
      .. "fractalray.raycast has returned", 2)
  end
  local hit = next_hit(state)
  while hit and is_gone(hit) do hit = next_hit(state) end
  return hit and pointed_thing(hit)
end

-- Raises an error, at the line that has called fractalray.raycast, for what is no truth value: a table
-- is meant for fractalray.shoot.
local function check_flag(value, name)
  if value == nil or type(value) == "boolean" then return end
  error(format("fractalray.raycast: %s is %s; it must be true or false; fractalray.shoot takes options "
    .. "and channels", name, shown(value)), 3)
end

local public_next = public(next_pointed)
local RAY = {__index = {next = public_next}, __call = public_next, __metatable = false}

-- Does what minetest.raycast does: returns an iterator over everything
-- pointed at from pos1 to pos2, nearest first. `objects` is true by default, `liquids` false.
function queries.raycast(pos1, pos2, with_objects, liquids)
  local line = line_between(pos1, pos2)
  check_flag(with_objects, "objects")
  check_flag(liquids, "liquids")
  with_objects = with_objects ~= false
  if with_objects then objects.update_once() end
  local channel = liquids and "raycast_liquids" or "raycast"
  local ray = setmetatable({}, RAY)
  states[ray] = {line = line, options = channel .. tostring(with_objects)}
  return ray
end

---- line_of_sight -------------------------------------------------------------------------------

local sight_options = {}  -- by the number of a channel, made once
local function sight_options_of(channel)
  sight_options[channel] = sight_options[channel] or fr.options({channel = channel,
    solid_only = true, no_entities = true, report_unknown = true})
  return sight_options[channel]
end
local sight_line, sight_hit = fr.segment(0, 0, 0, 0, 0, 0), fr.ffi.new("frHit")

-- Returns the node that the line enters at time t: a millionth of a node farther, as a face belongs
-- to two nodes.
local function node_entered_at(line, t)
  local x1, y1, z1 = fr.point(line, 0)
  local x2, y2, z2 = fr.point(line, 1)
  local length = sqrt((x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1) + (z2 - z1) * (z2 - z1))
  local x, y, z = fr.point(line, length > 0 and min_of(1, t + 1e-6 / length) or t)
  return new_vector(floor(x), floor(y), floor(z))
end

-- Does what minetest.line_of_sight does: returns true if all nodes from pos1 to pos2 are air, or
-- false and the position of the first that is not. With a channel, of the first that is solid in it.
-- A node that is not loaded is neither air nor free.
function queries.line_of_sight(pos1, pos2, channel)
  local options = sight_options_of(kinds.channel(channel == nil and "sight" or channel))
  local line = line_between(pos1, pos2, sight_line)
  local hit, unknown_from = world:closest_hit(line, nil, options, sight_hit)
  if unknown_from and mirror.complete(line) then
    hit, unknown_from = world:closest_hit(line, nil, options, sight_hit)
  end
  if unknown_from then
    return false, node_entered_at(line, unknown_from)
  end
  if hit then return false, new_vector(hit:block()) end
  return true
end

---- shoot ---------------------------------------------------------------------------------------

local FUNCTION_OR_FALSE = {is = "a function or false", ["function"] = true, ["false"] = true}
local OPTIONS = {
  channel = {is = "a string", string = true},
  objects = {is = "true or false", boolean = true},
  ignore = {is = "a list of objects", table = true},
  on_hit = {is = "a function, a table or false", ["function"] = true, table = true,
    ["false"] = true},
  max_hits = {is = "an integer", number = true},
  stop_at_unloaded = {is = "true or false", boolean = true},
}

-- Raises an error, at the line that has called fractalray.shoot, for a value of another type.
local function check_type(value, name, expected)
  if expected[type(value)] or value == false and expected["false"] then return end
  error(format("fractalray.shoot: %s is %s; it must be %s", name, shown(value), expected.is), 4)
end

-- Returns the members of a table of options, each read once: the table may have a metatable.
local function copy_of(options)
  check_type(options, "options", {is = "a table", table = true})
  fr.check_members(options, OPTIONS, "option of fractalray.shoot", 3)
  local copy = {}
  for name in pairs(OPTIONS) do copy[name] = options[name] end
  return copy
end

local function check_options(options)
  for name, value in pairs(options) do check_type(value, name, OPTIONS[name]) end
  for i, object in ipairs(options.ignore or {}) do
    check_type(object, format("ignore[%d]", i), {is = "an object", userdata = true})
  end
  if options.max_hits then fr.integer(options.max_hits, "max_hits", 1, 2 ^ 53 - 1, 3) end
  if type(options.on_hit) ~= "table" then return end
  for name, callback in pairs(options.on_hit) do
    check_type(callback, format('on_hit["%s"]', tostring(name)), FUNCTION_OR_FALSE)
    kinds.check_key(name, "on_hit of fractalray.shoot")
  end
end

-- Returns the function that on_hit has for a pointed_thing.
local function callback_for(on_hit, pointed)
  if type(on_hit) == "function" then return on_hit end
  local found
  if pointed.type == "object" then
    found = on_hit.object
  else
    found = kinds.find(on_hit, pointed.name)
  end
  if found == nil then return on_hit.default end
  return found
end

-- Returns true if on_hit ends the shot at what was hit. Other answers than "stop" mean nothing, as many
-- functions return something; another text is a slip.
local function ends_at(on_hit, pointed)
  local callback = on_hit and callback_for(on_hit, pointed)
  local answer = callback and callback(pointed)
  if type(answer) == "string" and answer ~= "stop" then
    error(format('fractalray.shoot: on_hit has returned %s; return "stop" to end the shot, or nothing',
      shown(answer)), 3)
  end
  return answer == "stop"
end

-- Mirrors what is missing on the way of a shot, which flies no farther than the first solid node: a few
-- mapblocks at a time.
local function complete_way(line, channel)
  repeat
    local _, unknown_from = world:closest_hit(line, nil, sight_options_of(channel), sight_hit)
  until not unknown_from or not mirror.complete(line, 1)
end

-- Returns what has ended a shot, and where it was if the map is not loaded there; false if nothing has.
local function end_of(cursor, options, line)
  local result = cursor:result()
  if result.terminated == 1 then return "node" end
  if result.truncated == 1 then return "max_hits" end
  if not options.stop_at_unloaded or result.unknown_from ~= result.unknown_from then return false end
  return "unloaded", node_entered_at(line, result.unknown_from)
end

local function cursor_options(options)
  return fr.options({channel = kinds.channel(options.channel or "default"),
    no_entities = options.objects == false, max_hits = options.max_hits,
    ignore = options.ignore and objects.ids(options.ignore),
    stop_at_unknown = options.stop_at_unloaded})
end

-- Returns the options of the library, made once where they are the same for many shots.
local common_options = {}
local function options_of(options)
  if options.ignore or options.max_hits then return cursor_options(options) end
  local channel = options.channel or "default"  -- its name comes last, as it may have any characters
  local name = format("%s %s %s", options.objects, options.stop_at_unloaded, channel)
  common_options[name] = common_options[name] or cursor_options(options)
  return common_options[name]
end

-- Shoots from pos1 to pos2: returns a list of everything hit, as pointed_things, nearest first, up
-- to what ends the shot; and what that is: "node" for a solid one, "stop", "max_hits", "unloaded" with
-- the position of the first node that is not loaded, or false. Members of `options`, all optional:
--   channel           by which nodes are solid, permeable or empty; "default"
--   objects           false to hit no objects
--   ignore            a list of objects that are not hit, such as the shooter
--   on_hit            called with each pointed_thing, in order, before the next one is searched
--                     for: it may change the map and remove objects, and ends the shot by returning
--                     "stop". A function, or a table of functions by node name, "group:name",
--                     "object" or "default".
--   max_hits          the most hits
--   stop_at_unloaded  true to end where the map is not loaded
-- A solid node ends the shot, unless on_hit has removed it.
function queries.shoot(pos1, pos2, options)
  -- First, since the options of fractalray:shoot(pos1, pos2) would be a position.
  local line = line_between(pos1, pos2)
  options = copy_of(options == nil and {} or options)
  check_options(options)
  local channel = kinds.channel(options.channel or "default")
  if options.objects ~= false then objects.update_once() end
  complete_way(line, channel)
  local cursor = world:hits_along(line, nil, options_of(options))
  local hits, is_stopped, edits = {}, false, mirror.edits
  local hit = cursor:next()
  while hit and not is_stopped do
    if not is_gone(hit) then
      hits[#hits + 1] = pointed_thing(hit)
      is_stopped = ends_at(options.on_hit, hits[#hits])
    end
    -- on_hit may have dug a wall away, or changed many nodes at once.
    if mirror.edits ~= edits then
      edits = mirror.edits
      complete_way(line, channel)
    end
    if not is_stopped then hit = cursor:next(hit) end
  end
  local ended_by, pos = "stop", nil
  if not is_stopped then ended_by, pos = end_of(cursor, options, line) end
  cursor:close()
  return hits, ended_by, pos
end

return {raycast = public(queries.raycast), line_of_sight = public(queries.line_of_sight),
  shoot = public(queries.shoot)}
