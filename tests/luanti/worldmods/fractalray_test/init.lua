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
local checks = {part("edits", report, random, compare, expect), part("objects", random, compare),
  part("shoot", expect), part("sight", expect, random), part("who_sees", expect, random),
  part("arguments", expect), part("limits", expect), part("private", expect), part("replaced", expect),
  part("costs", report, random)}
local later = part("later", expect)

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
    random.fill()
    compare.segments(20000, random.segment)
    for _, check in ipairs(checks) do check() end
  end)
  if is_done then later(run, finish) else finish() end
end

-- There is no map while mods are loaded. All of the test up to `later` runs in one server step.
minetest.after(0, function()
  minetest.emerge_area(random.MIN, random.MAX, function(_, _, remaining)
    if remaining == 0 then minetest.after(0, test) end
  end)
end)
