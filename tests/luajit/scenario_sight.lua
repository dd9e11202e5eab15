-- SPDX-License-Identifier: Apache-2.0
-- Answers a scenario's queries of sight of boxes: a function for each op, of the world, the levels as a mask
-- and the query.
local fr = require("fractalray")
local json = require("scenario_json")
local ffi = fr.ffi
local integer, number, flag, text, triple = json.integer, json.number, json.flag, json.text, json.triple

-- The members of queries of sight that are no options, or have other names there.
local NOT_OPTIONS = {}
for name in ("id op eye eye_units box box_units levels channel blocks occluders occluder_units "
  .. "certificate"):gmatch("%S+") do
  NOT_OPTIONS[name] = true
end

local function units_of(box)
  local query = fr.sight_query(box[1], box[1], box[2])
  local min, max = query.box.min, query.box.max
  return {{min[0], min[1], min[2]}, {max[0], max[1], max[2]}}
end

local function options_of(world, query)
  local options = {occluders = {}}
  for name, value in pairs(query) do
    if not NOT_OPTIONS[name] then options[name] = value end
  end
  local unloaded = query.unloaded or "report"
  if unloaded ~= "report" and unloaded ~= "transparent" and unloaded ~= "opaque" then
    error("fractalray: INVALID_ARGUMENT: unloaded is " .. unloaded, 0)
  end
  options.channel = query.channel and world:add_channel(query.channel)
  options.no_blocks = query.blocks == false
  for i, box in ipairs(query.occluders or {}) do options.occluders[i] = units_of(box) end
  for _, box in ipairs(query.occluder_units or {}) do
    options.occluders[#options.occluders + 1] = box
  end
  return options
end

local function view_of(world, query)
  local zero = {0, 0, 0}
  local box = query.box or {zero, zero}
  local made = fr.sight_query(query.eye or zero, box[1], box[2])
  for axis = 0, 2 do
    if query.eye_units then made.eye[axis] = query.eye_units[axis + 1] end
    if query.box_units then
      made.box.min[axis] = query.box_units[1][axis + 1]
      made.box.max[axis] = query.box_units[2][axis + 1]
    end
  end
  return made, options_of(world, query)
end

-- Returns a component of a witness: a string if it has more than 64 bits.
local function component_json(low, high)
  local is_narrow = high == (low < 0 and -1 or 0)
  if is_narrow then return integer(low) end
  local is_negative = high < 0
  local digits, value = "", {ffi.cast("uint64_t", high), ffi.cast("uint64_t", low)}
  if is_negative then
    value[2] = -value[2]
    value[1] = -value[1] - (value[2] == 0 and 0 or 1)
  end
  -- Long division by ten of four parts of 32 bits.
  local parts = {value[1] / 2 ^ 32, value[1] % 2 ^ 32, value[2] / 2 ^ 32, value[2] % 2 ^ 32}
  repeat
    local rest, is_zero = 0ULL, true
    for i, part in ipairs(parts) do
      local whole = rest * 2 ^ 32 + part
      parts[i], rest = whole / 10, whole % 10
      is_zero = is_zero and parts[i] == 0
    end
    digits = tostring(tonumber(rest)) .. digits
  until is_zero
  return text((is_negative and "-" or "") .. digits)
end

local function box_json(box)
  return "[" .. triple(box.min, integer) .. "," .. triple(box.max, integer) .. "]"
end

local ask = {}

function ask.visible(world, levels, query)
  local made, options = view_of(world, query)
  local answer = fr.sized("frSightAnswer")
  local sight = world:visible(made, levels, options, answer)
  local out = ',"sight":' .. text(sight)
  if sight == "visible" then
    local delta = {}
    for axis = 0, 2 do
      delta[axis + 1] = component_json(answer.delta[axis], answer.delta_high[axis])
    end
    out = out .. (',"witness":{"delta":[%s],"unit":%s}'):format(table.concat(delta, ","),
      flag(answer.is_unit))
  end
  if query.certificate and sight == "hidden" then
    local boxes, count = world:find_certificate(made, levels, options)
    local parts = {}
    for i = 1, count do parts[i] = box_json(boxes[i - 1]) end
    out = out .. ',"certificate":[' .. table.concat(parts, ",") .. "]"
  end
  return out
end

function ask.exposure(world, levels, query)
  local made, options = view_of(world, query)
  local from, to = world:exposure(made, levels, options)
  return (',"from":%s,"to":%s'):format(number(from), number(to))
end

return ask
