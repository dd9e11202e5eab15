-- SPDX-License-Identifier: Apache-2.0
-- Exact raycasts and sight for Luanti servers: fractalray.raycast, .line_of_sight, .shoot, .can_see,
-- .who_sees and .visible_nodes, answered by a mirror of the loaded mapblocks. README.md has the installation and examples.

local assert, error, format, jit, pairs = assert, error, string.format, jit, pairs
local loadfile, open_file, settings = loadfile, io.open, minetest.settings

local insecure = minetest.request_insecure_environment()
if not insecure then
  error("fractalray needs LuaJIT's FFI: add fractalray to the list secure.trusted_mods, of which only "
    .. "the last line counts, in the server's configuration, which is /etc/minetest/minetest.conf for "
    .. "Debian's server without --config")
end

local folder = minetest.get_modpath(minetest.get_current_modname())

-- Runs another file of the mod. Neither the FFI nor the module over it is handed to other mods: they
-- would have the rights of this one.
local function part(name, ...) return assert(loadfile(folder .. "/" .. name .. ".lua"))(...) end

local function library()
  local set = settings:get("fractalray.library") or ""
  if set ~= "" then return set end
  local bundled = folder .. "/libfractalray_c.so"
  local file = open_file(bundled, "rb")
  if not file then return "fractalray_c" end
  file:close()
  return bundled
end

local function load_module(path)
  if not jit then error("fractalray needs a server that is built with LuaJIT") end
  local module = open_file(folder .. "/fractalray.lua", "rb")
  if not module then
    error("fractalray: " .. folder .. " is the source of the mod; install the folder luanti/fractalray "
      .. "that the target fractalray_luanti_mod makes")
  end
  module:close()
  return part("fractalray", {ffi = insecure.require("ffi"), library = path,
    library_is = "the setting fractalray.library",
    load = function(name) return part(name) end})
end

local library_path = library()
local fr = load_module(library_path)
local world = fr.world()
local has_shapes = settings:get_bool("fractalray.shapes", true)
if not has_shapes then
  minetest.log("action", "fractalray: all nodes fill their cube, as the setting fractalray.shapes is false")
end
local kinds = part("kinds", world)
local boxes = part("boxes")
local definitions = part("definitions", boxes.SIDES)
local types = part("types", fr, world, kinds, definitions, boxes, has_shapes)
local mirror = part("mirror", fr, world, types)
local objects = part("objects", world)
part("hooks", mirror, objects, open_file)

-- Returns a function for other mods. They may replace its upvalue, by debug.setupvalue, and would get
-- there what they themselves pass; an upvalue of the function itself would be passed the mod's own.
local function public(call)
  return function(...) return call(...) end
end

-- What other mods may use.
local positions = part("positions")
fractalray = part("queries", fr, world, kinds, types, mirror, objects, positions, public)
local memories = part("memories", fr)
minetest.register_globalstep(memories.next_step)
for name, call in pairs(part("sight", fr, world, kinds, types, mirror, objects, positions, memories, public)) do
  fractalray[name] = call
end
fractalray.register_channel = public(kinds.register_channel)
fractalray.update_objects = public(objects.update)
fractalray.verify = public(mirror.verify)
minetest.log("action", "fractalray: loaded, library " .. library_path)

minetest.register_chatcommand("fractalray_verify", {
  description = "Reads all mirrored mapblocks again, compares and repairs them",
  privs = {server = true},
  func = function()
    local found = mirror.verify()
    return found.nodes == 0, format("%d mapblocks compared: %d nodes in %d mapblocks differed%s. Of %d types "
      .. "of nodes %d have boxes beyond their node, which are cut there", found.mapblocks, found.nodes,
      found.stale_mapblocks, found.nodes == 0 and "" or ", and are repaired", found.types, found.cut_types)
  end,
})

minetest.register_chatcommand("fractalray_sight", {
  description = "Says how many pairs who_sees was asked for, and how they were answered",
  privs = {server = true},
  func = function() return true, memories.text() end,
})

minetest.register_chatcommand("fractalray_definitions", {
  description = "Writes the definitions of all nodes to nodedefs.jsonl in the world's folder",
  privs = {server = true},
  func = function()
    local count, damaged = definitions.write()
    if not count then return false, "Nothing is written: " .. damaged end
    return true, format("%d definitions are written to %s; %d of them have boxes that cannot be read, which the "
      .. "log names", count, definitions.path, damaged)
  end,
})
