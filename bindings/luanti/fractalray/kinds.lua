-- SPDX-License-Identifier: Apache-2.0
-- The channels, and the kind of each node in them.
local world = ...

-- What the mod calls is taken when it is loaded: other mods may replace globals, the fields of
-- libraries and the methods of strings later, and would be passed what is the mod's own.
local error, ipairs, pairs, rawget = error, ipairs, pairs, rawget
local tostring, type = tostring, type
local format, match, sub = string.format, string.match, string.sub
local sort, concat = table.sort, table.concat
local log = minetest.log
local registered_nodes, registered_aliases = minetest.registered_nodes, minetest.registered_aliases

local kinds = {}

-- The definition of nodes that are in the map but not registered, as Luanti treats them.
local UNKNOWN = {walkable = true, pointable = true, groups = {}}

-- Not by an index, which would find aliases, by functions that other mods may replace.
local function definition(name) return rawget(registered_nodes, name) or UNKNOWN end

local function is_liquid(def) return def.liquidtype and def.liquidtype ~= "none" end

-- What stops a shot: everything that a player cannot walk through.
local function default_kind(def)
  if def.walkable ~= false then return "solid" end
  return def.drawtype == "airlike" and "empty" or "permeable"
end

local function is_pointed_at(def) return def.pointable ~= false end

-- In the channels of raycast every node that is pointed at is permeable, as a Raycast continues.
local BUILT_IN = {
  raycast = function(def) return is_pointed_at(def) and "permeable" or "empty" end,
  raycast_liquids = function(def)
    return (is_pointed_at(def) or is_liquid(def)) and "permeable" or "empty"
  end,
  selection = function(def)
    return not is_pointed_at(def) and "empty" or def.walkable ~= false and "solid" or "permeable"
  end,
  collision = function(def) return def.walkable ~= false and "solid" or "empty" end,
  sight = function() return "solid" end,
}

local registered = {}  -- name of a channel -> list of {node or group, kind}
local numbers = {default = world:add_channel("default")}
for name in pairs(BUILT_IN) do numbers[name] = world:add_channel(name) end

-- Returns the names of all channels.
local function channel_names()
  local names = {}
  for name in pairs(numbers) do names[#names + 1] = name end
  sort(names)
  return concat(names, ", ")
end

local OWN = channel_names()
local has_types = false

local function matches(pattern, name, def)
  local group = match(pattern, "^group:(.*)$")
  if group then return ((def.groups or {})[group] or 0) > 0 end
  return pattern == name
end

-- Returns true if a name, or "group:name", is that of a node or of a group of it.
function kinds.matches(pattern, name) return matches(pattern, name, definition(name)) end

local function kind_by(rules, name, def)
  for _, rule in ipairs(rules) do
    if matches(rule[1], name, def) then return rule[2] end
  end
  return default_kind(def)
end

-- Groups that any registered node has, once all mods are loaded.
local known_groups = {}

local function is_known(pattern)
  local group = match(pattern, "^group:(.*)$")
  if group then return known_groups[group] ~= nil end
  -- An index would find aliases too, which no node of the map has for a name.
  return rawget(registered_nodes, pattern) ~= nil
end

-- Logs a warning for the name of a node, or "group:name", that no registered node has: usually one
-- of another game. `user` is what has it.
local function warn_if_unknown(pattern, user)
  if is_known(pattern) then return end
  local alias = registered_aliases[pattern]
  log("warning", format("fractalray: no node has %s, which is in %s%s",
    match(pattern, "^group:") and "the group " .. sub(pattern, 7) or "the name " .. pattern, user,
    alias and "; it is an alias of " .. alias .. ": write that" or ""))
end

minetest.register_on_mods_loaded(function()
  for _, def in pairs(registered_nodes) do
    for group, rating in pairs(def.groups or {}) do
      if rating > 0 then known_groups[group] = true end
    end
  end
  for name, rules in pairs(registered) do
    for _, rule in ipairs(rules) do
      warn_if_unknown(rule[1], 'a rule of the channel "' .. name .. '"')
    end
  end
end)

local checked_keys = {object = true, default = true}
-- Logs a warning for the name of a node, or a group, that no node has, once for each. `user` is what has it.
function kinds.check_key(key, user)
  if checked_keys[key] or type(key) ~= "string" then return end
  checked_keys[key] = true
  warn_if_unknown(key, user)
end

local KIND_NAMES = {solid = true, permeable = true, empty = true}
-- Returns the rules in tables of their own, as the mod may change those that it has passed.
local function copy_of(channel, rules)
  local copy = {}
  for key in pairs(rules) do
    if type(key) ~= "number" then
      error(format('fractalray.register_channel("%s"): the rules have the key %s, but are a list; write '
        .. '{{"%s", "empty"}, ...}', channel, tostring(key), tostring(key)), 3)
    end
  end
  for i, rule in ipairs(rules) do
    if type(rule) == "table" then copy[i] = {rule[1], rule[2]} end
    if not copy[i] or type(copy[i][1]) ~= "string" or not KIND_NAMES[copy[i][2]] then
      error(format('fractalray.register_channel("%s"): rule %d is not {node or "group:...", '
        .. '"solid", "permeable" or "empty"}', channel, i), 3)
    end
  end
  return copy
end

-- Adds a channel, in which shots see nodes as its rules say: a list of {"mod:node" or
-- "group:name", "solid" or "permeable" or "empty"}, of which the first that matches applies. Other
-- nodes are as in the channel "default": solid if walkable, empty if airlike, else permeable. Call
-- it while mods are loaded.
function kinds.register_channel(name, rules)
  if type(name) ~= "string" or name == "" then
    error("fractalray: the name of a channel is " .. tostring(name) .. "; it must be a text", 2)
  end
  if type(rules) ~= "table" then
    error(format("fractalray: the rules of the channel %s are %s; they must be a list", name,
      tostring(rules)), 2)
  end
  local copy = copy_of(name, rules)
  if numbers[name] then
    error("fractalray: the channel " .. name .. " exists already"
      .. (registered[name] and "" or ": " .. OWN .. " are the mod's own")
      .. "; choose another name", 2)
  end
  if has_types then
    error("fractalray.register_channel must be called while mods are loaded", 2)
  end
  numbers[name] = world:add_channel(name)
  registered[name] = copy
end

-- Returns the number of a channel.
function kinds.channel(name)
  return numbers[name] or error("fractalray: unknown channel " .. tostring(name) .. "; there are "
    .. channel_names() .. ", and fractalray.register_channel adds one", 3)
end

-- Returns the kind of a node in the channel "default", and its kinds in the others by their names. From
-- then on no channel can be added.
function kinds.of(name)
  has_types = true
  local def = definition(name)
  local channel_kinds = {}
  for channel, kind in pairs(BUILT_IN) do channel_kinds[channel] = kind(def) end
  for channel, rules in pairs(registered) do channel_kinds[channel] = kind_by(rules, name, def) end
  return default_kind(def), channel_kinds
end

-- Returns what `by_name` has for a node: under its name, or under one of its groups, the first by
-- alphabet; nil if it has neither.
function kinds.find(by_name, name)
  if by_name[name] ~= nil then return by_name[name] end
  local groups = {}
  for group, rating in pairs(definition(name).groups or {}) do
    if rating > 0 and by_name["group:" .. group] ~= nil then groups[#groups + 1] = group end
  end
  sort(groups)
  return groups[1] and by_name["group:" .. groups[1]]
end

return kinds
