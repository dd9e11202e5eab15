-- SPDX-License-Identifier: Apache-2.0
-- Returns a value as JSON, with numbers that read back the same.
local function text(value)
  return '"' .. value:gsub('[%c"\\]', function(c) return ("\\u%04x"):format(c:byte()) end) .. '"'
end

local function to_json(value)
  if type(value) == "number" then return ("%.17g"):format(value) end
  if type(value) == "string" then return text(value) end
  if type(value) ~= "table" then return tostring(value) end
  local parts = {}
  if #value > 0 or next(value) == nil then
    for i, element in ipairs(value) do parts[i] = to_json(element) end
    return "[" .. table.concat(parts, ",\n") .. "]"
  end
  for name, member in pairs(value) do
    parts[#parts + 1] = text(name) .. ":" .. to_json(member)
  end
  return "{" .. table.concat(parts, ",") .. "}"
end

return to_json
