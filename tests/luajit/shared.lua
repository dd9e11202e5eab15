-- SPDX-License-Identifier: Apache-2.0
-- Provides tests of the LuaJIT module with a small world and a runner.
local fr = require("fractalray")

local shared = {}

-- Expects a call to raise an error whose text contains `expected`.
function shared.refuses(expected, call, ...)
  local is_fine, reason = pcall(call, ...)
  assert(not is_fine, "it is accepted")
  assert(reason:find(expected, 1, true), reason)
end

-- Returns a world of one empty chunk, with the block types stone, glass (permeable) and curtain
-- (permeable, but solid in the channel "sight").
function shared.small_world()
  local world = fr.world()
  local types = {stone = world:add_block_type("stone"),
    glass = world:add_block_type("glass", "permeable"),
    curtain = world:add_block_type("curtain", "permeable", {sight = "solid"})}
  world:load_chunk(0, 0, 0, 0)
  return world, types
end

function shared.along_x() return fr.segment(0.5, 2.5, 2.5, 15, 2.5, 2.5) end

-- Returns the first indices of the blocks hit, "5 9".
function shared.blocks_hit(hits)
  local words = {}
  for i, hit in ipairs(hits) do words[i] = tostring((hit:block())) end
  return table.concat(words, " ")
end

-- Runs the functions of a table in the order of their names; the first error ends the program.
function shared.run(tests)
  local names = {}
  for name in pairs(tests) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local is_fine, reason = xpcall(tests[name], debug.traceback)
    print((is_fine and "passed " or "FAILED ") .. name)
    if not is_fine then
      print(reason)
      os.exit(1)
    end
  end
end

return shared
