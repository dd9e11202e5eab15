-- SPDX-License-Identifier: Apache-2.0
-- The program in which a sample of the playground in Lua is: its world. sample_programs.mjs puts shots after it, which print.
fr = require("fractalray")

local KINDS = {[0] = "solid", "permeable", "empty"}
local parts, kinds, shapes, types, strength

function startWorld(levels)
  world, bullet = fr.world({levels = levels}), fr.rules()
  parts, kinds, shapes, types = {}, {}, {}, {[0] = fr.AIR}
end
function mark(shot) print("=", shot) end
local function take_shape(has_parts)
  if has_parts == 0 then return nil end
  local taken = parts
  parts = {}
  return taken
end
function addChannel(name) world:add_channel(name) end
function part(...) parts[#parts + 1] = {...} end
function kindIn(channel, kind, has_parts)
  kinds[channel] = KINDS[kind]
  -- A shape of its own: a whole cube would else have that of the type.
  shapes[channel] = take_shape(has_parts) or {{0, 0, 0, 1, 1, 1}}
end
function addType(name, kind, has_parts)
  types[#types + 1] = world:add_block_type(name, KINDS[kind], kinds, take_shape(has_parts), shapes)
  kinds, shapes = {}, {}
end
function chunk(level, x, y, z) world:load_chunk(level, x, y, z) end
function fill(level, x0, y0, z0, x1, y1, z1, number) world:fill_box(level, x0, y0, z0, x1, y1, z1, types[number]) end
function sphere(id, level, categories, x, y, z, radius)
  world:add_entity({id = id, level = level, categories = categories, position = {x, y, z}, radius = radius})
end
function box(id, level, categories, x, y, z, a, b, c)
  world:add_entity({id = id, level = level, categories = categories, position = {x, y, z}, half_extents = {a, b, c}})
end
function budget(amount) strength = bullet:add_budget(amount) end
function costOfType(name, per_hit, per_block, per_pane)
  bullet:set_block(world:find_block_type(name), {budget = strength, per_hit = per_hit, per_block = per_block, per_pane = per_pane == 1})
end
function costOfEntities(categories, per_hit) bullet:set_entities(categories, {budget = strength, per_hit = per_hit}) end

