-- SPDX-License-Identifier: Apache-2.0
-- Compares fractalray with minetest.raycast in a world of random nodes of every kind that the game has, while
-- they are edited: writes the nodes, the edits, the rays and both answers to report.json in the world's
-- folder, and their definitions to nodedefs.jsonl. run_shapes_test.py runs it and settles the differences.
local MIN, MAX = vector.new(-12, -12, -12), vector.new(11, 11, 11)
local HAS_SHAPES = minetest.settings:get_bool("fractalray.shapes", true)
local RAYS = HAS_SHAPES and 4000 or 200
local EDITS = HAS_SHAPES and 500 or 20
local RAYS_EACH = 4

local generator = PcgRandom(20261128)
local function random(first, last) return generator:next(first, last) end
local function fraction() return random(0, 2147483646) / 2147483647 end

local function box_type(def, member) return def[member] and def[member].type or "regular" end

-- All nodes; those of which Luanti computes boxes; those that grow towards neighbours.
local all, shaped, growing = {}, {}, {}
local function list_names()
  for name, def in pairs(minetest.registered_nodes) do
    if name ~= "air" and name ~= "ignore" then all[#all + 1] = name end
    if box_type(def, "selection_box") ~= "regular" then shaped[#shaped + 1] = name end
    if box_type(def, "node_box") == "connected" then growing[#growing + 1] = name end
  end
  for _, list in ipairs({all, shaped, growing}) do table.sort(list) end
end

local function random_name(density)
  if fraction() > density then return "air" end
  local list = ({all, shaped, growing, growing})[random(1, 4)]
  return list[random(1, #list)]
end

local report = {nodes = {}, rays = {}, edits = {}, costs = {}}

local function fill()
  local manip = VoxelManip(MIN, MAX)
  local low, high = manip:get_emerged_area()
  local area = VoxelArea:new({MinEdge = low, MaxEdge = high})
  local data, param2 = manip:get_data(), manip:get_param2_data()
  for i in area:iterp(MIN, MAX) do
    local name = random_name(0.2)
    data[i], param2[i] = minetest.get_content_id(name), random(0, 255)
    local pos = area:position(i)
    if name ~= "air" then
      report.nodes[#report.nodes + 1] = {pos.x, pos.y, pos.z, name, param2[i]}
    end
  end
  manip:set_data(data)
  manip:set_param2_data(param2)
  manip:write_to_map(false)
end

-- Half of all ends are on a grid of 1/16 or 1/128 of a node: lines along faces and through edges and corners
-- are among them.
local function coordinate(grid, from, to)
  if grid then return random(from * grid, to * grid) / grid end
  return from + (to - from) * fraction()
end

local function random_ends()
  local grid = ({16, 128, false, false})[random(1, 4)]
  local function point()
    return vector.new(coordinate(grid, -14, 13), coordinate(grid, -14, 13), coordinate(grid, -14, 13))
  end
  local from = point()
  if random(1, 4) > 1 then return from, point() end
  -- Along one or two axes.
  local to = point()
  to.x = from.x
  if random(1, 2) == 1 then to.y = from.y end
  return from, to
end

local function ends_through(pos)
  local function offset(reach) return random(-reach * 128, reach * 128) / 128 end
  local middle = vector.add(pos, vector.new(offset(1), offset(1), offset(1)))
  local half = vector.new(offset(4), offset(4), offset(4))
  return vector.subtract(middle, half), vector.add(middle, half)
end

local function answer(ray)
  local hits = {}
  for pointed in ray do
    local node, normal, point = pointed.under, pointed.intersection_normal, pointed.intersection_point
    hits[#hits + 1] = {node.x, node.y, node.z, normal.x, normal.y, normal.z, point.x, point.y, point.z}
  end
  return hits
end

local function ask(from, to)
  local liquids = random(1, 4) == 1
  report.rays[#report.rays + 1] = {from = {from.x, from.y, from.z}, to = {to.x, to.y, to.z}, liquids = liquids,
    edits = #report.edits, ours = answer(fractalray.raycast(from, to, false, liquids)),
    theirs = answer(minetest.raycast(from, to, false, liquids))}
end

local function note_edit(pos)
  local node = minetest.get_node(pos)
  report.edits[#report.edits + 1] = {pos.x, pos.y, pos.z, node.name, node.param2}
end

local function write(pos, node)
  local manip = VoxelManip(pos, pos)
  local low, high = manip:get_emerged_area()
  local i = VoxelArea:new({MinEdge = low, MaxEdge = high}):indexp(pos)
  local data, param2 = manip:get_data(), manip:get_param2_data()
  data[i], param2[i] = minetest.get_content_id(node.name), node.param2
  manip:set_data(data)
  manip:set_param2_data(param2)
  manip:write_to_map(false)
end

local function random_node() return {name = random_name(0.6), param2 = random(0, 255)} end
local ways = {
  function(pos) minetest.swap_node(pos, random_node()) end,
  function(pos) minetest.bulk_set_node({pos}, random_node()) end,
  function(pos) minetest.remove_node(pos) end,
  function(pos) write(pos, random_node()) end,
}

-- Two in three edits are next to the border of mapblocks, at 0.
local function edit()
  local pos = vector.new(random(-11, 10), random(-11, 10), random(-11, 10))
  for _, axis in ipairs({"x", "y", "z"}) do
    if random(1, 3) == 1 then pos[axis] = random(-1, 0) end
  end
  ways[#report.edits % #ways + 1](pos)
  note_edit(pos)
  for _ = 1, RAYS_EACH do ask(ends_through(pos)) end
end

-- Writes nodes beyond the borders of a mapblock, the only one there that lines cross, to which nodes inside
-- connect.
local function edit_beyond_lines()
  local fence, middle = {name = "testnodes:nodebox_connected", param2 = 0}, vector.new(7.5, 24, 7.5)
  for _, step in ipairs({{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) do
    local side = vector.new(step[1], 0, step[2])
    local inside = vector.round(vector.add(middle, vector.multiply(side, 7.4)))
    local outside, arm = vector.add(inside, side), vector.add(inside, vector.multiply(side, 0.375))
    for _, pos in ipairs({inside, outside}) do
      write(pos, fence)
      note_edit(pos)
      ask(vector.offset(arm, 0, 2, 0), vector.offset(arm, 0, -2, 0))
    end
  end
end

-- Returns the microseconds of a call for each ray, the best of three rounds.
local function measure(name, raycast)
  local best = math.huge
  for _ = 1, 3 do
    local begin = minetest.get_us_time()
    for i = 1, RAYS do
      local ray = report.rays[i]
      raycast(vector.new(unpack(ray.from)), vector.new(unpack(ray.to)), false, false):next()
    end
    best = math.min(best, minetest.get_us_time() - begin)
  end
  report.costs[name] = best / RAYS
end

local function test()
  list_names()
  fill()
  for _ = 1, RAYS do ask(random_ends()) end
  for _ = 1, EDITS do edit() end
  for _ = 1, RAYS / 4 do ask(random_ends()) end
  edit_beyond_lines()
  report.found = fractalray.verify()
  local begin = minetest.get_us_time()
  local again = fractalray.verify()
  report.costs.reread = (minetest.get_us_time() - begin) / again.mapblocks
  measure("ours", fractalray.raycast)
  measure("theirs", minetest.raycast)
  report.said = select(2, minetest.registered_chatcommands.fractalray_definitions.func("admin", ""))
end

minetest.after(0, function()
  minetest.emerge_area(vector.subtract(MIN, 16), vector.add(MAX, 16), function(_, _, remaining)
    if remaining > 0 then return end
    minetest.after(0, function()
      local is_done, reason = xpcall(test, debug.traceback)
      report.failure = not is_done and reason or nil
      minetest.safe_file_write(minetest.get_worldpath() .. "/report.json", minetest.write_json(report))
      minetest.request_shutdown()
    end)
  end)
end)
