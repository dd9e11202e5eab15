-- SPDX-License-Identifier: Apache-2.0
-- The definitions of nodes as far as they matter to hits, and nodedefs.jsonl, the file of them in the
-- world's folder, by which fractalray reads the map with its shapes (docs/luanti.md).
local SIDES = ...

-- As in kinds.lua.
local error, ipairs, next, pairs, pcall = error, ipairs, next, pairs, pcall
local rawget, tonumber, tostring, type = rawget, tonumber, tostring, type
local concat, format, match, sort = table.concat, string.format, string.match, table.sort
local max_of, min_of = math.max, math.min
local log, safe_file_write, write_json = minetest.log, minetest.safe_file_write, minetest.write_json
local registered_nodes, registered_aliases = minetest.registered_nodes, minetest.registered_aliases

local definitions = {path = minetest.get_worldpath() .. "/nodedefs.jsonl"}

-- In node widths, as formats/node_definitions.cc.
local FARTHEST = 1000
local MOST_BOXES = 255

local BOX_TYPES = {regular = true, fixed = true, leveled = true, wallmounted = true, connected = true}
-- The members of a node box that are lists of boxes.
local LISTS = {"fixed", "wall_top", "wall_bottom", "wall_side", "disconnected", "disconnected_sides"}
local IS_SIDE = {}
for _, side in ipairs(SIDES) do
  IS_SIDE[side] = true
  LISTS[#LISTS + 1] = "connect_" .. side
  LISTS[#LISTS + 1] = "disconnected_" .. side
end

local function coordinate(x, what)
  local number = tonumber(x)
  if number and number >= -FARTHEST and number <= FARTHEST then return number end
  error(format("%s has the coordinate %s; write numbers from -%d to %d", what, tostring(x), FARTHEST,
    FARTHEST), 0)
end

local function read_box(corners, what)
  if type(corners) ~= "table" then
    error(format("%s has the box %s; write {x1, y1, z1, x2, y2, z2}", what, tostring(corners)), 0)
  end
  local box = {}
  for axis = 1, 3 do
    local a, b = coordinate(corners[axis], what), coordinate(corners[axis + 3], what)
    box[axis], box[axis + 3] = min_of(a, b), max_of(a, b)
  end
  return box
end

-- Returns a list of boxes, which may be given as one box; nil for an empty one, as Luanti writes that as
-- null.
local function read_boxes(list, what)
  if type(list) ~= "table" or #list == 0 then return nil end
  if type(list[1]) ~= "table" then return {read_box(list, what)} end
  if #list > MOST_BOXES then
    error(format("%s has %d boxes; write at most %d", what, #list, MOST_BOXES), 0)
  end
  local boxes = {}
  for i = 1, #list do boxes[i] = read_box(list[i], what) end
  return boxes
end

local function read_node_box(box, what)
  if type(box) ~= "table" then return nil end
  local copy = {type = BOX_TYPES[box.type] and box.type or "regular"}
  for _, member in ipairs(LISTS) do copy[member] = read_boxes(box[member], what .. "." .. member) end
  return copy
end

-- Returns those texts of a list for which `read` returns one, as it returns them; nil if there are none.
local function read_texts(list, read)
  local texts = {}
  if type(list) == "string" then list = {list} end
  for _, text in ipairs(type(list) == "table" and list or {}) do
    texts[#texts + 1] = type(text) == "string" and read(text) or nil
  end
  return texts[1] and texts
end
local function without_alias(name) return registered_aliases[name] or name end
local function side(name) return IS_SIDE[name] and name end

local function read_groups(groups)
  local ratings = {}
  for group, rating in pairs(type(groups) == "table" and groups or {}) do
    if type(group) == "string" and type(rating) == "number" and rating ~= 0 then ratings[group] = rating end
  end
  return next(ratings) and ratings
end

local function text_or(text, usual) return type(text) == "string" and text or usual end

-- Returns a definition without its boxes: that of a node that fills its cube.
local function read_cube(name, def)
  local leveled = tonumber(def.leveled) or 0
  return {name = name, drawtype = text_or(def.drawtype, "normal"), walkable = def.walkable ~= false,
    pointable = def.pointable ~= false, liquidtype = text_or(def.liquidtype, "none"),
    paramtype2 = text_or(def.paramtype2, "none"),
    leveled = leveled ~= 0 and min_of(leveled, tonumber(def.leveled_max) or 127) or nil,
    connects_to = read_texts(def.connects_to, without_alias),
    connect_sides = read_texts(def.connect_sides, side), groups = read_groups(def.groups)}
end

local function read(name, def)
  local definition = read_cube(name, def)
  for _, member in ipairs({"node_box", "selection_box", "collision_box"}) do
    definition[member] = read_node_box(def[member], member)
  end
  return definition
end

local known = {}  -- by name
local damaged = 0

-- Returns the definition of a node, with the members of a line of nodedefs.jsonl; nil for a name that is
-- not registered. One with boxes that cannot be read fills its cube, and the log has a warning.
function definitions.of(name)
  if known[name] then return known[name] end
  -- An index would find aliases too.
  local def = rawget(registered_nodes, name)
  if not def then return nil end
  local is_read, definition = pcall(read, name, def)
  if not is_read then
    damaged = damaged + 1
    log("warning", format("fractalray: the node %s fills its cube, as its %s", name, tostring(definition)))
    definition = read_cube(name, def)
  end
  known[name] = definition
  return definition
end

-- Returns the names that old mapblocks may have of a node that is registered by another, and that other
-- name by each.
local function old_names()
  local names, nodes = {}, {}
  for name, node in pairs(registered_aliases) do
    if type(name) == "string" and rawget(registered_nodes, node) and not rawget(registered_nodes, name) then
      names[#names + 1], nodes[name] = name, node
    end
  end
  sort(names)
  return names, nodes
end

-- Writes the definitions of all nodes to nodedefs.jsonl, and their old names: the whole file, or nothing
-- of it. Returns the number of nodes, and of those whose boxes cannot be read; or nil and the reason.
function definitions.write()
  local names, lines = {}, {}
  for name in pairs(registered_nodes) do names[#names + 1] = name end
  sort(names)
  local aliases, nodes = old_names()
  local function add(line, name)
    local json, reason = write_json(line)
    if not json then return format("the definition of %s cannot be written: %s", name, tostring(reason)) end
    lines[#lines + 1] = match(json, "^(.-)%s*$") .. "\n"
  end
  for _, name in ipairs(names) do
    local reason = add(definitions.of(name), name)
    if reason then return nil, reason end
  end
  for _, name in ipairs(aliases) do
    local reason = add({name = name, alias = nodes[name]}, name)
    if reason then return nil, reason end
  end
  if not safe_file_write(definitions.path, concat(lines)) then
    return nil, definitions.path .. " cannot be written; is the disk full, or the folder read-only?"
  end
  return #names, damaged
end

return definitions
