-- SPDX-License-Identifier: Apache-2.0
-- The block types of nodes: one for each name, or for each name, state and connections if its boxes depend
-- on them, named as the reader of saved maps names them: "stairs:slab [20]", "default:fence [0, 36]".
local fr, world, kinds, definitions, boxes, has_shapes = ...

-- As in kinds.lua.
local error, pcall, tostring, format, log = error, pcall, tostring, string.format, minetest.log
local get_name_from_content_id = minetest.get_name_from_content_id

local types = {
  single = {[minetest.CONTENT_AIR] = fr.AIR},  -- by content id, if all of its nodes have the same type
  name_of = {[fr.AIR] = "air"},                -- the name of the node, by block type
  -- By block type, of nodes that grow towards neighbours: for each side, by the type of the neighbour, true if
  -- they do; absent if nobody has asked yet.
  growing = {},
  has_growing = false,
  count = 1,
  cut = 0,  -- types with boxes beyond their node, which are cut there
}

local by_name = {}        -- nodes: {name, definition, states, growing, by_state}
local by_content_id = {}  -- of content ids with several types: the types by param2
local node_of, state_of = {}, {}  -- by block type

local function node_named(name)
  local node = by_name[name]
  if node then return node end
  node = {name = name, states = 1, by_state = {}, definition = has_shapes and definitions.of(name) or nil}
  if node.definition then
    node.states = boxes.states(node.definition)
    if boxes.grows(node.definition) then node.growing = {{}, {}, {}, {}, {}, {}} end
  elseif has_shapes then
    log("action", format("fractalray: the node %s fills its cube, as no mod registers it", name))
  end
  by_name[name] = node
  return node
end
node_of[fr.AIR], state_of[fr.AIR] = node_named("air"), 0
node_of[fr.AIR].by_state[0] = fr.AIR

local function type_name(node, state, connections)
  if connections ~= 0 then return format("%s [%d, %d]", node.name, state, connections) end
  return state ~= 0 and format("%s [%d]", node.name, state) or node.name
end

-- Returns the boxes in the channels without their own, and those in the others by their names.
local function shapes_of(node, state, connections)
  local definition = node.definition
  if not definition then return nil, nil end
  local function placed(node_box) return boxes.placed(definition, node_box, state, connections) end
  local selection, is_cut = placed(definition.selection_box)
  local collision, is_collision_cut = placed(boxes.collision_box(definition))
  if is_cut or is_collision_cut then types.cut = types.cut + 1 end
  return definition.pointable and selection or collision, {selection = selection, raycast = selection,
    raycast_liquids = selection, collision = collision, sight = boxes.WHOLE}
end

local function add(node, state, connections)
  local kind, channel_kinds = kinds.of(node.name)
  local usual, in_channels = shapes_of(node, state, connections)
  return world:add_block_type(type_name(node, state, connections), kind, channel_kinds, usual, in_channels)
end

-- Returns the type of a node in a state with connections, added if it is new. If it cannot be added, as
-- there are 65,536 types or shapes, it is the first type of that node; an error if there is none.
local function type_of(node, state, connections)
  local key = state + 256 * connections
  local known = node.by_state[key]
  if known then return known end
  local is_added, block_type = pcall(add, node, state, connections)
  if is_added then
    types.count = types.count + 1
    types.name_of[block_type], node_of[block_type], state_of[block_type] = node.name, node, state
    if node.growing then types.growing[block_type], types.has_growing = node.growing, true end
    node.first = node.first or block_type
  else
    local reason = format("fractalray: there is no type for the node %s: %s; with the setting fractalray.shapes "
      .. "= false each node needs only one", type_name(node, state, connections), tostring(block_type))
    block_type = node.first or error(reason, 0)
    log("warning", reason .. ". It is hit as another " .. node.name)
  end
  node.by_state[key] = block_type
  return block_type
end

-- Returns the type of a node, without connections.
function types.of(content_id, param2)
  local by_param2 = by_content_id[content_id]
  local known = types.single[content_id] or by_param2 and by_param2[param2]
  if known then return known end
  -- Ids of no node, which mods can write, are all named "unknown".
  local node = node_named(get_name_from_content_id(content_id))
  local block_type = type_of(node, param2 % node.states, 0)
  if node.states == 1 and not node.growing then
    types.single[content_id] = block_type
  else
    by_content_id[content_id] = by_param2 or {}
    by_content_id[content_id][param2] = block_type
  end
  return block_type
end

-- Returns the type of the same node as a type of a node that grows, with connections on sides, a bit each.
function types.connected(block_type, connections)
  return type_of(node_of[block_type], state_of[block_type], connections)
end

-- Returns true if a node that grows does so towards a neighbour on a side from 1 to 6.
function types.connects(block_type, neighbor, side)
  local known = types.growing[block_type][side]
  if known[neighbor] == nil then
    local node, other = node_of[block_type], node_of[neighbor]
    known[neighbor] = other ~= nil and other.definition ~= nil
      and boxes.connects(node.definition, other.definition, state_of[neighbor], side)
  end
  return known[neighbor]
end

return types
