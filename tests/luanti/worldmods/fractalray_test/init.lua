-- SPDX-License-Identifier: Apache-2.0
-- Compares fractalray with minetest.raycast and minetest.line_of_sight on a live server, writes what
-- it found to report.json in the world's folder, and shuts the server down. run_server_test.py runs
-- it, and settles each difference by exact arithmetic.
local folder = minetest.get_modpath("fractalray_test")
local function part(name, ...) return assert(loadfile(folder .. "/" .. name .. ".lua"))(...) end

fractalray.register_channel("bullet", {{"group:pane", "permeable"}, {"group:soft", "empty"},
  {"nodes:hidden", "solid"}})
local rules = {{"nodes:stone", "solid"}}
fractalray.register_channel("changed", rules)
rules[1][2] = "hard"

-- Nothing has two of these; run_server_test.py reads the warnings.
fractalray.register_channel("elsewhere", {{"group:glass", "permeable"}, {"nodes:pane", "solid"},
  {"nodes:window", "solid"}, {"nodes:stone", "solid"}, {"group:pane", "solid"}, {"air", "empty"}})

local report = {segments = 0, edits = 0, hits = 0, differences = {}, samples = {}, failures = {},
  costs = {}}
local function expect(is_met, text)
  if not is_met then report.failures[#report.failures + 1] = text end
end

local random = part("world")
local compare = part("compare", report)
local checks = {{"edits", part("edits", report, random, compare, expect)},
  {"objects", part("objects", random, compare)}, {"shoot", part("shoot", expect)}, {"sight", part("sight", expect, random)},
  {"who_sees", part("who_sees", expect, random)}, {"arguments", part("arguments", expect)},
  {"limits", part("limits", expect)}, {"private", part("private", expect)}, {"replaced", part("replaced", expect)},
  {"costs", part("costs", report, random)}}
local later, memories = part("later", expect), part("memories", expect, random)

-- The log says how far a server came that had to be killed.
local function begin(name) minetest.log("action", "fractalray_test: " .. name) end

local function finish()
  local file = assert(io.open(minetest.get_worldpath() .. "/report.json", "wb"))
  file:write(part("json")(report))
  file:close()
  minetest.request_shutdown()
end

local function run(steps)
  local is_done, reason = xpcall(steps, debug.traceback)
  expect(is_done, tostring(reason))
  return is_done
end

local function test()
  local is_done = run(function()
    begin("segments")
    random.fill()
    compare.segments(20000, random.segment)
    for _, check in ipairs(checks) do
      begin(check[1])
      check[2]()
    end
  end)
  if not is_done then return finish() end
  begin("later")
  later(run, function()
    begin("memories")
    memories(run, finish)
  end)
end

-- There is no map while mods are loaded. All of the test up to `later` runs in one server step.
minetest.after(0, function()
  minetest.emerge_area(random.MIN, random.MAX, function(_, _, remaining)
    if remaining == 0 then minetest.after(0, test) end
  end)
end)
