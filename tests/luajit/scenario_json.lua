-- SPDX-License-Identifier: Apache-2.0
-- Writes values as JSON, for the answers to scenarios.
local json = {}

function json.integer(number) return (tostring(number):gsub("U?LL$", "")) end
function json.number(value) return ("%.17g"):format(value) end
function json.optional(value) return value == value and json.number(value) or "null" end
function json.flag(byte) return byte == 1 and "true" or "false" end
function json.text(value) return '"' .. value:gsub('[%c"\\]', function(c)
  return ("\\u%04x"):format(c:byte())
end) .. '"' end

function json.list(items, write)
  local parts = {}
  for i, item in ipairs(items) do parts[i] = write(item) end
  return "[" .. table.concat(parts, ",") .. "]"
end
function json.triple(array, write)
  return json.list({array[0], array[1], array[2]}, write)
end

return json
