-- SPDX-License-Identifier: Apache-2.0
-- Asks both sides the same and notes where they differ, with what is needed to settle it: the
-- segment, both answers and the cubes near the segment.
local report = ...
local compare = {}

local SAMPLE_EVERY = 51  -- one of so many questions is noted although both sides agree
local NEAR = 2           -- nodes at most so far from the segment are noted
local TOLERANCE = 1 / 1024  -- of intersection points, as Luanti's are float32

local function list_of(ray)
  local list = {}
  for pointed in ray do list[#list + 1] = pointed end
  return list
end

-- Returns what identifies the answer in the report.
local function brief(pointed)
  local normal = pointed.intersection_normal
  local result = {normal = {normal.x, normal.y, normal.z}}
  if pointed.type == "node" then
    result.node = {pointed.under.x, pointed.under.y, pointed.under.z}
  else
    result.object = pointed.ref:get_luaentity().number
  end
  return result
end

local function briefs(list)
  local result = {}
  for i, pointed in ipairs(list) do result[i] = brief(pointed) end
  return result
end

local function is_same(ours, theirs)
  return ours.type == theirs.type and ours.ref == theirs.ref
    and (ours.type ~= "node" or (vector.equals(ours.under, theirs.under)
      and vector.equals(ours.above, theirs.above)))
    and vector.equals(ours.intersection_normal, theirs.intersection_normal)
    and vector.distance(ours.intersection_point, theirs.intersection_point) < TOLERANCE
end

local function are_same(ours, theirs)
  for i = 1, math.max(#ours, #theirs) do
    if not ours[i] or not theirs[i] or not is_same(ours[i], theirs[i]) then return false end
  end
  return true
end

-- Returns the distance of a point from a segment.
local function distance(point, from, to)
  local direction = vector.subtract(to, from)
  local length2 = vector.dot(direction, direction)
  local t = length2 > 0 and vector.dot(vector.subtract(point, from), direction) / length2 or 0
  t = math.max(0, math.min(1, t))
  return vector.distance(point, vector.add(from, vector.multiply(direction, t)))
end

-- Returns the nodes near a segment that `counts` accepts, as lists of three numbers.
local function nodes_near(from, to, counts)
  local min, max = vector.sort(from, to)
  local nodes = {}
  for z = math.floor(min.z) - NEAR, math.ceil(max.z) + NEAR do
    for y = math.floor(min.y) - NEAR, math.ceil(max.y) + NEAR do
      for x = math.floor(min.x) - NEAR, math.ceil(max.x) + NEAR do
        local node = vector.new(x, y, z)
        if distance(node, from, to) < NEAR then
          local name = minetest.get_node(node).name
          if counts(name) then nodes[#nodes + 1] = {x, y, z} end
        end
      end
    end
  end
  return nodes
end

local asked = 0
local function note(is_agreed, question, from, to, answers, counts, objects)
  asked = asked + 1
  if is_agreed and asked % SAMPLE_EVERY ~= 0 then return end
  local entry = {question = question, from = {from.x, from.y, from.z}, to = {to.x, to.y, to.z},
    ours = answers.ours, theirs = answers.theirs, nodes = nodes_near(from, to, counts),
    objects = objects}
  local noted = is_agreed and report.samples or report.differences
  noted[#noted + 1] = entry
end

local function is_pointable(name) return minetest.registered_nodes[name].pointable ~= false end
local function is_pointable_or_liquid(name)
  return is_pointable(name) or minetest.registered_nodes[name].liquidtype ~= "none"
end
local function is_not_air(name) return name ~= "air" end

-- Compares all hits of raycast. `boxes` are those of the objects, if objects are to be hit.
function compare.raycast(from, to, liquids, boxes)
  local with_objects = boxes ~= nil
  local ours = list_of(fractalray.raycast(from, to, with_objects, liquids))
  local theirs = list_of(minetest.raycast(from, to, with_objects, liquids))
  report.segments = report.segments + 1
  report.hits = report.hits + #ours
  note(are_same(ours, theirs), liquids and "raycast, liquids" or "raycast", from, to,
    {ours = briefs(ours), theirs = briefs(theirs)},
    liquids and is_pointable_or_liquid or is_pointable, boxes)
end

local function sight_answer(is_clear, pos)
  if is_clear then return {} end
  return {{node = {pos.x, pos.y, pos.z}}}
end

function compare.line_of_sight(from, to)
  local ours_clear, ours_pos = fractalray.line_of_sight(from, to)
  local clear, pos = minetest.line_of_sight(from, to)
  local is_agreed = ours_clear == clear and (clear or vector.equals(ours_pos, pos))
  note(is_agreed, "line_of_sight", from, to, {ours = sight_answer(ours_clear, ours_pos),
    theirs = sight_answer(clear, pos)}, is_not_air)
end

-- Compares all questions on `count` segments that `draw` returns.
function compare.segments(count, draw, ...)
  for i = 1, count do
    local from, to = draw(...)
    compare.raycast(from, to, i % 4 == 0)
    compare.line_of_sight(from, to)
  end
end

return compare
