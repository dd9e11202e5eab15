-- SPDX-License-Identifier: Apache-2.0
-- fractalray for LuaJIT, through its C interface; docs/luajit.md begins with a complete program.
--
--   local fr = require("fractalray")
--
-- Lengths and positions are in finest-block widths. Errors of the library are Lua errors,
-- "fractalray: OUT_OF_RANGE: ...": use pcall to handle them. No function here has C call back into
-- Lua, which LuaJIT does slowly and not from compiled code: on_hit is called between two hits that
-- are requested one by one. All objects are freed by the garbage collector.
--
-- Instead of by require, as in a sandbox, the file may be run with a table:
--   ffi      the module of that name
--   load     a function that returns the other parts of the module by their names, as require does
--   library  the path of libfractalray_c.so
-- What the module calls is taken now: in a sandbox other code may replace globals, the fields of
-- libraries and the methods of strings later, and would be passed memory of C.
local error, getmetatable, ipairs, pairs, pcall = error, getmetatable, ipairs, pairs, pcall
local select, setmetatable, tonumber = select, setmetatable, tonumber
local tostring, type = tostring, type
local floor, huge, concat, sort = math.floor, math.huge, table.concat, table.sort
local find, format, gmatch, match = string.find, string.format, string.gmatch, string.match
local sub, getenv = string.sub, os.getenv
local given = type(...) == "table" and (...) or {}
local ffi = given.ffi or require("ffi")
local load = given.load or require

local cdef = load("fractalray_cdef")
if not pcall(ffi.typeof, "frHit") then ffi.cdef(cdef) end

local function load_library()
  local is_loaded, library = pcall(ffi.load,
    given.library or getenv("FRACTALRAY_LIBRARY") or "fractalray_c")
  if is_loaded then return library end
  error(format("fractalray: cannot load the shared library of the C interface; build or install "
    .. "libfractalray_c, or %s to its path: %s",
      "set " .. (given.library_is or given.library and "`library`" or "FRACTALRAY_LIBRARY"),
      tostring(library)), 0)
end
local C = load_library()

-- C is the whole C interface. Each function of it that returns an frResult is called as
-- fr.check(fr.C.frWorld_GetLevels(...)).
local fr = {C = C, ffi = ffi, AIR = C.FR_AIR, ALL_LEVELS = C.FR_ALL_LEVELS}

-- Raises the library's last error unless `result` is FR_OK. `depth` counts the functions between
-- the caller of the library and the line that is to blame; 2 by default.
function fr.check(result, depth)
  if result ~= C.FR_OK then
    local name = ffi.string(C.frGetResultName(result))
    error("fractalray: " .. name .. ": " .. ffi.string(C.frGetLastError()), (depth or 2) + 1)
  end
end
local check = fr.check

-- Returns the names of the members of a struct that have this type of C.
function fr.members_of(struct, type_name)
  local names = {}
  local members = match(cdef, "typedef struct " .. struct .. " (%b{})")
  for name in gmatch(members, " " .. type_name .. " ([%w_]+);") do
    if name ~= "reserved" then names[#names + 1] = name end
  end
  return names
end

-- Returns a new struct that begins with its size, all else zero.
function fr.sized(type_name)
  local struct = ffi.new(type_name)
  struct.struct_size = ffi.sizeof(type_name)
  return struct
end

-- Returns the number of a word, or raises an error that lists the words. `depth` is as for fr.check.
function fr.choice(words, word, what, depth)
  local number = words[word]
  if number then return number end
  local known = {}
  for each in pairs(words) do known[#known + 1] = tostring(each) end
  sort(known)
  error(format("fractalray: unknown %s %s; there are %s", what, tostring(word),
    concat(known, ", ")), (depth or 2) + 1)
end

-- Raises an error for a member of a table that is none of `known`.
function fr.check_members(members, known, what, depth)
  if type(members) ~= "table" then
    error(format("fractalray: %s is no table: give each %s by its name", tostring(members), what),
      (depth or 2) + 1)
  end
  for name in pairs(members) do fr.choice(known, name, what, (depth or 2) + 1) end
end

local header, loaded = C.FR_VERSION, C.frGetVersion()
if floor(header / 1000) ~= floor(loaded / 1000) then
  error(format("fractalray: the module is for version %d, the library has version %d; use files of "
    .. "one release", header, loaded))
end

-- Returns the version of the library: major, minor, patch.
function fr.version()
  return floor(loaded / 1000000), floor(loaded / 1000) % 1000, loaded % 1000
end

---- Numbers -------------------------------------------------------------------------------------

-- The largest range in which each integer is a Lua number. A range that ends here is that of a
-- 64-bit integer of C, whose other values are integers of LuaJIT.
local EXACT = 2 ^ 53

local function is_in_range(value, low, high)
  local number = type(value) == "cdata" and tonumber(value) or value
  if type(number) ~= "number" or number % 1 ~= 0 then return false end
  if type(value) == "number" or high < EXACT then return number >= low and number <= high end
  if low == 0 then return value >= 0 end
  return not ffi.istype("uint64_t", value) or value < 2ULL ^ 63
end

local function shown(value)
  return type(value) == "string" and '"' .. value .. '"' or tostring(value)
end

local function refuse_integer(value, name, low, high, depth, hint)
  local wide = high == EXACT and ", or a 64-bit integer such as 123LL" or hint or ""
  error(format("fractalray: %s is %s; it must be an integer from %.0f to %.0f%s", name,
    shown(value), low, high, wide), depth + 1)
end

-- Returns an integer of Lua or LuaJIT from low to high; raises an error that names the parameter
-- for anything else, which C would cut silently. `depth` is as for fr.check; `hint` ends the error.
function fr.integer(value, name, low, high, depth, hint)
  if is_in_range(value, low, high) then return value end
  refuse_integer(value, name, low, high, (depth or 2) + 1, hint)
end

-- Returns a number as a parameter of type double; raises an error for anything else.
function fr.number(value, name, depth)
  if type(value) == "number" or type(value) == "cdata" and tonumber(value) then return value end
  error(format("fractalray: %s is %s; it must be a number", name, shown(value)),
    (depth or 2) + 1)
end

-- Copies a list of `count` numbers into an array, which it returns; raises an error for anything
-- else.
function fr.numbers(list, name, count, array, depth)
  depth = (depth or 2) + 1
  if type(list) ~= "table" or #list ~= count then
    error(format("fractalray: %s must be a list of %d numbers", name, count), depth)
  end
  for i = 1, count do array[i - 1] = fr.number(list[i], name, depth) end
  return array
end

-- Returns a list of ids as an array; raises an error that names the element for anything else.
-- `depth` is as for fr.check.
function fr.ids(list, name, depth)
  local array = ffi.new("uint64_t[?]", #list + 1)
  for i = 1, #list do
    if not is_in_range(list[i], 0, EXACT) then
      refuse_integer(list[i], format("%s[%d]", name, i), 0, EXACT, depth + 1)
    end
    array[i - 1] = list[i]
  end
  return array
end

-- Raises the error for a value that is not an array of these elements. `depth` is as for fr.check.
function fr.refuse_array(value, element, name, depth)
  error(format("fractalray: %s is %s; it must be an array of %s", name, shown(value), element),
    (depth or 2) + 1)
end

-- Returns an array of C with at least `count` elements; raises an error for one of another type and
-- for a shorter one, past which C would read. A pointer has as many as the caller says.
function fr.array(value, element, count, name, depth)
  local pointer = ffi.new("const " .. element .. "*[1]")
  if type(value) ~= "cdata" or not pcall(function() pointer[0] = value end) then
    fr.refuse_array(value, element, name, (depth or 2) + 1)
  end
  local is_pointer = find(tostring(ffi.typeof(value)), "*", 1, true)
  local length = is_pointer and count or ffi.sizeof(value) / ffi.sizeof(element)
  if length >= count then return value end
  error(format("fractalray: %s has %.0f elements; it must have %.0f", name, length,
    tonumber(count)), (depth or 2) + 1)
end

-- Returns a text as a parameter of C, which would cut it at a zero byte; raises an error for
-- anything else.
function fr.text(value, name, depth)
  if type(value) == "string" and not find(value, "%z") then return value end
  local reason = type(value) == "string" and "contains a zero byte" or "is " .. tostring(value)
  error(format("fractalray: %s %s; it must be a string without zero bytes", name, reason),
    (depth or 2) + 1)
end

-- These return the value of a common parameter, for functions that are called from outside.
-- Of 32-bit levels the library says which are active.
function fr.level(value)
  if is_in_range(value, -2 ^ 31, 2 ^ 31 - 1) then return value end
  return (fr.integer(value, "level", 0, C.FR_MAX_LEVELS - 1, 3))
end
function fr.block_type(value) return (fr.integer(value, "block type", 0, 0xffff, 3)) end
function fr.id(value, name) return (fr.integer(value, name, 0, EXACT, 3)) end
-- A mask of levels; nil stands for all.
function fr.mask(value)
  if value == nil then return C.FR_ALL_LEVELS end
  return (fr.integer(value, "levels", 0, 0xffffffff, 3, ", as fr.levels(0, 2) returns"))
end
function fr.corner(value)
  return (fr.integer(value or C.FR_CORNER_BOTH, "corner", 0, C.FR_CORNER_STAIRCASE, 3))
end

-- Returns three integers as an array of int64_t, the same one with each call.
local index = ffi.new("int64_t[3]")
function fr.index(x, y, z)
  index[0] = fr.integer(x, "x", -EXACT, EXACT, 3)
  index[1] = fr.integer(y, "y", -EXACT, EXACT, 3)
  index[2] = fr.integer(z, "z", -EXACT, EXACT, 3)
  return index
end

-- Returns the level mask with these levels: fr.levels(0, 1).
function fr.levels(...)
  local mask = 0
  for i = 1, select("#", ...) do
    local level = fr.integer((select(i, ...)), "level", 0, C.FR_MAX_LEVELS - 1)
    local bit = 2 ^ tonumber(level)
    if mask % (2 * bit) < bit then mask = mask + bit end
  end
  return mask
end

---- Hits ----------------------------------------------------------------------------------------

local Hit = {}
-- Returns the index of a block on its level: three numbers.
function Hit:block() return tonumber(self.cell[0]), tonumber(self.cell[1]), tonumber(self.cell[2]) end
function Hit:is_block() return self.kind == C.FR_HIT_BLOCK end
function Hit:is_entity() return self.kind == C.FR_HIT_ENTITY end
-- Returns the face of entry, such as "-x"; nil if there is none.
function Hit:face()
  if self.face_axis < 0 then return nil end
  return (self.face_sign < 0 and "-" or "+") .. sub("xyz", self.face_axis + 1, self.face_axis + 1)
end

-- The members of a hit are those of frHit in the C header, and the functions above. Its arrays,
-- point and normal, begin at 0. The functions can be set once in a
-- process: not together with the declarations, as a load may fail in between.
pcall(ffi.metatype, "frHit", {__index = Hit})

---- Lines ---------------------------------------------------------------------------------------

local Line = ffi.typeof("frLine")
local from, to = ffi.new("double[3]"), ffi.new("double[3]")

local function store(point, x, y, z, x_name, y_name, z_name)
  point[0] = fr.number(x, x_name, 3)
  point[1] = fr.number(y, y_name, 3)
  point[2] = fr.number(z, z_name, 3)
end

-- Returns the line between two points. A `line` is overwritten, to save an allocation.
function fr.segment(x0, y0, z0, x1, y1, z1, line)
  line = line or Line()
  store(from, x0, y0, z0, "x0", "y0", "z0")
  store(to, x1, y1, z1, "x1", "y1", "z1")
  check(C.frMakeSegment(from, to, line))
  return line
end

-- Returns the line of a ray with a direction of any length, up to max_distance (default: infinite)
-- and no farther than `bounds`, a list of min x, y, z, max x, y, z, or nil.
function fr.ray(x, y, z, dx, dy, dz, max_distance, bounds, line)
  line = line or Line()
  store(from, x, y, z, "x", "y", "z")
  store(to, dx, dy, dz, "dx", "dy", "dz")
  local distance = fr.number(max_distance or huge, "max_distance")
  local box = bounds and fr.numbers(bounds, "bounds", 6, ffi.new("double[6]"))
  check(C.frMakeRay(from, to, distance, box, line))
  return line
end

-- Returns the point at time t of a line: three numbers.
function fr.point(line, t)
  check(C.frLine_GetPoint(line, fr.number(t, "t"), from))
  return from[0], from[1], from[2]
end

---- Rules ---------------------------------------------------------------------------------------

local Rules = {}
Rules.__index = Rules

-- Makes terminal rules; see docs/queries/rules.md.
function fr.rules()
  local out = ffi.new("frRules*[1]")
  check(C.frCreateRules(out))
  return setmetatable({handle = ffi.gc(out[0], C.frDestroyRules)}, Rules)
end

-- Adds a budget of that amount for each shot; returns its number.
function Rules:add_budget(amount)
  local budget = ffi.new("uint8_t[1]")
  check(C.frRules_AddBudget(self.handle, fr.number(amount, "amount"), budget))
  return budget[0]
end

local COSTS, RULE_BYTES = fr.members_of("frRule", "double"), fr.members_of("frRule", "uint8_t")
local RULE = {}
for _, names in ipairs{COSTS, RULE_BYTES} do
  for _, name in ipairs(names) do RULE[name] = true end
end

-- Returns an frRule of "continue", "stop" or a table with the members of RULE, where flags are
-- booleans.
local function to_rule(rule)
  local result = ffi.new("frRule")
  if type(rule) ~= "table" then
    result.kind = fr.choice({continue = C.FR_RULE_CONTINUE, stop = C.FR_RULE_STOP}, rule, "rule")
    return result
  end
  fr.check_members(rule, RULE, "member of a rule")
  for _, name in ipairs(COSTS) do result[name] = fr.number(rule[name] or 0, name, 3) end
  for _, name in ipairs(RULE_BYTES) do result[name] = rule[name] and 1 or 0 end
  result.kind = C.FR_RULE_COST
  result.budget = fr.integer(rule.budget, "budget", 0, C.FR_MAX_BUDGETS - 1, 3)
  return result
end

-- Sets the rule of a block type, or of entities that share a category, on the levels of a mask.
function Rules:set_block(block_type, rule, levels)
  check(C.frRules_SetBlock(self.handle, fr.block_type(block_type), to_rule(rule), fr.mask(levels)))
end
function Rules:set_entities(categories, rule, levels)
  check(C.frRules_SetEntities(self.handle, fr.id(categories, "categories"), to_rule(rule),
    fr.mask(levels)))
end

---- Options -------------------------------------------------------------------------------------

local CORNERS = {both = C.FR_CORNER_BOTH, neither = C.FR_CORNER_NEITHER,
  staircase = C.FR_CORNER_STAIRCASE}
fr.CORNERS = CORNERS

-- Adds the names of the numbers and flags of a struct of options, and `ignore`, to `known`. Returns a
-- function that makes such a struct of a table of options, all but the other known ones: it returns a
-- table {c = struct} with what the struct points to, and the struct.
function fr.options_of(struct, what, known)
  local numbers, flags = {}, fr.members_of(struct, "uint8_t")  -- numbers with the largest
  for _, name in ipairs(fr.members_of(struct, "uint64_t")) do numbers[name] = EXACT end
  for _, name in ipairs(fr.members_of(struct, "frChannel")) do numbers[name] = 0xffff end
  for name in pairs(numbers) do known[name] = true end
  for _, name in ipairs(flags) do known[name] = true end
  known.ignore = true
  return function(options, depth)
    fr.check_members(options, known, what, depth + 1)
    local c = fr.sized(struct)
    for name, most in pairs(numbers) do
      local value = options[name]
      if value ~= nil then c[name] = fr.integer(value, name, 0, most, depth + 1) end
    end
    for _, name in ipairs(flags) do c[name] = options[name] and 1 or 0 end
    -- Keeps alive what c points to.
    local prepared = {c = c}
    if options.ignore then
      prepared.ignore = fr.ids(options.ignore, "ignore", depth + 1)
      c.ignore, c.ignore_count = prepared.ignore, #options.ignore
    end
    return prepared, c
  end
end

local Options = {}
Options.__index = Options
local begin_options = fr.options_of("frQueryOptions", "option",
  {corner = true, after = true, rules = true, budgets = true, on_hit = true})

-- Prepares options for many queries: a table with the members of frQueryOptions in the C header,
-- where flags are booleans, `corner` is "both", "neither" or "staircase", `ignore` a list of entity
-- ids, `after` a list of hits, `rules` what fr.rules returns, `budgets` a list of amounts by
-- number + 1. on_hit(hit) is called for each hit of a shot, and may return "stop".
-- `depth` is as for fr.check.
function fr.options(options, depth)
  depth = depth or 2
  local prepared, c = begin_options(options, depth)
  -- In C, 0 stands for all categories; here it is none of them.
  if options.categories == 0 then c.no_entities = 1 end
  c.corner = fr.choice(CORNERS, options.corner or "both", "corner policy", depth)
  prepared.on_hit, prepared.rules = options.on_hit, options.rules
  if options.after then
    prepared.after = ffi.new("frHit[?]", #options.after + 1)
    for i = 1, #options.after do prepared.after[i - 1] = options.after[i] end
    c.after, c.after_count = prepared.after, #options.after
  end
  if options.rules then c.rules = options.rules.handle end
  if options.budgets then
    if #options.budgets > C.FR_MAX_BUDGETS then
      error(format("fractalray: there are %d budgets; at most %d are possible", #options.budgets,
        C.FR_MAX_BUDGETS), depth)
    end
    prepared.budgets = ffi.new("double[?]", C.FR_MAX_BUDGETS)
    for i = 1, #options.budgets do
      prepared.budgets[i - 1] = fr.number(options.budgets[i], format("budgets[%d]", i), depth)
    end
    c.budgets = prepared.budgets
  end
  return setmetatable(prepared, Options)
end

-- Returns prepared options: those that are prepared already as they are, nil as nil.
function fr.prepared(options)
  if options == nil or getmetatable(options) == Options then return options end
  return fr.options(options, 3)
end

load("fractalray_world")(fr)
load("fractalray_query")(fr)
load("fractalray_sight")(fr)
load("fractalray_blast")(fr)
load("fractalray_compare")(fr)
load("fractalray_logs")(fr)
return fr
