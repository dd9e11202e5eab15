-- SPDX-License-Identifier: Apache-2.0
-- Positions that other mods pass, and those of the world: node (x, y, z) of Luanti is the unit cube around
-- (x, y, z), block (x, y, z) the cube from (x, y, z) on.
local error, tostring, type, format = error, tostring, type, string.format
local new_vector = vector.new

local positions = {HALF = 0.5}
local HALF = positions.HALF

-- Luanti's own functions refuse positions beyond this, too.
local FARTHEST = 2147483

function positions.shown(value)
  return type(value) == "string" and '"' .. value .. '"' or tostring(value)
end
local shown = positions.shown

local function is_coordinate(x) return type(x) == "number" and x >= -FARTHEST and x <= FARTHEST end

-- Returns the three coordinates of a position that another mod has passed: each is read once, as the
-- table may have a metatable that answers differently the next time. Raises an error at the line of
-- the mod: `depth` is 1 for the function that calls this one, 2 for what has called that.
function positions.coordinates(pos, name, depth)
  if type(pos) == "table" then
    local x, y, z = pos.x, pos.y, pos.z
    if is_coordinate(x) and is_coordinate(y) and is_coordinate(z) then return x, y, z end
    pos = format("(%s, %s, %s)", shown(x), shown(y), shown(z))
  else
    pos = shown(pos)
  end
  error(format("fractalray: %s is %s; it must be a position {x =, y =, z =} of numbers from -%d to "
    .. "%d", name, pos, FARTHEST, FARTHEST), depth + 1)
end

-- Returns a point of the world as a position.
function positions.in_luanti(point)
  return new_vector(point[0] - HALF, point[1] - HALF, point[2] - HALF)
end

return positions
