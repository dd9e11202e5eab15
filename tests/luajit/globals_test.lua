-- SPDX-License-Identifier: Apache-2.0
-- Checks the bytecode of the module and of the Luanti mod: no function reads a global once its file
-- has run. In a sandbox other code may replace it by then, and would be passed memory of C. Arguments:
-- the files.
local bytecode = require("jit.bc")

-- Returns the lines of a file's functions that name a global; those of the main chunk begin with 0.
local function globals_of(file)
  local found, names, range = {}, 0, nil
  local out = {flush = function() end, close = function() end}
  function out.write(_, ...)
    for line in table.concat({...}):gmatch("[^\n]+") do
      range = line:match("^%-%- BYTECODE %-%- .*:(%d+%-%d+)$") or range
      local name = line:match("G[GS]ET%s.*; \"(.*)\"")
      if name then names = names + 1 end
      if name and not range:find("^0%-") then found[#found + 1] = range .. " " .. name end
    end
  end
  bytecode.dump(assert(loadfile(file)), out, true)
  return found, names
end

local count = 0
for _, file in ipairs(arg) do
  local found, names = globals_of(file)
  count = count + names
  assert(#found == 0, file .. ": functions read globals, by lines: " .. table.concat(found, ", "))
end
assert(count > 50, "only " .. count .. " globals seen")
