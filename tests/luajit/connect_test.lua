-- SPDX-License-Identifier: Apache-2.0
-- Tests worlds of a server, of the program whose path is the argument; without one, their errors.
local ffi = require("ffi")
local fr = require("fractalray")
local program, scenario = ...

local function raises(expected, call, ...)
  local is_fine, reason = pcall(call, ...)
  assert(not is_fine and reason:find(expected, 1, true), tostring(reason))
end

raises("INVALID_ARGUMENT", fr.connect, "udp:1")
raises("UNAVAILABLE", fr.connect, "unix:/no such folder/fr.sock")
raises("must be a string", fr.connect, 7)
raises("option of a connection", fr.connect, "unix:/x", {tokens = "x"})
raises("timeout", fr.connect, "unix:/x", {timeout = 0})
if not program then return end

-- A server that lives for a while, and answers one slice of a call.
local path = os.tmpname()
os.remove(path)
assert(os.execute(string.format("timeout 60 '%s' serve --scenario '%s' --listen 'unix:%s' "
  .. "--call-ms 0 >/dev/null 2>&1 &", program, scenario, path)))
local world
for _ = 1, 300 do
  local is_fine, made = pcall(fr.connect, "unix:" .. path, {timeout = 10})
  if is_fine then
    world = made
    break
  end
  os.execute("sleep 0.1")
end
assert(world, "the server does not listen")

-- The line of the scenario's entity, a sphere around (8, 2.5, 3.5).
local from, to = ffi.new("double[6]", {0, 2.5, 3.5, 0, 14, 0}), ffi.new("double[6]",
  {15, 2.5, 3.5, 1, 14, 0})
local hits = world:closest_hits(from, to, 2, nil, {no_blocks = true})
assert(hits[0].kind == fr.C.FR_HIT_ENTITY and hits[0].id == 1, hits[0].kind)
assert(hits[1].kind == fr.C.FR_HIT_NONE)
local answers = world:occluded_many(from, to, 2, nil, {no_blocks = true, entities_block = true})
assert(answers[0] == fr.C.FR_BLOCKED and answers[1] == fr.C.FR_CLEAR)
assert(world:block_type_name(0) == "air", world:block_type_name(0))
raises("block types", world.block_type_name, world, 60000)

-- Versions.
local version = world:version()
assert(version:find("^%x+@%x+$"), version)
world:set_at_least(version)
assert(world:closest_hits(from, to, 2)[0].kind)
world:set_at_least("elsewhere@1:1:")
raises("elsewhere@1:1:", world.closest_hits, world, from, to, 2)
world:set_at_least(nil)
raises("must be a string", world.set_at_least, world, 7)
assert(fr.connect("unix:" .. path, {world = version:match("^(.*)@")}):version() == version)
raises("elsewhere", fr.connect, "unix:" .. path, {world = "elsewhere"})

raises("rules", world.closest_hits, world, from, to, 2, nil, {rules = fr.rules()})

-- More than a slice: a part of the answer is no answer.
local starts, ends = ffi.new("double[?]", 9000), ffi.new("double[?]", 9000)
for line = 0, 2999 do ends[3 * line] = 15 end
raises("1024 of 3000", world.closest_hits, world, starts, ends, 3000)
raises("1024 of 3000", world.occluded_many, world, starts, ends, 3000)
assert(world:closest_hits(starts, ends, 1000)[999].kind)
