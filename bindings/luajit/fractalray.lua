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
local given = type(...) == "table" and (...) or {}
local ffi = given.ffi or require("ffi")
local load = given.load or require

local is_first = not pcall(ffi.typeof, "frHit")
if is_first then ffi.cdef(load("fractalray_cdef")) end

local function load_library()
  local is_loaded, library = pcall(ffi.load,
    given.library or os.getenv("FRACTALRAY_LIBRARY") or "fractalray_c")
  if is_loaded then return library end
  error(("fractalray: cannot load the shared library of the C interface; build or install "
    .. "libfractalray_c, or %s to its path: %s"):format(
      given.library and "set `library`" or "set FRACTALRAY_LIBRARY", tostring(library)), 0)
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

-- Returns a new struct that begins with its size, all else zero.
function fr.sized(type_name)
  local struct = ffi.new(type_name)
  struct.struct_size = ffi.sizeof(type_name)
  return struct
end

-- Returns the number of a word, or raises an error that lists the words.
function fr.choice(words, word, what)
  local number = words[word]
  if number then return number end
  local known = {}
  for each in pairs(words) do known[#known + 1] = tostring(each) end
  table.sort(known)
  error(("fractalray: unknown %s %s; there are %s"):format(what, tostring(word),
    table.concat(known, ", ")), 3)
end

local header, loaded = C.FR_VERSION, C.frGetVersion()
if math.floor(header / 1000) ~= math.floor(loaded / 1000) then
  error(("fractalray: the module is for version %d, the library has version %d; use files of one "
    .. "release"):format(header, loaded))
end

-- Returns the version of the library: major, minor, patch.
function fr.version()
  return math.floor(loaded / 1000000), math.floor(loaded / 1000) % 1000, loaded % 1000
end

-- Returns the level mask with these levels: fr.levels(0, 1).
function fr.levels(...)
  local mask = 0
  for _, level in ipairs({...}) do
    if level >= 0 and level < C.FR_MAX_LEVELS then mask = mask + 2 ^ level end
  end
  return mask
end

-- Returns three numbers as an array of int64_t, the same one with each call.
local index = ffi.new("int64_t[3]")
function fr.index(x, y, z)
  if x % 1 ~= 0 or y % 1 ~= 0 or z % 1 ~= 0 then
    error(("fractalray: the index (%s, %s, %s) is not of integers"):format(tostring(x), tostring(y),
      tostring(z)), 3)
  end
  index[0], index[1], index[2] = x, y, z
  return index
end

-- Returns a block type; raises an error for a number of which C would take 16 bits.
function fr.block_type(number)
  if number >= 0 and number <= 0xffff and number % 1 == 0 then return number end
  error(("fractalray: the block type %s is not an integer from 0 to 65535"):format(
    tostring(number)), 3)
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
  return (self.face_sign < 0 and "-" or "+") .. ("xyz"):sub(self.face_axis + 1, self.face_axis + 1)
end

-- The members of a hit are those of frHit in the C header, and the functions above. Its arrays,
-- point and normal, begin at 0. The functions can be set once in a process.
if is_first then ffi.metatype("frHit", {__index = Hit}) end

---- Lines ---------------------------------------------------------------------------------------

local Line = ffi.typeof("frLine")
local from, to = ffi.new("double[3]"), ffi.new("double[3]")

-- Returns the line between two points. A `line` is overwritten, to save an allocation.
function fr.segment(x0, y0, z0, x1, y1, z1, line)
  line = line or Line()
  from[0], from[1], from[2] = x0, y0, z0
  to[0], to[1], to[2] = x1, y1, z1
  check(C.frMakeSegment(from, to, line))
  return line
end

-- Returns the line of a ray with a direction of any length, up to max_distance (default: infinite)
-- and no farther than `bounds`, a list of min x, y, z, max x, y, z, or nil.
function fr.ray(x, y, z, dx, dy, dz, max_distance, bounds, line)
  line = line or Line()
  from[0], from[1], from[2] = x, y, z
  to[0], to[1], to[2] = dx, dy, dz
  local box = bounds and ffi.new("double[6]", bounds)
  check(C.frMakeRay(from, to, max_distance or math.huge, box, line))
  return line
end

-- Returns the point at time t of a line: three numbers.
function fr.point(line, t)
  check(C.frLine_GetPoint(line, t, from))
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
  check(C.frRules_AddBudget(self.handle, amount, budget))
  return budget[0]
end

-- Returns an frRule of "continue", "stop" or {budget =, per_hit =, per_block =, touch_costs =,
-- per_pane =}.
local function to_rule(rule)
  local result = ffi.new("frRule")
  if type(rule) ~= "table" then
    result.kind = fr.choice({continue = C.FR_RULE_CONTINUE, stop = C.FR_RULE_STOP}, rule, "rule")
    return result
  end
  result.kind = C.FR_RULE_COST
  result.budget = rule.budget
  result.per_hit, result.per_block = rule.per_hit or 0, rule.per_block or 0
  result.touch_costs, result.per_pane = rule.touch_costs and 1 or 0, rule.per_pane and 1 or 0
  return result
end

-- Sets the rule of a block type, or of entities that share a category, on the levels of a mask.
function Rules:set_block(block_type, rule, levels)
  check(C.frRules_SetBlock(self.handle, fr.block_type(block_type), to_rule(rule),
    levels or C.FR_ALL_LEVELS))
end
function Rules:set_entities(categories, rule, levels)
  check(C.frRules_SetEntities(self.handle, categories, to_rule(rule), levels or C.FR_ALL_LEVELS))
end

---- Options -------------------------------------------------------------------------------------

local CORNERS = {both = C.FR_CORNER_BOTH, neither = C.FR_CORNER_NEITHER,
  staircase = C.FR_CORNER_STAIRCASE}
local NUMBERS = {"categories", "max_hits", "max_steps", "max_batch_steps", "channel"}
local FLAGS = {"no_blocks", "no_entities", "solid_only", "skip_start_inside", "report_unknown",
  "stop_at_unknown", "entities_block", "plain_pass"}
local OTHERS = {corner = true, ignore = true, after = true, rules = true, budgets = true,
  on_hit = true}

local Options = {}
Options.__index = Options

local function copy_plain_members(options, c)
  local known = {}
  for _, name in ipairs(NUMBERS) do
    c[name] = options[name] or 0
    known[name] = true
  end
  for _, name in ipairs(FLAGS) do
    c[name] = options[name] and 1 or 0
    known[name] = true
  end
  if c.channel ~= (options.channel or 0) then
    error("fractalray: there is no channel " .. tostring(options.channel), 4)
  end
  -- In C, 0 stands for all categories; here it is none of them.
  if options.categories == 0 then c.no_entities = 1 end
  for name in pairs(options) do
    if not OTHERS[name] then fr.choice(known, name, "option") end
  end
end

-- Prepares options for many queries: a table with the members of frQueryOptions in the C header,
-- where flags are booleans, `corner` is "both", "neither" or "staircase", `ignore` a list of entity
-- ids, `after` a list of hits, `rules` what fr.rules returns, `budgets` a list of amounts by
-- number + 1. on_hit(hit) is called for each hit of a shot, and may return "stop".
function fr.options(options)
  local c = fr.sized("frQueryOptions")
  copy_plain_members(options, c)
  c.corner = fr.choice(CORNERS, options.corner or "both", "corner policy")
  -- Keeps alive what c points to.
  local prepared = {c = c, on_hit = options.on_hit, rules = options.rules}
  if options.ignore then
    prepared.ignore = ffi.new("uint64_t[?]", #options.ignore + 1, options.ignore)
    c.ignore, c.ignore_count = prepared.ignore, #options.ignore
  end
  if options.after then
    prepared.after = ffi.new("frHit[?]", #options.after + 1)
    for i, hit in ipairs(options.after) do prepared.after[i - 1] = hit end
    c.after, c.after_count = prepared.after, #options.after
  end
  if options.rules then c.rules = options.rules.handle end
  if options.budgets then
    if #options.budgets > C.FR_MAX_BUDGETS then
      error(("fractalray: there are %d budgets; at most %d are possible"):format(#options.budgets,
        C.FR_MAX_BUDGETS), 2)
    end
    prepared.budgets = ffi.new("double[?]", C.FR_MAX_BUDGETS)
    for i, amount in ipairs(options.budgets) do prepared.budgets[i - 1] = amount end
    c.budgets = prepared.budgets
  end
  return setmetatable(prepared, Options)
end

-- Returns prepared options: those that are prepared already as they are, nil as nil.
function fr.prepared(options)
  if options == nil or getmetatable(options) == Options then return options end
  return fr.options(options)
end

load("fractalray_world")(fr)
load("fractalray_query")(fr)
return fr
