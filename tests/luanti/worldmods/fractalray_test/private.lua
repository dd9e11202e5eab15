-- SPDX-License-Identifier: Apache-2.0
-- Checks that other mods get no cdata, with which they could write to all memory, and that nothing
-- they pass or replace makes the mod write beyond its arrays.
local expect = ...

local A, B = vector.new(-14, 20, -12), vector.new(14, 20, -12)
local WALL = vector.new(4, 20, -12)

-- Luanti 5.6.1 leads every mod to the globals that it hides from mods, which have `require`: by the
-- environment of any function of C. No mod can prevent that; what else leads to C is a fault of this one.
local ENGINE_GLOBALS = getfenv(math.deg)
assert(ENGINE_GLOBALS ~= _G)

-- Adds what can be reached from a value by members, metatables and environments to `found`: a name
-- for each value.
local function reach(value, name, found)
  if value == nil or found[value] or type(value) == "string" or type(value) == "number" then return end
  found[value] = name
  local metatable = getmetatable(value)
  if type(metatable) == "table" then reach(metatable, name .. "'s metatable", found) end
  if type(value) == "function" then reach(getfenv(value), name .. "'s environment", found) end
  if type(value) ~= "table" then return end
  for key, member in next, value do
    reach(key, "a key of " .. name, found)
    reach(member, name .. "." .. tostring(key), found)
  end
end

-- Returns everything that a mod can hold, by value. The queries are those of a ray through an object
-- and several nodes, of which two have been returned.
local function everything()
  local found = {[ENGINE_GLOBALS] = "the globals of the engine"}
  local ray = fractalray.raycast(A, B, true, true)
  reach(ray:next(), "the first pointed_thing", found)
  reach(ray(), "the second pointed_thing", found)
  reach(ray.line, "ray.line", found)
  reach(ray.next, "ray.next", found)
  reach(ray, "ray", found)
  local function on_hit(...) reach({...}, "what on_hit gets", found) end
  reach({fractalray.shoot(A, B, {channel = "bullet", on_hit = on_hit})}, "a shot", found)
  reach({fractalray.line_of_sight(A, B)}, "a line of sight", found)
  reach({fractalray.can_see(A, B)}, "a sight", found)
  reach({fractalray.who_sees({A, B}, {A, B})}, "who_sees's results", found)
  reach(fractalray.visible_nodes(A, 8, {"group:pane"}), "nodes in sight", found)
  reach(fractalray.verify(), "verify's result", found)
  reach({pcall(fractalray.shoot, A, B, {channel = {}})}, "an error", found)
  reach({pcall(ray.next, {})}, "an error of a ray", found)
  reach(_G, "_G", found)
  return found
end

local function check_values()
  local kinds, count = {}, 0
  for value, name in pairs(everything()) do
    count = count + 1
    kinds[type(value)] = true
    expect(type(value) ~= "cdata", name .. " is cdata: " .. tostring(value))
    expect(type(value) ~= "table" or rawget(value, "cdef") == nil, name .. " is the FFI")
  end
  expect(count > 1000 and kinds["function"] and kinds.userdata, "only " .. count .. " values seen")
end

-- A ray is no table of state: what a mod writes to it changes nothing, nor is another table a ray.
local function check_rays()
  local ray = fractalray.raycast(A, B, false, false)
  ray.line, ray.first, ray.rest, ray.options = 1, 2, {3}, "?"
  local pointed = ray:next()
  expect(pointed and pointed.type == "node", "a ray with members of a mod's has another answer")
  expect(getmetatable(ray) == false and not pcall(setmetatable, ray, {}),
    "the metatable of a ray can be reached or replaced")
  for _, wrong in ipairs({{}, 5, "ray", 1LL}) do
    local is_fine, reason = pcall(ray.next, wrong)
    expect(not is_fine and reason:find("what fractalray.raycast has returned", 1, true),
      "next of " .. tostring(wrong) .. ": " .. tostring(reason))
  end
end

-- A table whose members answer differently each time that they are read.
local function changing(values)
  local reads = {}
  return setmetatable({}, {__index = function(_, name)
    local list = values[name] or {}
    reads[name] = (reads[name] or 0) + 1
    return list[math.min(reads[name], #list)]
  end})
end

-- Checks that a call is answered, or refused by an error at this file, as the mod's fault.
local function check_answer(name, call)
  local is_fine, reason = pcall(call)
  expect(is_fine or tostring(reason):find("private.lua:", 1, true), name .. ": " .. tostring(reason))
end

local function check_metatables()
  for _, later in ipairs({0 / 0, 1 / 0, "5", 1LL, {}, 1e300}) do
    local function pos() return changing({x = {-14, later}, y = {20, later}, z = {-12, later}}) end
    local name = "a position that becomes " .. tostring(later)
    check_answer(name, function() local ray = fractalray.raycast(pos(), B) return ray:next() end)
    check_answer(name, function() return (fractalray.line_of_sight(A, pos())) end)
    check_answer(name, function() return (fractalray.shoot(pos(), B)) end)
    check_answer("options that become " .. tostring(later), function()
      local hits = fractalray.shoot(A, B, changing({max_hits = {1, later}, channel = {"bullet", later},
        ignore = {{}, later}, on_hit = {false, later}}))
      expect(#hits == 1, "options are read twice")
    end)
  end
  -- Options may inherit others.
  local hits = fractalray.shoot(A, B, setmetatable({}, {__index = {max_hits = 1}}))
  expect(#hits == 1, "inherited options are ignored")
  expect(not pcall(fractalray.shoot, A, B, setmetatable({}, {__index = {max_hits = "1"}})),
    "inherited options are not checked")
end

local function cdata_is_refused()
  for _, wrong in ipairs({1LL, 1ULL, 1i}) do
    expect(not pcall(fractalray.raycast, {x = wrong, y = 0, z = 0}, B), "cdata is a coordinate")
    expect(not pcall(fractalray.shoot, A, B, {max_hits = {wrong}}), "a table is max_hits")
    expect(not pcall(fractalray.shoot, A, B, {ignore = {wrong}}), "cdata is an object")
    expect(not pcall(fractalray.shoot, A, wrong), "cdata is a position")
    expect(not pcall(fractalray.shoot, A, B, wrong), "cdata is a table of options")
  end
end

-- Where the mirror writes is not computed by functions that other mods can replace.
local function check_replaced_functions()
  for owner, names in pairs({[vector] = {"round", "apply", "floor"}, [math] = {"floor", "round"}}) do
    for _, name in ipairs(names) do
      local original = owner[name]
      owner[name] = function() error("called " .. name) end
      local is_fine, reason = pcall(minetest.swap_node, WALL, {name = "nodes:glass"})
      owner[name] = original
      expect(is_fine, "the mirror asks a function of all mods: " .. tostring(reason))
    end
  end
  expect(fractalray.verify().nodes == 0, "the mirror is not right after replaced functions")
end

-- What a mod changes after it has registered a channel.
local function check_rules()
  local pointed = fractalray.shoot(A, B, {channel = "changed", objects = false})
  expect(#pointed > 0, "the rules of a channel are those of a table that was changed later")
end

return function()
  minetest.set_node(WALL, {name = "nodes:stone"})
  minetest.set_node(vector.offset(WALL, 2, 0, 0), {name = "nodes:stone"})
  local object = minetest.add_entity(vector.offset(WALL, -4, 0, 0), "nodes:thing",
    minetest.serialize({-0.5, -0.5, -0.5, 0.5, 0.5, 0.5}))
  fractalray.update_objects()
  check_values()
  check_rays()
  check_metatables()
  cdata_is_refused()
  check_replaced_functions()
  check_rules()
  object:remove()
end
