-- SPDX-License-Identifier: Apache-2.0
-- Compares lines of sight in a channel with shots in it, and what both leave to be collected.
local expect, random = ...

local SEGMENTS = 5000
local CALLS = 200

local function check_against_shots(channel)
  local blocked = 0
  for _ = 1, SEGMENTS do
    local from, to = random.segment()
    local is_clear, pos = fractalray.line_of_sight(from, to, channel)
    local hits, ended_by = fractalray.shoot(from, to,
      {channel = channel, objects = false, on_hit = false})
    local is_same = is_clear == (ended_by == false)
      and (is_clear or vector.equals(pos, hits[#hits].under))
    expect(is_same, ("in the channel %s the line of sight from %s to %s is %s, the shot %s"):format(
      channel, minetest.pos_to_string(from), minetest.pos_to_string(to), tostring(is_clear),
      tostring(ended_by)))
    blocked = blocked + (is_clear and 0 or 1)
  end
  expect(blocked > SEGMENTS / 50 and blocked < SEGMENTS * 49 / 50,
    channel .. ": " .. blocked .. " lines are blocked")
end

-- Returns the kilobytes that calls leave to be collected.
local function garbage(call)
  for _ = 1, CALLS do call() end  -- compiled by now
  collectgarbage("collect")
  collectgarbage("stop")
  local before = collectgarbage("count")
  for _ = 1, CALLS do call() end
  local left = collectgarbage("count") - before
  collectgarbage("restart")
  return left
end

local function check_garbage()
  local from, to = vector.new(-14, 30, 0), vector.new(14, 30, 0)
  for x = from.x, to.x do
    minetest.set_node(vector.new(x, 30, 0), {name = x % 4 == 0 and "nodes:glass" or "air"})
  end
  local options = {channel = "bullet", objects = false, on_hit = false}
  local hits, ended_by = fractalray.shoot(from, to, options)
  expect(#hits == 7 and not ended_by, "the shot does not pass seven panes")
  local of_sight = garbage(function() fractalray.line_of_sight(from, to, "bullet") end)
  local of_shot = garbage(function() fractalray.shoot(from, to, options) end)
  expect(20 * of_sight < of_shot, ("%g KB of garbage, a shot %g"):format(of_sight, of_shot))
end

return function()
  for _, channel in ipairs({"default", "bullet", "changed", "sight"}) do
    check_against_shots(channel)
  end
  for _ = 1, SEGMENTS do
    local from, to = random.segment()
    expect(fractalray.line_of_sight(from, to) == fractalray.line_of_sight(from, to, "sight"),
      "the channel sight is not that of lines of sight")
  end
  check_garbage()
end
