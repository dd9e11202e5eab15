-- SPDX-License-Identifier: Apache-2.0
-- Answers a scenario (docs/scenario-format.md) through the LuaJIT module, a line of JSON for each
-- query, for the conformance test. Usage: luajit answer_scenario.lua FILE, where FILE is the scenario
-- as a Lua table (conformance_test.cc makes it), in which the id of a query is its JSON text.
local fr = require("fractalray")
local json, sight = require("scenario_json"), require("scenario_sight")
local ffi, C = fr.ffi, fr.C
local integer, number, optional = json.integer, json.number, json.optional
local flag, text, list, triple = json.flag, json.text, json.list, json.triple

local MOST_CELLS = 10000000

---- The world -----------------------------------------------------------------------------------

local scenario = dofile(arg[1])
local world = fr.world({levels = scenario.levels, anchor = scenario.anchor})
local types, names, responses, rules = {}, {[fr.AIR] = "air"}, {}, {}

local function is_plain_air(name, kinds)
  if name ~= "air" then return false end
  if type(kinds) == "string" then return kinds == "empty" end
  for _, kind in pairs(kinds) do
    if kind ~= "empty" then return false end
  end
  return true
end

-- Returns the boxes of a look, six numbers each; the whole cube for one without.
local function boxes_of(look)
  local boxes = {}
  for i, box in ipairs(look.boxes or {{{0, 0, 0}, {1, 1, 1}}}) do
    local low, high = box[1], box[2]
    boxes[i] = {low[1], low[2], low[3], high[1], high[2], high[3]}
  end
  return boxes
end

-- The library has an "air" of its own, empty in every channel.
for name, kinds in pairs(scenario.block_types or {}) do
  if is_plain_air(name, kinds) then
    types[name] = fr.AIR
  else
    local is_look = type(kinds) == "string" or kinds.default == nil
    local channels, boxes = {}, {}
    for channel, look in pairs(is_look and {default = kinds} or kinds) do
      local is_word = type(look) == "string"
      channels[channel] = is_word and look or look.kind
      boxes[channel] = not is_word and boxes_of(look) or nil
    end
    local kind, shape = channels.default, boxes.default
    channels.default, boxes.default = nil, nil
    local in_library = name == "air" and "air of the file" or name
    types[name] = world:add_block_type(in_library, kind, channels, shape, boxes)
    names[types[name]] = name
  end
end
for name, response in pairs(scenario.responses or {}) do responses[types[name]] = response end

-- Levels that cannot be active are left out.
local function levels_of(levels)
  if not levels then return nil end
  local possible = {}
  for _, level in ipairs(levels) do
    if level >= 0 and level < C.FR_MAX_LEVELS then possible[#possible + 1] = level end
  end
  return fr.levels(unpack(possible))
end

local function rule_of(rule, budgets)
  if rule.response then return rule.response end
  local cost = {budget = budgets[rule.budget]}
  local others = {budget = true, type = true, categories = true, levels = true}
  for name, value in pairs(rule) do
    if not others[name] then cost[name] = value end
  end
  return cost
end

for name, source in pairs(scenario.rules or {}) do
  local made = {rules = fr.rules(), budgets = {}, amounts = {}}
  for budget, amount in pairs(source.budgets or {}) do
    made.budgets[budget] = made.rules:add_budget(amount)
    made.amounts[budget] = amount
  end
  for _, rule in ipairs(source.blocks or {}) do
    made.rules:set_block(types[rule.type], rule_of(rule, made.budgets), levels_of(rule.levels))
  end
  for _, rule in ipairs(source.entities or {}) do
    made.rules:set_entities(rule.categories, rule_of(rule, made.budgets), levels_of(rule.levels))
  end
  rules[name] = made
end

local function load_chunk(chunk)
  local x, y, z = unpack(chunk.at)
  if chunk.state == "proto" then
    if world:chunk_state(chunk.level, x, y, z) == "loaded" then
      world:unload_chunk(chunk.level, x, y, z)
    end
    return world:load_proto_chunk(chunk.level, x, y, z)
  end
  local ids = ffi.new("uint16_t[4096]")
  local function fill(from, to, name)
    for bz = from[3], to[3] do
      for by = from[2], to[2] do
        for bx = from[1], to[1] do ids[bx + 16 * by + 256 * bz] = types[name] end
      end
    end
  end
  if chunk.fill or types.air then fill({0, 0, 0}, {15, 15, 15}, chunk.fill or "air") end
  for _, box in ipairs(chunk.boxes or {}) do fill(box[1], box[2], box[3]) end
  for _, block in ipairs(chunk.blocks or {}) do fill(block[1], block[1], block[2]) end
  world:load_chunk(chunk.level, x, y, z, ids)
end

-- The class of an entity is its response.
local CLASSES = {continue = 0, stop = 1, again = 2}
local CLASS_RESPONSES = {[0] = "continue", [1] = "stop", [2] = "again"}
local function add_entity(entity)
  world:add_entity({id = entity.id, level = entity.level, position = entity.center,
    radius = entity.radius, half_extents = entity.half_extents, categories = entity.categories,
    class = CLASSES[entity.response or "continue"]})
end

for _, chunk in ipairs(scenario.chunks or {}) do load_chunk(chunk) end
for _, entity in ipairs(scenario.entities or {}) do add_entity(entity) end

---- Shots ---------------------------------------------------------------------------------------

local function respond(hit)
  local response = hit:is_block() and responses[hit.type] or CLASS_RESPONSES[hit.entity_class]
  -- A cursor sees the world as it is anyway.
  return response == "stop" and "stop" or "continue"
end

local function block_part(hit)
  return ('"kind":"block","level":%d,"block":%s,"type":%s'):format(hit.level,
    triple(hit.cell, integer), text(names[hit.type]))
end
local function entity_part(hit)
  return ('"kind":"entity","entity":%s,"level":%d'):format(integer(hit.id), hit.level)
end

local function hit_json(hit)
  local out = "{" .. (hit:is_block() and block_part(hit) or entity_part(hit))
  out = out .. (',"t":%s,"t_exit":%s'):format(number(hit.t), number(hit.t_exit))
  if hit:is_block() or hit.shape == C.FR_BOX then
    out = out .. ',"face":' .. (hit:face() and text(hit:face()) or "null")
  end
  local normal = hit.start_inside == 1 and "null" or triple(hit.normal, number)
  return out .. (',"terminal":%s,"point":%s,"normal":%s,"distance":%s}'):format(flag(hit.terminal),
    triple(hit.point, number), normal, number(hit.distance))
end

-- The members of shots that are no options, or have other names there.
local NOT_OPTIONS = {}
for name in ("id op from to origin direction max_distance bounds levels rules budgets channel "
  .. "unknown level_parts spans blocks entities"):gmatch("%S+") do
  NOT_OPTIONS[name] = true
end

local function options_of(query)
  local options = {}
  for name, value in pairs(query) do
    if not NOT_OPTIONS[name] then options[name] = value end
  end
  options.on_hit = respond
  options.channel = query.channel and world:add_channel(query.channel)
  options.report_unknown = query.unknown
  options.no_blocks, options.no_entities = query.blocks == false, query.entities == false
  if query.rules then
    local made = rules[query.rules]
    options.rules, options.budgets = made.rules, {}
    for name, budget in pairs(made.budgets) do
      options.budgets[budget + 1] = query.budgets and query.budgets[name] or made.amounts[name]
    end
  end
  return options
end

local function line_of(query)
  if query.from then
    local x, y, z = unpack(query.to)
    return fr.segment(query.from[1], query.from[2], query.from[3], x, y, z)
  end
  local box = query.bounds
  local bounds = box and {box[1][1], box[1][2], box[1][3], box[2][1], box[2][2], box[2][3]}
  local x, y, z = unpack(query.direction)
  return fr.ray(query.origin[1], query.origin[2], query.origin[3], x, y, z, query.max_distance,
    bounds)
end

local function line_json(line)
  local delta = ffi.new("int64_t[3]")
  for axis = 0, 2 do delta[axis] = line.to[axis] - line.from[axis] end
  return (',"line":{"from":%s,"delta":%s,"t_end":%s}'):format(triple(line.from, integer),
    triple(delta, integer), number(tonumber(line.end_time) / 2 ^ 60))
end

local function budgets_json(query, result)
  local parts = {}
  for name, budget in pairs(rules[query.rules].budgets) do
    parts[#parts + 1] = text(name) .. ":" .. number(result.budgets[budget])
  end
  return ',"budgets":{' .. table.concat(parts, ",") .. '},"stopped_at":' ..
    optional(result.stopped_at)
end

local function level_part_json(part)
  return ('{"level":%d,"t0":%s,"t1":%s}'):format(part.level, number(part.t0), number(part.t1))
end

-- Returns the JSON of a hit with its spans.
local function spanned_json(hit, line, options)
  local spans = list(world:hit_spans(line, hit, options), function(span)
    return ("[%s,%s]"):format(number(span[1]), number(span[2]))
  end)
  return hit_json(hit):sub(1, -2) .. ',"spans":' .. spans .. "}"
end

local ask = {}
for op, answer in pairs(sight) do
  ask[op] = function(query) return answer(world, levels_of(query.levels), query) end
end

function ask.shoot(query)
  local line, levels = line_of(query), levels_of(query.levels)
  local parts = query.level_parts and world:level_parts(line, levels)
  local hits, result = world:shoot(line, levels, options_of(query))
  local hits_json = list(hits, function(hit)
    return query.spans and spanned_json(hit, result.line, options_of(query)) or hit_json(hit)
  end)
  local out = ',"hits":' .. hits_json .. ',"terminated":' .. flag(result.terminated)
  if query.max_hits then out = out .. ',"truncated":' .. flag(result.truncated) end
  if query.rules then out = out .. budgets_json(query, result) end
  if query.unknown or query.stop_at_unknown then
    out = out .. ',"unknown_from":' .. optional(result.unknown_from)
  end
  if parts then out = out .. ',"level_parts":' .. list(parts, level_part_json) end
  if query.origin then out = out .. line_json(result.line) end
  return out
end

---- Blasts --------------------------------------------------------------------------------------

-- The members of blasts that are no options of shots, besides those of NOT_OPTIONS.
local BLAST = {}
for name in ("center radius rays resistances falloff max_samples"):gmatch("%S+") do
  BLAST[name] = true
end

local function rays_of(rays)
  if rays.cube then return fr.cube_fan(rays.cube, rays.step, rays.power) end
  local array = ffi.new("frBlastRay[?]", #rays)
  for i, ray in ipairs(rays) do
    for axis = 1, 3 do array[i - 1].step[axis - 1] = ray.step[axis] end
    array[i - 1].power = ray.power
  end
  return array, #rays
end

local function broken_json(block)
  return ('{"level":%d,"block":%s,"type":%s,"ray":%d,"steps":%s,"power":%s}'):format(block.level,
    triple(block.block, integer), text(names[block.type]), block.ray, integer(block.steps),
    integer(block.power))
end
local function exposed_json(entity)
  return ('{"entity":%s,"distance":%s,"from":%s,"to":%s}'):format(integer(entity.id),
    number(entity.distance), number(entity.from), number(entity.to))
end

local function elements(array, count, write)
  local parts = {}
  for i = 1, count do parts[i] = write(array[i - 1]) end
  return "[" .. table.concat(parts, ",") .. "]"
end

function ask.blast(query)
  local rays, count = rays_of(query.rays)
  local resistances, filter = {}, {}
  for name, resistance in pairs(query.resistances) do
    if resistance < 0 then error("fractalray: INVALID_ARGUMENT: a resistance below 0", 0) end
    resistances[types[name]] = resistance
  end
  for name, value in pairs(query) do
    if not BLAST[name] then filter[name] = value end
  end
  local options = options_of(filter)
  options.on_hit = nil
  local blast = world:blast({center = query.center, radius = query.radius, rays = rays,
    ray_count = count, resistances = resistances, falloff = query.falloff,
    max_samples = math.min(query.max_samples or MOST_CELLS, MOST_CELLS)}, levels_of(query.levels),
    options)
  return (',"blocks":%s,"entities":%s,"samples":%d,"reaches_unknown":%s'):format(
    elements(blast.blocks, blast.block_count, broken_json),
    elements(blast.entities, blast.entity_count, exposed_json), blast.samples,
    tostring(blast.reaches_unknown))
end

---- Other queries -------------------------------------------------------------------------------

local CORNERS = {both = C.FR_CORNER_BOTH, neither = C.FR_CORNER_NEITHER,
  staircase = C.FR_CORNER_STAIRCASE}

local function cell_json(cell, dimensions)
  local indices = {}
  for axis = 0, dimensions - 1 do indices[axis + 1] = cell.cell[axis] end
  local face = "null"
  if cell.face_axis >= 0 then
    face = (cell.face_sign < 0 and '"-' or '"+') .. ("xyz"):sub(cell.face_axis + 1,
      cell.face_axis + 1) .. '"'
  end
  return ('{"cell":%s,"t":%s,"face":%s}'):format(list(indices, integer), number(cell.t), face)
end

function ask.walk(query)
  local dimensions = query.dimensions or 3
  local widths = query.cell
  if type(widths) == "number" then widths = {widths, widths, widths} end
  local cells, crossings = fr.walk(dimensions, query.from, query.to, widths,
    CORNERS[query.corner or "both"])
  if crossings > MOST_CELLS then error("fractalray: RESOURCE_EXHAUSTED: too many cells", 0) end
  local parts = {}
  for cell in cells do parts[#parts + 1] = cell_json(cell, dimensions) end
  return ',"cells":[' .. table.concat(parts, ",") .. "]"
end

function ask.entity_chunks(query)
  local level, chunks = world:entity_chunks(world:find_entity(query.entity))
  return (',"index_level":%d,"chunks":%s'):format(level, list(chunks, function(chunk)
    return list(chunk, integer)
  end))
end

local function moved(move)
  return (',"anchor":%s,"evicted":%s,"dropped_chunks":%d'):format(text(world:anchor()),
    list(move.evicted, integer), move.dropped_chunks)
end
function ask.descend(query) return moved(world:descend(unpack(query.chunk))) end
function ask.recenter(query) return moved(world:recenter(unpack(query.chunk))) end
function ask.climb() return moved(world:climb()) end
function ask.path(query)
  return ',"path":' .. text(world:path(query.level, unpack(query.chunk)))
end
function ask.load(query) load_chunk(query.chunk) return "" end
function ask.add(query) add_entity(query.entity) return "" end

for _, query in ipairs(scenario.queries) do
  local is_answered, answer = pcall(ask[query.op], query)
  if not is_answered then
    local reason = answer:match("fractalray: ([A-Z_]+: .*)") or error(answer, 0)
    answer = ',"error":' .. text(reason)
  end
  print('{"id":' .. query.id .. answer .. "}")
end
