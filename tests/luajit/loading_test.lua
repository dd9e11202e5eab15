-- SPDX-License-Identifier: Apache-2.0
-- Tests that the module can be loaded after a load that has failed, with all that it has.
local ffi = require("ffi")
local file = assert(package.searchpath("fractalray", package.path))

local function load_with(library) return loadfile(file)({ffi = ffi, library = library}) end

local is_fine, reason = pcall(load_with, "/nowhere/libfractalray_c.so")
assert(not is_fine and reason:find("cannot load the shared library", 1, true), reason)
for _ = 1, 2 do
  local fr = load_with(nil)
  local world = fr.world()
  world:load_chunk(0, 0, 0, 0, world:add_block_type("stone"))
  local hit = world:closest_hit(fr.segment(-1, 2.5, 2.5, 5, 2.5, 2.5))
  assert(hit:is_block() and hit:block() == 0 and hit:face() == "-x")
end
print("passed")
