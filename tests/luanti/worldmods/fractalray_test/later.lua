-- SPDX-License-Identifier: Apache-2.0
-- What takes several server steps: a liquid that flows, and re-reads that repair the mirror.
local expect = ...

local FLOW = vector.new(8, 8, 8)
local UNNOTICED = vector.new(24, 24, 24)
local NEXT_TO_FLOW = vector.add(FLOW, vector.new(1, 0, 0))
local MOST_SECONDS = 120  -- a server takes about 4 if nothing else keeps the machine busy

-- Calls a function once a condition holds, at the latest after so much real time.
local function once(holds, seconds, call)
  local due = minetest.get_us_time() + seconds * 1e6
  local function wait()
    if holds() or minetest.get_us_time() >= due then call() else minetest.after(0, wait) end
  end
  wait()
end

-- Returns true if the first node down from 3 above `node` is the one of Luanti.
local function agrees_above(node)
  local from, to = vector.add(node, vector.new(0, 3, 0)), vector.add(node, vector.new(0, -1, 0))
  local ours = fractalray.raycast(from, to, false, true):next()
  local theirs = minetest.raycast(from, to, false, true):next()
  return (ours and ours.under.y) == (theirs and theirs.under.y)
end

local function clear(node, reach)
  for z = -reach, reach do
    for y = -1, reach do
      for x = -reach, reach do
        minetest.set_node(vector.add(node, vector.new(x, y, z)),
          {name = y == -1 and "nodes:stone" or "air"})
      end
    end
  end
end

local function has_flowed()
  return minetest.get_node(NEXT_TO_FLOW).name == "nodes:oil_flowing"
end

return function(run, finish)
  run(function()
    clear(FLOW, 3)
    clear(UNNOTICED, 3)
    expect(agrees_above(UNNOTICED) and agrees_above(FLOW), "the cleared boxes differ")
    minetest.set_node(FLOW, {name = "nodes:oil_source"})
    earlier.set_node(UNNOTICED, {name = "nodes:stone"})
    expect(not agrees_above(UNNOTICED), "the unnoticed change is noticed at once")
  end)
  once(function() return has_flowed() and agrees_above(UNNOTICED) end, MOST_SECONDS, function()
    run(function()
      expect(has_flowed(), "the oil has not flowed")
      expect(agrees_above(NEXT_TO_FLOW), "the flow is not noticed")
      expect(agrees_above(UNNOTICED), "re-reads have not repaired the mirror")
      expect(fractalray.verify().nodes == 0, "the mirror differs after re-reads")
    end)
    finish()
  end)
end
